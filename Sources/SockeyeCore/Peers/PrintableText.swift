extension String {
    /// The text in which control characters, separators of lines, and characters that change the direction of text are
    /// written as escapes such as `\u{1B}`. Unescaped text of a peer or a file could end a line of a log, control a
    /// terminal, or look like another text.
    package var printable: String {
        // The bytes with which these characters begin in UTF-8: C2 for C1 controls, D8 for U+061C, E2 for U+200E and
        // above. Other characters may begin with the same bytes, so each scalar is then tested.
        let isCandidate: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }
        guard utf8.contains(where: isCandidate) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text += scalar.steersDisplay ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// True for control characters (C0, DEL, C1), separators of lines and paragraphs, and bidirectional controls
    /// (UAX 9, section 2): a terminal or viewer acts on them instead of showing them.
    package var steersDisplay: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
