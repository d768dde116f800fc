import SockeyePlatform

/// The characters of NEC and IBM in rows 89 to 92 of JIS X 0208 (WHATWG Encoding, index jis0208).
///
/// The C library's converter for EUC-JP takes rows 85 to 94 for characters of the user, and puts those of the Private Use Area in
/// their place. Its converter for Shift_JIS knows the characters, whose pairs of bytes follow from those of EUC-JP.
enum JapaneseExtensions {
    /// How many characters a row has.
    private static let rowLength = 94
    /// What the converter makes of row 85 and those behind it: a cell after the other.
    private static let placeholders: Range<UInt32> = 0xE000..<0xE000 + 10 * 94
    /// The first of the rows, counted from row 85.
    private static let firstRow = 4

    /// The text with the characters that the standard has in these rows, and U+FFFD for those of rows without any.
    static func replacingPlaceholders(in text: String) -> String {
        guard text.unicodeScalars.contains(where: { placeholders.contains($0.value) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard placeholders.contains(scalar.value) else {
                result.append(scalar)
                continue
            }
            let cell = Int(scalar.value - placeholders.lowerBound) - firstRow * rowLength
            result.append(characters.indices.contains(cell) ? characters[cell] : "\u{FFFD}")
        }
        return String(result)
    }

    /// By cell; made on first use.
    private static let characters: [Unicode.Scalar] = (0..<4 * rowLength).map { cell in
        let pointer = (84 + firstRow) * rowLength + cell
        // The pair of bytes in Shift_JIS (WHATWG Encoding, "Shift_JIS encoder").
        let (lead, trail) = (pointer / 188, pointer % 188)
        let pair = [
            UInt8(lead + (lead < 0x1F ? 0x81 : 0xC1)), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41)),
        ]
        let text = unsafe pair.withUnsafeBytes { unsafe CharacterConverter(from: "CP932")?.convert($0) }
        guard let scalars = text?.unicodeScalars, scalars.count == 1, let character = scalars.first else {
            return "\u{FFFD}"
        }
        return character
    }
}
