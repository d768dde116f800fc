#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The field lines of a section that was checked before, one after the other.
///
/// Nothing is judged again, only taken apart; and should the bytes be others than those that were checked, the walk
/// ends early instead of reading past them.
@safe struct FieldLines {
    private let bytes: UnsafeRawBufferPointer
    private var index: Int

    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        unsafe self.bytes = unsafe bytes
        self.index = start
    }

    mutating func next() -> FieldLine? {
        guard let (start, end) = nextLine(), let base = unsafe bytes.baseAddress else { return nil }
        var colon = start
        while colon < end, unsafe base.byte(colon) != UInt8(ascii: ":") { colon &+= 1 }
        guard colon > start, colon < end else { return nil }
        return unsafe Self.split(base, start: start, colon: colon, end: end)
    }

    /// The next line whose name is `name`, in any case. Other lines are passed without being taken apart.
    mutating func next(named name: UnsafeRawBufferPointer) -> FieldLine? {
        guard let base = unsafe bytes.baseAddress, let wanted = name.baseAddress, name.count > 0 else { return nil }
        while let (start, end) = nextLine() {
            let colon = start &+ name.count
            guard colon < end, unsafe base.byte(colon) == UInt8(ascii: ":"),
                unsafe ByteScan.equalsIgnoringCase(base + start, wanted, count: name.count)
            else { continue }
            return unsafe Self.split(base, start: start, colon: colon, end: end)
        }
        return nil
    }

    /// The next line without its line end.
    @inline(__always)
    private mutating func nextLine() -> (start: Int, end: Int)? {
        guard let base = unsafe bytes.baseAddress, unsafe index < bytes.count,
            let found = unsafe memchr(base + index, Int32(ByteClass.lineFeed), bytes.count &- index)
        else { return nil }
        let start = index
        let end = unsafe UnsafeRawPointer(found) - base
        index = end &+ 1
        return unsafe (start, end > start && base.byte(end &- 1) == ByteClass.carriageReturn ? end &- 1 : end)
    }

    @inline(__always)
    private static func split(_ base: UnsafeRawPointer, start: Int, colon: Int, end: Int) -> FieldLine {
        var valueStart = colon &+ 1
        var valueEnd = end
        while valueStart < valueEnd, unsafe ByteClass.isBlank(base.byte(valueStart)) { valueStart &+= 1 }
        while valueEnd > valueStart, unsafe ByteClass.isBlank(base.byte(valueEnd &- 1)) { valueEnd &-= 1 }
        return FieldLine(
            nameStart: start, nameEnd: colon, valueStart: valueStart, valueEnd: valueEnd, hasControls: false
        )
    }
}
