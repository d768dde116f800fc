import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Writes parameters as `a=b&c=d`, into the URL or as a form. The counterpart of `AFHTTPRequestSerializer`.
///
/// Where parameters go into the body, it is `application/x-www-form-urlencoded`, empty if there are none.
public struct HTTPRequestSerializer: BodyRequestSerializer {
    /// What goes into the URL instead, and what else the requests get.
    public var settings: RequestSettings
    /// The style of the form; nil, the default, for that of the settings.
    public var formStyle: RequestParameters.Style?
    /// The encoding of the form's text, AFNetworking's `stringEncoding`. Default UTF-8. What is percent-encoded stands
    /// for UTF-8 in any case, so that only an encoding that is no superset of ASCII, such as UTF-16, makes a difference.
    public var charset: Charset

    /// Makes a serializer.
    public init(
        settings: RequestSettings = RequestSettings(), formStyle: RequestParameters.Style? = nil,
        charset: Charset = .utf8
    ) {
        self.settings = settings
        self.formStyle = formStyle
        self.charset = charset
    }

    /// `application/x-www-form-urlencoded`, with the charset unless that is UTF-8.
    public var contentType: String {
        "application/x-www-form-urlencoded" + (charset == .utf8 ? "" : "; charset=\(charset.rawValue)")
    }

    /// The form.
    public func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
        try charset.body(of: (formStyle ?? settings.queryStyle).encode(parameters))
    }

    /// The encodings that the text of a form can have.
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
}

extension RequestSerializer where Self == HTTPRequestSerializer {
    /// The URL for GET, HEAD and DELETE, a form for all others; see ``HTTPRequestSerializer``.
    public static var form: Self { HTTPRequestSerializer() }

    /// The same, in another style.
    public static func form(_ style: RequestParameters.Style) -> Self {
        HTTPRequestSerializer(settings: RequestSettings(queryStyle: style))
    }

    /// The URL for every method; see ``HTTPRequestSerializer``.
    public static var query: Self { HTTPRequestSerializer(settings: RequestSettings(placement: .uri)) }
}
