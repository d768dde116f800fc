/// The differences between the grammar that `JSONDecoder` reads and RFC 8259, which ``JSONValue`` reads: the decoder accepts a
/// comma behind the last element of an array or object, and refuses the number `0e1`.
///
/// With them closed, typed and untyped calls accept the same texts.
enum GrammarGaps {
    /// The exponents of zeros, such as the `e1` of `0e1`, which may be blanked out: the number is zero without them, too.
    ///
    /// - Throws: ``JSONFault`` at a bracket that follows a comma.
    static func exponentsOfZero(in text: Span<UInt8>) throws(JSONFault) -> [Range<Int>] {
        // Nearly no text has one of either, and looking for bytes in strings as well is quicker than to tell strings apart.
        guard mayOccur(in: text) else { return [] }
        var exponents: [Range<Int>] = []
        var last: UInt8 = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "\""):
                index = endOfString(in: text, from: index)
                last = byte
            case UInt8(ascii: "]") where last == UInt8(ascii: ","):
                throw JSONFault(.unexpectedCharacter, at: index, "a value expected")
            case UInt8(ascii: "}") where last == UInt8(ascii: ","):
                throw JSONFault(.unexpectedCharacter, at: index, "a key in quotes expected")
            case UInt8(ascii: "0"):
                if let exponent = exponent(ofZeroAt: index, in: text) { exponents.append(exponent) }
                last = byte
            default: last = byte
            }
            index += 1
        }
        return exponents
    }

    /// Whether a bracket follows a comma, or an `e` a zero, anywhere: seven bytes at a time.
    private static func mayOccur(in text: Span<UInt8>) -> Bool {
        let raw = unsafe text.bytes
        var index = 0
        while index &+ 8 <= text.count {
            let word = unsafe UInt64(
                littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
            // `]` and `}` differ in bit 5 only, as do `E` and `e`.
            let small = word | 0x2020_2020_2020_2020
            let closings = small ^ 0x7D7D_7D7D_7D7D_7D7D
            let zeros = word ^ 0x3030_3030_3030_3030 | small >> 8 ^ 0x6565_6565_6565_6565
            if hasZero(closings) || hasZero(zeros), occurs(in: text, index..<index &+ 8) { return true }
            index &+= 7
        }
        return occurs(in: text, index..<text.count)
    }

    /// Whether a byte of the word is zero.
    @inline(__always)
    private static func hasZero(_ word: UInt64) -> Bool {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }

    private static func occurs(in text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where index > 0 {
            switch text[index] | 0x20 {
            case UInt8(ascii: "e"):
                if text[index - 1] == UInt8(ascii: "0") { return true }
            case UInt8(ascii: "}"):
                var before = index - 1
                while before > 0, text[before] <= 0x20 { before -= 1 }
                if text[before] == UInt8(ascii: ",") { return true }
            default: break
            }
        }
        return false
    }

    /// The index of the closing quote of the string that begins at `start`; the last index if it has none.
    private static func endOfString(in text: Span<UInt8>, from start: Int) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// The exponent of the number at `start`, if it is a lone zero with digits for an exponent.
    private static func exponent(ofZeroAt start: Int, in text: Span<UInt8>) -> Range<Int>? {
        guard start == 0 || !belongsToNumber(text[start - 1]) else { return nil }
        guard start + 2 < text.count, text[start + 1] | 0x20 == UInt8(ascii: "e") else { return nil }
        var end = start + 2
        while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
        // What is no number stays as it is, for the decoder to refuse.
        guard end > start + 2, end == text.count || !belongsToNumber(text[end]) else { return nil }
        return start + 1..<end
    }

    private static func belongsToNumber(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte | 0x20 == UInt8(ascii: "e") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "-")
    }
}
