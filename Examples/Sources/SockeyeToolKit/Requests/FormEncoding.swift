/// Percent-encoding for queries and forms: encodes all but the unreserved characters (RFC 3986 2.3).
package enum FormEncoding {
    /// - Parameter spaces: The text for a space: `%20`, or `+` as in forms.
    package static func encoded(_ text: String, spaces: String = "%20") -> String {
        encoded(Array(text.utf8), spaces: spaces)
    }

    /// Percent-encodes only the bytes beyond ASCII, for text that is encoded already.
    package static func ascii(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { $0 < 0x80 ? [$0] : Array(encoded([$0]).utf8) }, as: UTF8.self)
    }

    package static func encoded(_ bytes: [UInt8], spaces: String = "%20") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                output.append(byte)
            case UInt8(ascii: " "): output += Array(spaces.utf8)
            default: output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
