/// A scanner for a number of JSON5 (section 6 of the JSON5 specification). Such a number may have a sign or a leading
/// or trailing point, and may be hexadecimal, infinite or NaN.
///
/// Numbers are checked before Foundation's decoder gets the text, because that decoder crashes on some invalid numbers,
/// such as `1e+` and `0x0x`.
struct JSON5Number: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Moves past the number that starts here. Returns false if the number is invalid, or is followed by a byte that
    /// could belong to a number or a word.
    mutating func isValid() -> Bool {
        if !skip("+") { _ = skip("-") }
        if skipWord("Infinity") || skipWord("NaN") { return isOver }
        if skipWord("0x") || skipWord("0X") { return skipDigits(Self.isHexadecimal) > 0 && isOver }
        let whole = skipDigits(Self.isDecimal)
        let fraction = skip(".") ? skipDigits(Self.isDecimal) : 0
        guard whole + fraction > 0 else { return false }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            guard skipDigits(Self.isDecimal) > 0 else { return false }
        }
        return isOver
    }

    /// Returns true if a byte may be part of a word: a key without quotes, `true`, `Infinity`.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "\\"), 0x80...:
            true
        default: false
        }
    }

    /// True if the number ends here: at the end of the text, or before a byte that cannot continue a number or a word.
    private var isOver: Bool {
        guard position < bytes.count else { return true }
        let next = bytes[position]
        // In JSON5, U+00A0 and the byte order mark are blanks. Their UTF-8 forms begin with 0xC2 and 0xEF.
        return next == 0xC2 || next == 0xEF || !(Self.isWord(next) || "+-.".utf8.contains(next))
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDecimal(byte) || (byte | 0x20) &- 0x61 < 6 }

    @_lifetime(self: copy self)
    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    @_lifetime(self: copy self)
    private mutating func skipWord(_ word: String) -> Bool {
        let end = position + word.utf8.count
        guard end <= bytes.count, word.utf8.enumerated().allSatisfy({ bytes[position + $0] == $1 }) else {
            return false
        }
        position = end
        return true
    }

    @_lifetime(self: copy self)
    private mutating func skipDigits(_ isDigit: (UInt8) -> Bool) -> Int {
        let start = position
        while position < bytes.count, isDigit(bytes[position]) { position += 1 }
        return position - start
    }
}
