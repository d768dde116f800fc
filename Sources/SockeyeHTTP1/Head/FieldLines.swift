#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The field lines of a section that was checked before, one after the other.
///
/// Nothing is judged again, only taken apart; and should the bytes be others than those that were checked, the walk
/// ends early instead of reading past them.
struct FieldLines {
    private let bytes: UnsafeRawBufferPointer
    private var index: Int

    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        self.bytes = bytes
        self.index = start
    }

    mutating func next() -> FieldLine? {
        guard let base = bytes.baseAddress, index < bytes.count,
            let found = memchr(base + index, Int32(ByteClass.lineFeed), bytes.count - index)
        else { return nil }
        let start = index
        let lineFeed = UnsafeRawPointer(found) - base
        index = lineFeed + 1
        var end = lineFeed
        if end > start, base.byte(end - 1) == ByteClass.carriageReturn { end -= 1 }
        var colon = start
        while colon < end, base.byte(colon) != UInt8(ascii: ":") { colon &+= 1 }
        guard colon > start, colon < end else { return nil }
        var valueStart = colon + 1
        while valueStart < end, ByteClass.isBlank(base.byte(valueStart)) { valueStart &+= 1 }
        while end > valueStart, ByteClass.isBlank(base.byte(end - 1)) { end &-= 1 }
        return FieldLine(
            nameStart: start, nameEnd: colon, valueStart: valueStart, valueEnd: end, hasControls: false
        )
    }
}
