/// Percent-encoding of keys and values (RFC 3986, 2.1), byte by byte of their UTF-8.
///
/// Left as they are: letters, digits, `-._~` (RFC 3986, 2.3) and, as in AFNetworking, `/` and `?`, which a query may
/// hold (3.4). A character is never split, since UTF-8 is encoded and not sliced.
enum PercentEscaping {
    /// Writes text to `output`, which has room for three bytes for each of it, and for one word.
    ///
    /// Runs of letters and digits are copied eight at a time. A word that has something else in it is written all the
    /// same, and what comes next overwrites what was too much.
    ///
    /// - Returns: Where the written text ends.
    @inline(__always)
    static func write(
        _ text: Span<UInt8>, spaces: ParameterStyle.SpaceFormat, to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return output }
            return write(start, count: text.count, spaces: spaces, to: output)
        }
    }

    private static func write(
        _ text: UnsafePointer<UInt8>, count: Int, spaces: ParameterStyle.SpaceFormat,
        to output: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var (source, left) = (text, count)
        var end = output
        while left > 0 {
            while left > 0, !isLetterOrDigit(source.pointee) {
                write(source.pointee, spaces: spaces, to: &end)
                source += 1
                left &-= 1
            }
            while left >= 8 {
                let word = word(at: source, left: 8)
                guard othersThanLettersAndDigits(word) == 0 else { break }
                UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
                source += 8
                end += 8
                left &-= 8
            }
            guard left > 0, isLetterOrDigit(source.pointee) else { continue }
            let word = word(at: source, left: left)
            UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
            let run = othersThanLettersAndDigits(word).trailingZeroBitCount &>> 3
            source += run
            end += run
            left &-= run
        }
        return end
    }

    /// The next eight bytes, the first lowest; fewer if so few are left, and then zeros.
    @inline(__always)
    private static func word(at source: UnsafePointer<UInt8>, left: Int) -> UInt64 {
        let source = UnsafeRawPointer(source)
        if left >= 8 { return UInt64(littleEndian: source.loadUnaligned(as: UInt64.self)) }
        // Loads that overlap: they agree where they do.
        if left >= 4 {
            let first = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
            let last = UInt32(littleEndian: (source + (left - 4)).loadUnaligned(as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< UInt64(8 &* (left - 4))
        }
        let (middle, last) = (left >> 1, left - 1)
        return UInt64(source.load(as: UInt8.self))
            | UInt64(source.load(fromByteOffset: middle, as: UInt8.self)) &<< UInt64(8 &* middle)
            | UInt64(source.load(fromByteOffset: last, as: UInt8.self)) &<< UInt64(8 &* last)
    }

    /// The high bit of each byte of a word that is no letter, digit, `-`, `.` or `/`.
    ///
    /// For bytes below 128, adding to each so that the high bit tells whether it reaches a bound; no sum overflows.
    @inline(__always)
    private static func othersThanLettersAndDigits(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F * ones)
        let small = low | 0x20 * ones
        let letter = (small &+ (0x80 - 0x61) * ones) & ~(small &+ (0x7F - 0x7A) * ones)
        let digit = (low &+ (0x80 - 0x2D) * ones) & ~(low &+ (0x7F - 0x39) * ones)
        return ~((letter | digit) & ~word) & (0x80 * ones)
    }

    @inline(__always)
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "-") < 13
    }

    /// Writes one byte, and moves `end` behind it.
    @inline(__always)
    private static func write(
        _ byte: UInt8, spaces: ParameterStyle.SpaceFormat, to end: inout UnsafeMutablePointer<UInt8>
    ) {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "?"):
            end.pointee = byte
            end += 1
        case UInt8(ascii: " ") where spaces == .plus:
            end.pointee = UInt8(ascii: "+")
            end += 1
        default:
            end[0] = UInt8(ascii: "%")
            end[1] = digit(byte >> 4)
            end[2] = digit(byte & 15)
            end += 3
        }
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
