/// A parameter value with charset and language (RFC 8187 3.2): `UTF-8'en'%E2%82%AC%20rates`.
enum ExtendedValue {
    /// Nil for what is malformed, for bytes that are not of the charset, and for charsets other than UTF-8 and ISO-8859-1.
    static func decode(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.decodeStrictly(parts[2]) else { return nil }
        switch String(Substring(parts[0])).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        // One character for each byte, controls included; WHATWG's windows-1252 would read other ones for some.
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
