extension JSONNumber {
    /// Reads a number; nil unless `text` is one as RFC 8259, 6 has it, nothing before or behind it.
    public init?(_ text: some StringProtocol) {
        var utf8 = String(text)
        let number: JSONNumber? = utf8.withUTF8 { buffer in
            var parser = unsafe JSONParser(buffer.span, options: JSONReadingOptions())
            guard let number = try? parser.number(), parser.isAtEnd else { return nil }
            return number
        }
        guard let number else { return nil }
        self = number
    }
}
