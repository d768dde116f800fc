import SockeyeCore
public import SockeyeEngine

/// Reads the body as text, in the charset of a byte order mark, else of Content-Type, else of ``fallbackCharset``.
///
/// Accepts 2xx of any type. Bytes that are not valid in the charset become U+FFFD; a charset that nobody knows is
/// ``SockeyeError/Code-swift.struct/decodingFailed``. The counterpart of AFNetworking 2's `responseString`.
public struct TextResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling
    /// The charset of text that does not say; a label as in Content-Type. Default UTF-8.
    public var fallbackCharset: String

    /// Makes a serializer.
    public init(fallbackCharset: String = "utf-8", handling: BodyHandling = BodyHandling()) {
        self.fallbackCharset = fallbackCharset
        self.handling = handling
    }

    /// Decodes the text.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> String {
        try response.text(of: body, fallbackCharset: fallbackCharset)
    }
}

extension ResponseSerializer where Self == TextResponseSerializer {
    /// The body as text; see ``TextResponseSerializer``.
    public static var text: Self { TextResponseSerializer() }

    /// The body as text, in this charset where it names none itself.
    public static func text(fallbackCharset: String) -> Self {
        TextResponseSerializer(fallbackCharset: fallbackCharset)
    }
}
