/// The decoder of ISO-2022-JP (WHATWG Encoding, 12.2.1), in which escape sequences switch between character sets.
struct ISO2022JPDecoder {
    private enum CharacterSet {
        case ascii, roman, katakana, jis0208
    }

    private let index = CharacterIndex.jis0208
    private var current = CharacterSet.ascii
    /// True directly after an escape sequence. A second escape sequence there is an error, because the first one would
    /// have no visible effect.
    private var isAfterEscape = false
    private var text = DecodedText()

    private static let escape: UInt8 = 0x1B

    static func decode(_ bytes: Span<UInt8>) -> String {
        var decoder = ISO2022JPDecoder()
        decoder.text.reserve(for: bytes)
        var position = 0
        while position < bytes.count {
            let rest = bytes.extracting(position...)
            position += rest[0] == escape ? decoder.readEscape(rest) : decoder.decodeCharacter(rest)
        }
        return decoder.text.string
    }

    /// Reads an escape sequence and returns its number of bytes. For an unknown sequence, returns 1, so that its other
    /// bytes are decoded as text.
    private mutating func readEscape(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > 2, let next = Self.set(bytes[1], bytes[2]) else {
            text.append(nil)
            isAfterEscape = false
            return 1
        }
        if isAfterEscape { text.append(nil) }
        current = next
        isAfterEscape = true
        return 3
    }

    private static func set(_ first: UInt8, _ second: UInt8) -> CharacterSet? {
        switch (first, second) {
        case (0x28, 0x42): .ascii
        case (0x28, 0x4A): .roman
        case (0x28, 0x49): .katakana
        case (0x24, 0x40), (0x24, 0x42): .jis0208
        default: nil
        }
    }

    /// Decodes a character, and returns its number of bytes.
    private mutating func decodeCharacter(_ bytes: Span<UInt8>) -> Int {
        isAfterEscape = false
        if current == .jis0208, (0x21...0x7E).contains(bytes[0]) { return decodePair(bytes) }
        text.append(singleByte(bytes[0]))
        return 1
    }

    /// Decodes a character of JIS X 0208. If the second byte is invalid, both bytes are one error, unless the second
    /// one begins an escape sequence.
    private mutating func decodePair(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > 1, bytes[1] != Self.escape else {
            text.append(nil)
            return 1
        }
        let isPair = (0x21...0x7E).contains(bytes[1])
        text.append(isPair ? index[(Int(bytes[0]) - 0x21) * 94 + Int(bytes[1]) - 0x21] : nil)
        return 2
    }

    /// Returns the code point of a byte that is a character by itself; nil for other bytes.
    private func singleByte(_ byte: UInt8) -> UInt32? {
        switch (current, byte) {
        case (.katakana, 0x21...0x5F): 0xFF61 - 0x21 + UInt32(byte)
        case (.katakana, _), (.jis0208, _): nil
        case (.roman, 0x5C): 0xA5
        case (.roman, 0x7E): 0x203E
        // The control characters that shift between character sets in other encodings.
        case (_, 0x0E...0x0F): nil
        case (_, ...0x7F): UInt32(byte)
        default: nil
        }
    }
}
