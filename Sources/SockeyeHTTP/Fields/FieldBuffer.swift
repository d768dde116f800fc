/// A heap buffer of consecutive field lines in wire format, with an index entry for each line.
///
/// ```
/// line | line | … free … | entry | entry
/// ```
/// The lines grow from the front. The entries grow from the end, so the first entry is last in memory.
final class FieldBuffer: ManagedBuffer<FieldSummary, UInt8> {
    static let entrySize = MemoryLayout<FieldEntry>.stride

    /// The value of `ManagedBuffer.header`, read through a pointer. Accesses to the property itself would be checked
    /// for exclusivity at run time.
    @inline(__always)
    var summary: FieldSummary { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

    static func make(capacity: Int) -> FieldBuffer {
        let memory = create(minimumCapacity: capacity) { _ in FieldSummary(capacity: capacity) }
        return unsafe unsafeDowncast(memory, to: FieldBuffer.self)
    }

    /// Copies the fields to a new buffer of `capacity` bytes.
    /// - Precondition: `capacity` is at least the capacity of this buffer.
    func copy(capacity: Int) -> FieldBuffer {
        let copy = FieldBuffer.make(capacity: capacity)
        let summary = summary
        let entries = summary.capacity - summary.entries
        unsafe withUnsafeMutablePointerToElements { old in
            unsafe copy.withUnsafeMutablePointerToElements { new in
                unsafe new.initialize(from: old, count: summary.end)
                unsafe (new + capacity - entries).initialize(from: old + summary.entries, count: entries)
            }
        }
        unsafe copy.withUnsafeMutablePointerToHeader { unsafe $0.pointee = summary.moved(to: capacity) }
        return copy
    }

    /// - Precondition: `index` is below the number of fields.
    @inline(__always)
    func entry(_ index: Int) -> FieldEntry {
        let offset = summary.capacity - (index + 1) * Self.entrySize
        return unsafe withUnsafeMutablePointerToElements {
            unsafe UnsafeRawPointer($0 + offset).loadUnaligned(as: FieldEntry.self)
        }
    }

    /// Calls `body` with the bytes in a range of the lines.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(range.upperBound <= summary.end, "the range is outside of the field lines")
        return unsafe withUnsafeMutablePointerToElements { bytes in
            unsafe body(UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count))
        }
    }

    /// Returns the index of the first field with this name, starting at `start`.
    func firstIndex(of name: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let summary = summary
        guard unsafe summary.nameFilter & FieldSummary.filterBit(of: name) != 0 else { return nil }
        return unsafe withUnsafeMutablePointerToElements { bytes in
            let base = UnsafeRawPointer(bytes)
            var place = unsafe base + summary.capacity - start * Self.entrySize
            for index in start..<max(start, summary.count) {
                unsafe place -= Self.entrySize
                let entry = unsafe place.loadUnaligned(as: FieldEntry.self)
                guard entry.nameCount == name.count else { continue }
                guard let name = name.baseAddress else { return index }
                if unsafe ByteScan.equalsIgnoringCase(base + entry.start, name, count: entry.nameCount) { return index }
            }
            return nil
        }
    }

    /// Writes the line of a field, validates it, and adds its entry.
    /// - Precondition: There is room for both.
    @inline(__always)
    func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        unsafe withUnsafeMutablePointers { summary, bytes in
            let start = unsafe summary.pointee.end
            var flags = unsafe FieldFlags(FieldOwnership.of(name))
            let place = unsafe UnsafeMutableRawPointer(bytes + start)
            if unsafe !FieldSyntax.isName(name) { flags.insert(.invalidName) }
            unsafe UnsafeMutableRawBufferPointer(start: place, count: name.count).copyMemory(from: name)
            let colon = unsafe place + name.count
            unsafe colon.storeBytes(of: UInt16(0x203A).littleEndian, as: UInt16.self)
            if unsafe !FieldSyntax.isValue(value) { flags.insert(.invalidValue) }
            unsafe UnsafeMutableRawBufferPointer(start: colon + 2, count: value.count).copyMemory(from: value)
            unsafe (colon + 2 + value.count).storeBytes(of: UInt16(0x0A0D).littleEndian, as: UInt16.self)
            let entry = FieldEntry(start: start, nameCount: name.count, valueCount: value.count, flags: flags)
            unsafe Self.add(entry, named: name, to: summary, bytes)
        }
    }

    /// Appends a line that was validated elsewhere, and its entry.
    /// - Precondition: There is room for both.
    func append(_ line: UnsafeRawBufferPointer, _ entry: FieldEntry) {
        unsafe withUnsafeMutablePointers { summary, bytes in
            let start = unsafe summary.pointee.end
            unsafe UnsafeMutableRawBufferPointer(start: bytes + start, count: line.count).copyMemory(from: line)
            let copy = FieldEntry(
                start: start, nameCount: entry.nameCount, valueCount: entry.valueCount, flags: entry.flags)
            unsafe Self.add(copy, named: UnsafeRawBufferPointer(rebasing: line[..<entry.nameCount]), to: summary, bytes)
        }
    }

    @inline(__always)
    private static func add(
        _ entry: FieldEntry, named name: UnsafeRawBufferPointer,
        to summary: UnsafeMutablePointer<FieldSummary>, _ bytes: UnsafeMutablePointer<UInt8>
    ) {
        unsafe summary.pointee.count &+= 1
        unsafe summary.pointee.end &+= entry.lineCount
        unsafe summary.pointee.nameFilter |= FieldSummary.filterBit(of: name)
        unsafe summary.pointee.flags.formUnion(entry.flags)
        unsafe summary.pointee.entries &-= entrySize
        unsafe UnsafeMutableRawPointer(bytes + summary.pointee.entries).storeBytes(of: entry, as: FieldEntry.self)
    }
}

/// The header of a ``FieldBuffer``.
struct FieldSummary: Sendable, BitwiseCopyable {
    /// The number of fields.
    var count = 0
    /// The number of bytes of all lines, and the offset of the next line.
    var end = 0
    /// The number of bytes of the buffer.
    let capacity: Int
    /// The offset of the entries; the last entry comes first.
    var entries: Int
    /// A Bloom filter of the names with one hash function: if the bit of a name is not set, no field has this name.
    var nameFilter: UInt64 = 0
    /// The union of the flags of all fields.
    var flags: FieldFlags = []

    /// Makes the header of an empty buffer of this many bytes.
    init(capacity: Int) {
        self.capacity = capacity
        entries = capacity
    }

    /// Returns the header of the same fields in a buffer of another size.
    func moved(to capacity: Int) -> FieldSummary {
        var summary = FieldSummary(capacity: capacity)
        (summary.count, summary.end, summary.nameFilter, summary.flags) = (count, end, nameFilter, flags)
        summary.entries = capacity - (self.capacity - entries)
        return summary
    }

    /// The number of free bytes.
    @inline(__always)
    var room: Int { entries &- end }

    /// Returns the bit of this name in the Bloom filter. A hash of the name's length, first byte and last byte,
    /// ignoring case, selects the bit. The hash was chosen so that a name that is looked up for every request rarely
    /// shares its bit with a common field.
    @inline(__always)
    static func filterBit(of name: UnsafeRawBufferPointer) -> UInt64 {
        guard let base = name.baseAddress, unsafe !name.isEmpty else { return 1 }
        let (first, last) = unsafe (Int(base.byte(0)) & 0x1F, Int(base.byte(name.count &- 1)) & 0x1F)
        return 1 &<< UInt64(truncatingIfNeeded: first &- name.count &+ (last &+ name.count) &<< 3)
    }
}

/// The index entry of a field line in a ``FieldBuffer``: its offsets and flags.
struct FieldEntry: Sendable, BitwiseCopyable {
    /// The offset of the line.
    let start: Int
    let nameCount: Int
    let valueCount: Int
    let flags: FieldFlags

    /// The number of bytes of a line besides name and value: `: ` and CRLF.
    static let separators = 4

    var name: Range<Int> { start..<start + nameCount }
    var value: Range<Int> { start + nameCount + 2..<start + nameCount + 2 + valueCount }
    /// The range of the line, including its CRLF.
    var line: Range<Int> { start..<start + lineCount }
    var lineCount: Int { nameCount + valueCount + Self.separators }
}

/// The flags of a field, determined when it is added; or the union of the flags of several fields.
struct FieldFlags: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    /// The name is not a token (RFC 9110 5.1).
    static let invalidName = FieldFlags(rawValue: 1)
    /// The value holds a control byte other than HTAB (RFC 9110 5.5).
    static let invalidValue = FieldFlags(rawValue: 2)
    /// The field is Host.
    static let host = FieldFlags(rawValue: 4)
    /// Only the client may set this field.
    static let client = FieldFlags(rawValue: 8)
    /// Only proxies may receive this field.
    static let proxy = FieldFlags(rawValue: 16)

    /// Both kinds of faults.
    static let invalid: FieldFlags = [.invalidName, .invalidValue]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    @inline(__always)
    init(_ ownership: FieldOwnership) {
        switch ownership {
        case .caller: self = []
        case .host: self = .host
        case .client: self = .client
        case .proxy: self = .proxy
        }
    }
}

/// The ownership of a request field, which decides how the client sends the field.
enum FieldOwnership {
    /// Sent as the caller gave it.
    case caller
    /// Sent as the first field. The caller's value replaces the URL's authority.
    case host
    /// Concerns the message framing or this connection (RFC 9110 7.6.1, RFC 9112 6). Only the client sets it, if
    /// needed. The caller's field is not sent, but the client obeys some of its values, such as `Connection: close`.
    case client
    /// Credentials for a proxy, sent to proxies only (RFC 9110 11.7.2).
    case proxy

    /// Returns the ownership of the field with this name.
    @inline(__always)
    static func of(_ name: UnsafeRawBufferPointer) -> FieldOwnership {
        // A bit set of the name lengths in `find(_:)`.
        let lengths: UInt32 = 0b1011_0100_0100_1101_0100
        return unsafe name.count < 20 && lengths &>> UInt32(name.count) & 1 != 0 ? find(name) : .caller
    }

    @inline(never)
    private static func find(_ name: UnsafeRawBufferPointer) -> FieldOwnership {
        switch name.count {
        case 2 where unsafe name.matches("te"): .client
        case 4 where unsafe name.matches("host"): .host
        case 6 where unsafe name.matches("expect"): .client
        case 7 where unsafe name.matches("upgrade"): .client
        case 10 where unsafe name.matches("connection") || name.matches("keep-alive"): .client
        case 14 where unsafe name.matches("content-length"): .client
        case 16 where unsafe name.matches("proxy-connection"): .client
        case 17 where unsafe name.matches("transfer-encoding"): .client
        case 19 where unsafe name.matches("proxy-authorization"): .proxy
        default: .caller
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns true if these bytes equal `lowercase`, ignoring the case of letters.
    @inline(__always)
    func matches(_ lowercase: StaticString) -> Bool {
        guard let base = baseAddress, count == lowercase.utf8CodeUnitCount else { return false }
        return unsafe ByteScan.equalsIgnoringCase(base, UnsafeRawPointer(lowercase.utf8Start), count: count)
    }

    /// Returns true if these bytes are a comma-separated list with this member, ignoring the case of letters.
    /// Bit 5 must be set in every byte of `member`, as in lower-case letters (see ``ByteScan/equals(_:count:_:)``).
    func lists(_ member: StaticString) -> Bool {
        let bytes = unsafe assumingMemoryBound(to: UInt8.self)
        var scan = unsafe FieldScanner(bytes.span)
        while let range = scan.member() {
            if scan.equals(range, member) { return true }
        }
        return false
    }
}
