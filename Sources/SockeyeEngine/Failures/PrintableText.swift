extension String {
    /// The text with control characters written as `\u{1B}`. Bytes of a peer or a file can then neither end a line of a
    /// log nor reach a terminal.
    package var printable: String {
        // C1 controls are C2 80 to C2 9F in UTF-8.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            text += isControl ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }
        return text
    }
}
