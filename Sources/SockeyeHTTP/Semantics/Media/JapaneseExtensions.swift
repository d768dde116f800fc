import SockeyePlatform

/// The characters of NEC and IBM in rows 89 to 92 of JIS X 0208 (WHATWG Encoding, index jis0208).
///
/// The C library's converter for EUC-JP treats rows 85 to 94 as user-defined and returns Private Use Area characters
/// for them. Its converter for Shift_JIS knows the characters; their byte pairs follow from those of EUC-JP.
///
/// The EUC-JP converter also decodes the broken bar of JIS X 0212 (0x8F 0xA2 0xC3) as the fullwidth U+FFE4 instead of
/// U+00A6 (index jis0212).
enum JapaneseExtensions {
    /// The number of characters per row.
    private static let rowLength = 94
    /// The converter's output for rows 85 to 94, cell by cell: those of JIS X 0208, then those of JIS X 0212.
    private static let placeholders: Range<UInt32> = 0xE000..<0xE000 + 20 * 94
    /// U+FFE4. The standard has it only in row 92, for which the converter returns a placeholder. In the converter's
    /// output U+FFE4 therefore always stands for the broken bar.
    private static let fullwidthBrokenBar: Unicode.Scalar = "\u{FFE4}"
    /// The first row with these characters, row 89, counted from row 85.
    private static let firstRow = 4

    /// Returns the text with the standard's characters in place of the placeholders, and U+FFFD for cells without a
    /// character.
    static func replacingPlaceholders(in text: String) -> String {
        let differs: (Unicode.Scalar) -> Bool = { placeholders.contains($0.value) || $0 == fullwidthBrokenBar }
        guard text.unicodeScalars.contains(where: differs) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard differs(scalar) else {
                result.append(scalar)
                continue
            }
            guard scalar != fullwidthBrokenBar else {
                result.append("\u{A6}")
                continue
            }
            let cell = Int(scalar.value - placeholders.lowerBound) - firstRow * rowLength
            result.append(characters.indices.contains(cell) ? characters[cell] : "\u{FFFD}")
        }
        return String(result)
    }

    /// The characters by cell, made on first use.
    private static let characters: [Unicode.Scalar] = (0..<4 * rowLength).map { cell in
        let pointer = (84 + firstRow) * rowLength + cell
        // The byte pair in Shift_JIS (WHATWG Encoding, "Shift_JIS encoder").
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
