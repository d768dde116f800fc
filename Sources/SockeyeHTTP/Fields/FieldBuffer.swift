/// A heap buffer of field lines as they go on the wire, one behind the other, with an index entry for each.
///
/// ```
/// line | line | … free … | entry | entry
/// ```
/// The lines grow from the front, the entries from the end, the first one last. The caller ensures that there is room.
final class FieldBuffer: ManagedBuffer<FieldSummary, UInt8> {
    static let entrySize = MemoryLayout<FieldEntry>.stride

    /// The header, by way of a pointer: accesses to the class property are checked for exclusivity at run time.
    @inline(__always)
    var summary: FieldSummary { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

    /// An empty buffer.
    static func make(capacity: Int) -> FieldBuffer {
        let memory = create(minimumCapacity: capacity) { _ in FieldSummary(capacity: capacity) }
        return unsafe unsafeDowncast(memory, to: FieldBuffer.self)
    }

    /// A copy in a larger buffer.
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

    /// - Precondition: There is such a field.
    @inline(__always)
    func entry(_ index: Int) -> FieldEntry {
        let offset = summary.capacity - (index + 1) * Self.entrySize
        return unsafe withUnsafeMutablePointerToElements {
            unsafe UnsafeRawPointer($0 + offset).loadUnaligned(as: FieldEntry.self)
        }
    }

    /// The bytes in a range that is one of the lines.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(range.upperBound <= summary.end, "beyond the lines")
        return unsafe withUnsafeMutablePointerToElements { bytes in
            unsafe body(UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count))
        }
    }

    /// The index of the first field of a name, from `start` on.
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

    /// Writes the line of a field, checks it on the way and adds its entry.
    /// - Precondition: There is room for both.
    @inline(__always)
    func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        unsafe withUnsafeMutablePointers { summary, bytes in
            let start = unsafe summary.pointee.end
            var flags = unsafe FieldFlags(FieldOwnership.of(name))
            let place = unsafe UnsafeMutableRawPointer(bytes + start)
            // What a copy overwrites behind itself is written next, or is where the entry has room.
            if unsafe !FieldCopy.copy(name: name, to: place) { flags.insert(.invalidName) }
            let colon = unsafe place + name.count
            unsafe colon.storeBytes(of: UInt16(0x203A).littleEndian, as: UInt16.self)
            if unsafe !FieldCopy.copy(value: value, to: colon + 2) { flags.insert(.invalidValue) }
            unsafe (colon + 2 + value.count).storeBytes(of: UInt16(0x0A0D).littleEndian, as: UInt16.self)
            let entry = FieldEntry(start: start, nameCount: name.count, valueCount: value.count, flags: flags)
            unsafe Self.add(entry, named: name, to: summary, bytes)
        }
    }

    /// Adds a line that was checked elsewhere, and its entry.
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
    /// The bytes of their lines, which is where the next one begins.
    var end = 0
    /// The bytes of the buffer.
    let capacity: Int
    /// Where the entries begin, the last one first.
    var entries: Int
    /// A Bloom filter of the names, with one hash: a name whose bit is not set is not there.
    var nameFilter: UInt64 = 0
    /// The union of the flags of all fields.
    var flags: FieldFlags = []

    /// The header of an empty buffer of that many bytes.
    init(capacity: Int) {
        self.capacity = capacity
        entries = capacity
    }

    /// The header of the same fields in a buffer of another size.
    func moved(to capacity: Int) -> FieldSummary {
        var summary = FieldSummary(capacity: capacity)
        (summary.count, summary.end, summary.nameFilter, summary.flags) = (count, end, nameFilter, flags)
        summary.entries = capacity - (self.capacity - entries)
        return summary
    }

    /// The bytes that are free.
    @inline(__always)
    var room: Int { entries &- end }

    /// The Bloom filter's hash: of the length, the first and the last byte of a name, case-insensitive. The factors set
    /// the names that are looked up in every request apart from those that are often there.
    @inline(__always)
    static func filterBit(of name: UnsafeRawBufferPointer) -> UInt64 {
        guard let base = name.baseAddress, unsafe !name.isEmpty else { return 1 }
        let (first, last) = unsafe (Int(base.byte(0)) & 0x1F, Int(base.byte(name.count &- 1)) & 0x1F)
        return 1 &<< UInt64(truncatingIfNeeded: first &- name.count &+ (last &+ name.count) &<< 3)
    }
}

/// The index entry of a field line in a ``FieldBuffer``: its offsets and flags.
struct FieldEntry: Sendable, BitwiseCopyable {
    /// Where the line begins.
    let start: Int
    let nameCount: Int
    let valueCount: Int
    let flags: FieldFlags

    /// The bytes of a line besides name and value: `: ` and CRLF.
    static let separators = 4

    var name: Range<Int> { start..<start + nameCount }
    var value: Range<Int> { start + nameCount + 2..<start + nameCount + 2 + valueCount }
    /// The line with its CRLF.
    var line: Range<Int> { start..<start + lineCount }
    var lineCount: Int { nameCount + valueCount + Self.separators }
}

/// Flags of a field, found when it was added, or of any of several.
struct FieldFlags: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    /// The name is no token (RFC 9110 5.1).
    static let invalidName = FieldFlags(rawValue: 1)
    /// The value holds a control byte other than HTAB (RFC 9110 5.5).
    static let invalidValue = FieldFlags(rawValue: 2)
    /// It is Host.
    static let host = FieldFlags(rawValue: 4)
    /// Only the client writes it.
    static let client = FieldFlags(rawValue: 8)
    /// It is for proxies only.
    static let proxy = FieldFlags(rawValue: 16)

    /// Either of the faults.
    static let invalid: FieldFlags = [.invalidName, .invalidValue]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The flag of an ownership.
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

/// The owner of a request field: the caller, or the client.
enum FieldOwnership {
    /// Sent as the caller gave it.
    case caller
    /// Goes first, in place of the authority.
    case host
    /// Belongs to the message framing or to this connection: the client writes it where it is due, the caller's copy is
    /// left out (RFC 9110 7.6.1, RFC 9112 6).
    case client
    /// Credentials for a proxy: sent to nobody else (RFC 9110 11.7.2).
    case proxy

    /// The ownership by the name; most names are told apart by their length alone.
    @inline(__always)
    static func of(_ name: UnsafeRawBufferPointer) -> FieldOwnership {
        // A bit set of the lengths below.
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
    /// Whether these bytes are `lowercase`, letters in either case.
    @inline(__always)
    func matches(_ lowercase: StaticString) -> Bool {
        guard let base = baseAddress, count == lowercase.utf8CodeUnitCount else { return false }
        return unsafe ByteScan.equalsIgnoringCase(base, UnsafeRawPointer(lowercase.utf8Start), count: count)
    }

    /// Whether this is a list with a member.
    func lists(_ member: StaticString) -> Bool {
        let bytes = unsafe assumingMemoryBound(to: UInt8.self)
        var scan = unsafe FieldScanner(bytes.span)
        while let range = scan.member() {
            if scan.equals(range, member) { return true }
        }
        return false
    }
}
