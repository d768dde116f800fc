/// Percent-encoding of keys and values (RFC 3986, 2.1), byte by byte of their UTF-8.
///
/// Left as they are: letters, digits, `-._~` (RFC 3986, 2.3) and, as in AFNetworking, `/` and `?`, which a query may
/// hold (3.4). A character is never split, since UTF-8 is encoded and not sliced.
enum PercentEscaping {
    /// Writes text to `output`, which has room for three bytes for each of it, and for one word.
    ///
    /// Letters and digits are copied eight at a time. Where there is something else among eight bytes, each becomes what a
    /// table has for it, without a branch: of four bytes that are written, one or three count, and what comes next
    /// overwrites the others.
    ///
    /// - Returns: Where the written text ends.
    @inline(__always)
    static func write(
        _ text: Span<UInt8>, spaces: ParameterStyle.SpaceFormat, to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        unsafe text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return unsafe output }
            return unsafe write(start, count: text.count, spaces: spaces, to: output)
        }
    }

    private static func write(
        _ text: UnsafePointer<UInt8>, count: Int, spaces: ParameterStyle.SpaceFormat,
        to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let half: UInt16 = spaces == .plus ? 0x100 : 0
        var (source, left) = unsafe (UnsafeRawPointer(text), count)
        var end = UnsafeMutableRawPointer(output)
        while left >= 8 {
            let word = unsafe UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
            if areLettersAndDigits(word) {
                unsafe end.storeBytes(of: word.littleEndian, as: UInt64.self)
                unsafe end += 8
            } else {
                for place: UInt64 in 0..<8 {
                    unsafe write(UInt8(truncatingIfNeeded: word &>> (8 &* place)), half, to: &end)
                }
            }
            unsafe source += 8
            left &-= 8
        }
        while left > 0 {
            unsafe write(source.load(as: UInt8.self), half, to: &end)
            unsafe source += 1
            left &-= 1
        }
        return unsafe end.assumingMemoryBound(to: UInt8.self)
    }

    /// Whether each byte of a word is a letter, a digit, `-`, `.` or `/`.
    ///
    /// For bytes below 128, adding to each so that the high bit tells whether it reaches a bound; no sum overflows.
    @inline(__always)
    private static func areLettersAndDigits(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F * ones)
        let small = low | 0x20 * ones
        let letter = (small &+ (0x80 - 0x61) * ones) & ~(small &+ (0x7F - 0x7A) * ones)
        let digit = (low &+ (0x80 - 0x2D) * ones) & ~(low &+ (0x7F - 0x39) * ones)
        return ~((letter | digit) & ~word) & (0x80 * ones) == 0
    }

    /// Writes what stands for one byte, and moves `end` behind it.
    @inline(__always)
    private static func write(_ byte: UInt8, _ half: UInt16, to end: inout UnsafeMutableRawPointer) {
        let entry = table[Int((UInt16(byte) | half) & 0x1FF)]
        unsafe end.storeBytes(of: entry.littleEndian, as: UInt32.self)
        unsafe end += Int(entry &>> 24)
    }

    /// What is written for each byte, the first of it lowest, with its length on top. In the second half a space is `+`.
    private static let table = InlineArray<512, UInt32> { index in
        let byte = UInt8(truncatingIfNeeded: index)
        if index == 0x120 { return 1 << 24 | UInt32(UInt8(ascii: "+")) }
        if isUnreserved(byte) { return 1 << 24 | UInt32(byte) }
        return 3 << 24 | UInt32(digit(byte & 15)) << 16 | UInt32(digit(byte >> 4)) << 8 | UInt32(UInt8(ascii: "%"))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "/"), UInt8(ascii: "?"): true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
