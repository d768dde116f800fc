import SockeyeCore
package import SockeyeEngine
public import SockeyeSerialization

/// A form, `a=b&c=d`.
package struct FormFormat: ParameterFormat {
    /// Nil: the style of the options.
    package let style: RequestParameters.Style?
    package let charset: ParameterSerializer.Charset

    package init(style: RequestParameters.Style? = nil, charset: ParameterSerializer.Charset = .utf8) {
        self.style = style
        self.charset = charset
    }

    package var contentType: String {
        "application/x-www-form-urlencoded" + (charset == .utf8 ? "" : "; charset=\(charset.rawValue)")
    }

    package func body(
        of parameters: RequestParameters, style: RequestParameters.Style
    ) throws -> OutgoingRequest.Body {
        try charset.body(of: (self.style ?? style).encode(parameters))
    }
}

extension ParameterSerializer {
    /// The encodings that the text of a form can have, AFNetworking's `stringEncoding`.
    @nonexhaustive public enum Charset: String, Sendable, Hashable {
        /// UTF-8.
        case utf8 = "utf-8"
        /// ISO 8859-1.
        case isoLatin1 = "iso-8859-1"
        /// UTF-16, big-endian behind a byte order mark.
        case utf16 = "utf-16"

        func body(of text: String) throws -> OutgoingRequest.Body {
            switch self {
            case .utf8: return .string(text)
            case .utf16:
                return .bytes([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
            case .isoLatin1:
                // Only a custom style gives anything but ASCII.
                return .bytes(
                    try text.unicodeScalars.map { scalar in
                        guard let byte = UInt8(exactly: scalar.value) else {
                            throw EncodingError.invalidValue(
                                text, .init(codingPath: [], debugDescription: "the form is not in ISO 8859-1"))
                        }
                        return byte
                    })
            }
        }
    }

    /// Shared by all calls that bring none, since the format is kept in a box.
    static let standardForm = ParameterSerializer(FormFormat())

    /// Whether the content is a form.
    var isForm: Bool { format is FormFormat }
}

extension RequestSerializer where Self == ParameterSerializer {
    /// The URL for GET, HEAD and DELETE, a form (`application/x-www-form-urlencoded`) for all others. The counterpart of
    /// `AFHTTPRequestSerializer`.
    public static var form: Self { .standardForm }

    /// The same, in another style.
    public static func form(_ style: RequestParameters.Style) -> Self {
        .form(options: ParameterSerializer.Options(queryStyle: style))
    }

    /// The same with other options.
    ///
    /// - Parameters:
    ///   - options: Which parameters go into the URL instead, and further fields and options of the requests.
    ///   - style: The style of the form; nil, the default, for the style of the options.
    ///   - charset: The encoding of the form's text. Default UTF-8. Percent-encoded text is UTF-8 in any case, so that only an
    ///     encoding that is no superset of ASCII, such as UTF-16, makes a difference.
    public static func form(
        options: ParameterSerializer.Options = ParameterSerializer.Options(),
        style: RequestParameters.Style? = nil, charset: ParameterSerializer.Charset = .utf8
    ) -> Self {
        ParameterSerializer(FormFormat(style: style, charset: charset), options: options)
    }

    /// The URL for every method.
    public static var query: Self { .form(options: ParameterSerializer.Options(placement: .uri)) }
}
