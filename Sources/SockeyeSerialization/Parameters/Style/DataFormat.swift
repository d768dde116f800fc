public import FoundationEssentials

extension ParameterStyle {
    /// How data is written.
    public enum DataFormat: Sendable {
        /// Base64 with padding (RFC 4648, 4).
        case base64
        /// Base64 with `-` and `_` and without padding (RFC 4648, 5).
        case base64URL
        /// Two lower-case digits for each byte.
        case hexadecimal
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Data) throws -> String)
    }
}

extension ParameterStyle.DataFormat: NamedChoice {
    static var named: [Self] { [.base64, .base64URL, .hexadecimal] }

    var name: String? {
        switch self {
        case .base64: "base64"
        case .base64URL: "base64URL"
        case .hexadecimal: "hexadecimal"
        case .custom: nil
        }
    }
}
