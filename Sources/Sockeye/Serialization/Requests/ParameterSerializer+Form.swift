import SockeyeCore
package import SockeyeEngine
public import SockeyeSerialization

/// Parameters as a form, `a=b&c=d`.
package struct FormFormat: ParameterFormat {
    /// The style of the form; nil for the style of the serializer's options.
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
    /// The character encodings of a form. AFNetworking's counterpart is `stringEncoding`.
    @nonexhaustive public enum Charset: String, Sendable, Hashable {
        /// UTF-8.
        case utf8 = "utf-8"
        /// ISO 8859-1.
        case isoLatin1 = "iso-8859-1"
        /// UTF-16, big-endian, with a byte order mark.
        case utf16 = "utf-16"

        func body(of text: String) throws -> OutgoingRequest.Body {
            switch self {
            case .utf8: return .string(text)
            case .utf16:
                return .bytes([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
            case .isoLatin1:
                // Fails only with a custom style, because the library's own styles write only ASCII.
                return .bytes(
                    try text.unicodeScalars.map { scalar in
                        guard let byte = UInt8(exactly: scalar.value) else {
                            throw EncodingError.invalidValue(
                                text,
                                .init(
                                    codingPath: [],
                                    debugDescription: "the form contains a character that ISO 8859-1 does not have"))
                        }
                        return byte
                    })
            }
        }
    }

    /// The serializer of all calls that do not choose one. It is shared, because each new one would allocate an
    /// existential box for its format.
    static let standardForm = ParameterSerializer(FormFormat())

    var isForm: Bool { format is FormFormat }
}

extension RequestSerializer where Self == ParameterSerializer {
    /// Puts parameters into the URL for GET, HEAD and DELETE, and into a form (`application/x-www-form-urlencoded`) for
    /// all other methods.
    ///
    /// The counterpart of `AFHTTPRequestSerializer`.
    public static var form: Self { .standardForm }

    /// Like `.form`, with another style for the query and the form.
    public static func form(_ style: RequestParameters.Style) -> Self {
        .form(options: ParameterSerializer.Options(queryStyle: style))
    }

    /// Like `.form`, with other settings.
    ///
    /// - Parameters:
    ///   - options: The placement of the parameters, and further fields and options of the requests.
    ///   - style: The style of the form. Default nil: the query style of `options`.
    ///   - charset: The character encoding of the form. Default UTF-8. The library's own styles write only ASCII,
    ///     because they percent-encode the UTF-8 bytes of all other characters. With these styles, ISO 8859-1 changes
    ///     only the Content-Type field, and UTF-16 also changes the bytes.
    public static func form(
        options: ParameterSerializer.Options = ParameterSerializer.Options(),
        style: RequestParameters.Style? = nil, charset: ParameterSerializer.Charset = .utf8
    ) -> Self {
        ParameterSerializer(FormFormat(style: style, charset: charset), options: options)
    }

    /// Puts parameters into the URL, whatever the method is.
    public static var query: Self { .form(options: ParameterSerializer.Options(placement: .uri)) }
}
