import COpenSSL

/// The text of a pin: a SHA-256 in one of the forms in which people pass it on.
enum PinDigest {
    /// The digest as `sha256/` and Base64.
    static func parse(_ text: String) throws(TLSOptions.Fault) -> String {
        // The shorter prefix first: Base64 may begin with a slash.
        for prefix in ["", "sha256/", "sha256//"] where text.hasPrefix(prefix) {
            let rest = text.dropFirst(prefix.count)
            if let digest = bytes(hexadecimal: rest) ?? bytes(base64: rest) { return CertificateView.pinText(digest) }
        }
        throw TLSOptions.Fault(
            "'\(text.prefix(100))' is not a pin: 44 characters of Base64 or 64 hexadecimal digits of a SHA-256")
    }

    private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }.map(value(ofDigit:))
        let colons = text.utf8.count - digits.count
        guard digits.count == 64, colons == 0 || colons == 31, !digits.contains(nil) else { return nil }
        return (0..<32).map { (digits[2 * $0] ?? 0) << 4 | (digits[2 * $0 + 1] ?? 0) }
    }

    private static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func bytes(base64 text: Substring) -> [UInt8]? {
        let characters = Array(text.utf8)
        // OpenSSL's decoder skips blanks, and takes bits for nothing that stand in the last character.
        guard characters.count == 44, characters.last == UInt8(ascii: "=") else { return nil }
        var decoded = [UInt8](repeating: 0, count: 33)
        guard unsafe EVP_DecodeBlock(&decoded, characters, 44) == 33 else { return nil }
        let digest = Array(decoded.dropLast())
        return CertificateView.pinText(digest).utf8.dropFirst(7).elementsEqual(characters) ? digest : nil
    }
}

extension TLSOptions {
    /// A setting of TLS that is malformed, told where it is given: a pin, a folder of pinned certificates, a pattern of hosts.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong with which text or file.
        public let description: String

        package init(_ description: String) {
            self.description = description
        }
    }
}
