/// Copy-on-write storage of fields as encoded lines. Fields are validated when they are added; their flags record
/// faults and special names. If no field has a flag, one copy suffices to send all lines. Empty storage owns no memory.
///
/// `@unchecked Sendable`: a buffer is written only while it is uniquely referenced.
struct FieldStorage: @unchecked Sendable {
    /// The first buffer's size in bytes: enough for about six fields. Nearly all requests need at most one doubling.
    private static let firstCapacity = 448

    private var memory: FieldBuffer?

    var count: Int { memory?.summary.count ?? 0 }

    /// The union of the flags of all fields.
    var flags: FieldFlags { memory?.summary.flags ?? [] }

    /// The number of bytes of all lines.
    var byteCount: Int { memory?.summary.end ?? 0 }

    /// - Precondition: `index` is in `0..<count`.
    @inline(__always)
    subscript(index: Int) -> FieldEntry {
        guard let memory, index >= 0, index < memory.summary.count else {
            preconditionFailure("the field index is out of range")
        }
        return memory.entry(index)
    }

    /// Calls `body` with the lines, each with its CRLF.
    @inline(__always)
    func withLines<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe withBytes(0..<byteCount, body)
    }

    /// Calls `body` with the bytes in a range, such as the range of an entry's name.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let memory else { return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return unsafe memory.withBytes(range, body)
    }

    /// Returns the text in a range, such as the range of an entry's value.
    func text(_ range: Range<Int>) -> String {
        unsafe withBytes(range) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the index of the first field with this name, starting at `start`.
    @inline(__always)
    func firstIndex(of name: borrowing Headers.Name, from start: Int = 0) -> Int? {
        guard let memory else { return nil }
        return unsafe ByteScan.withBytes(of: name.text.utf8) { unsafe memory.firstIndex(of: $0, from: start) }
    }

    /// Returns true if there is a field with this name.
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { unsafe memory?.firstIndex(of: name, from: 0) != nil }

    /// Returns true if both lists have a field with the same name.
    @inline(__always)
    func containsAny(of other: FieldStorage) -> Bool {
        guard let one = memory, let two = other.memory, one.summary.nameFilter & two.summary.nameFilter != 0 else {
            return false
        }
        return (0..<other.count).contains { index in unsafe other.withBytes(other[index].name) { unsafe contains($0) } }
    }

    /// Returns true if the entry's field has this name.
    func isField(_ entry: FieldEntry, named name: Headers.Name) -> Bool {
        unsafe ByteScan.withBytes(of: name.text.utf8) { name in
            unsafe withBytes(entry.name) { unsafe ByteScan.equalsIgnoringCase($0, name) }
        }
    }

    /// Returns true if the entry's field equals a field of another list, ignoring the case of names.
    func isField(_ entry: FieldEntry, equalTo other: FieldEntry, of others: FieldStorage) -> Bool {
        unsafe withBytes(entry.name) { name in
            unsafe others.withBytes(other.name) { unsafe ByteScan.equalsIgnoringCase(name, $0) }
        }
            && withBytes(entry.value) { value in
                unsafe others.withBytes(other.value) { unsafe value.elementsEqual($0) }
            }
    }

    /// Appends a field without replacing fields of the same name.
    @inline(__always)
    mutating func append(_ name: borrowing Headers.Name, _ value: borrowing String) {
        unsafe ByteScan.withBytes(of: name.text.utf8) { name in
            unsafe ByteScan.withBytes(of: value.utf8) { value in unsafe append(name, value) }
        }
    }

    @inline(never)
    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        reserve(1, byteCount: name.count + value.count)
        unsafe memory?.append(name, value)
    }

    /// Appends a field of another list, where it was validated.
    mutating func append(_ entry: FieldEntry, of other: FieldStorage) {
        reserve(entry.lineCount + FieldBuffer.entrySize)
        unsafe other.withBytes(entry.line) { line in unsafe memory?.append(line, entry) }
    }

    /// Appends a line that was validated elsewhere. Its entry gets no flags, so it must be a field that applications
    /// may set (``FieldOwnership/caller``). Host, fields that only the client may set, and fields for proxies need
    /// flags.
    mutating func append(_ line: UnsafeRawBufferPointer, nameCount: Int, valueCount: Int) {
        reserve(line.count + FieldBuffer.entrySize)
        unsafe memory?.append(line, FieldEntry(start: 0, nameCount: nameCount, valueCount: valueCount, flags: []))
    }

    /// Reserves room for `count` fields with this many bytes of names and values.
    @inline(__always)
    mutating func reserve(_ count: Int, byteCount: Int) {
        reserve(byteCount + count * (FieldEntry.separators + FieldBuffer.entrySize))
    }

    /// Ensures that this is the only reference to the memory, and that there is room for this many bytes.
    @inline(__always)
    private mutating func reserve(_ size: Int) {
        if isKnownUniquelyReferenced(&memory), let memory, memory.summary.room >= size { return }
        makeRoom(size)
    }

    @inline(never)
    private mutating func makeRoom(_ size: Int) {
        guard let old = memory else {
            memory = .make(capacity: max(size, Self.firstCapacity))
            return
        }
        let summary = old.summary
        let capacity = summary.room < size ? max(2 * summary.capacity, summary.capacity + size) : summary.capacity
        memory = old.copy(capacity: capacity)
    }
}
