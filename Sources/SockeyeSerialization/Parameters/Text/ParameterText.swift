import FoundationEssentials

/// Scalars as text, before percent-encoding.
enum ParameterText {
    /// The shortest decimal form that is read as the same number; without a fraction when it is whole, as `NSNumber`
    /// has it.
    static func number(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// RFC 4648, 5, without padding.
    static func base64URL(_ data: Data) -> String {
        var text = ""
        for character in data.base64EncodedString().utf8 {
            switch character {
            case UInt8(ascii: "+"): text.append("-")
            case UInt8(ascii: "/"): text.append("_")
            case UInt8(ascii: "="): break
            default: text.unicodeScalars.append(Unicode.Scalar(character))
            }
        }
        return text
    }

    /// Two lower-case digits for each byte.
    static func hexadecimal(_ data: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * data.count)
        for byte in data {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
