public import SockeyeEssentials
import SockeyeSerialization

/// Reads `Decodable` values from JSON.
///
/// Accepts AFNetworking's types `application/json`, `text/json` and `text/javascript`, and application types that end
/// in `+json` (RFC 6839 3.1), such as `application/problem+json`.
public struct JSONResponseDecoder: ResponseDecoder {
    package let decoder: JSONDecoder

    /// Creates a decoder.
    ///
    /// - Parameter decoder: A decoder with the strategies for dates, keys and so on; nil for the defaults. Do not
    ///   change its properties after this call.
    public init(_ decoder: JSONDecoder? = nil) {
        self.decoder = decoder ?? Self.plain
    }

    /// Shared by all calls without a decoder: creating one costs more than decoding a small body.
    private static let plain = JSONDecoder()

    /// The media types that count as JSON.
    public static let contentTypes = ["application/json", "text/json", "text/javascript", "application/*+json"]

    static let handling = BodyHandling(
        validation: IncomingResponse.Validation(contentTypes: contentTypes),
        emptyBody: BodyHandling.EmptyBodyPolicy(countsLoneSpace: true))

    /// `application/json`.
    public var accept: String? { "application/json" }

    /// Accepts JSON types. An empty body and a single space count as no value.
    public var handling: BodyHandling { Self.handling }

    /// Decodes a value.
    ///
    /// If a key occurs twice in an object, the first value counts, as in Foundation's `JSONDecoder`. Arrays and
    /// objects may be nested 500 levels deep. On a thread with little stack the limit is one level per 2 KiB of free
    /// stack, but at least 32 levels. A `JSONValue` keeps the order of members and all digits if the decoder has
    /// default options.
    ///
    /// - Throws: The errors of the decoder. A check before decoding throws `DecodingError.dataCorrupted`, with a
    ///   ``JSONError`` as the underlying error, for deeper nesting and for text that is not JSON (RFC 8259). The check
    ///   covers the whole text, even parts that the type does not read, because some malformed texts crash
    ///   `JSONDecoder`. With `allowsJSON5` it checks only the nesting and leaves the syntax to `JSONDecoder`.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
        try body.withData { try decoder.decode(type, checking: $0) }
    }

    /// The line, the column, and up to 80 bytes on either side of the fault; nil unless the error is a `DecodingError`.
    public func excerpt(of body: Bytes, for error: any Error) -> String? {
        (error as? DecodingError).map { JSONError.Excerpt(body, for: $0).description }
    }
}

extension ResponseDecoder where Self == JSONResponseDecoder {
    /// The JSON decoder with default strategies.
    public static var json: Self { JSONResponseDecoder() }

    /// The JSON decoder with the strategies of a Foundation decoder.
    public static func json(_ decoder: JSONDecoder) -> Self { JSONResponseDecoder(decoder) }
}

extension ResponseSerializer {
    /// A `Decodable` value from JSON. The counterpart of `AFJSONResponseSerializer`. For JSON of any shape use the
    /// property `json`, which gives a `JSONValue`.
    ///
    /// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``. An empty body or a single space gives nil
    /// for an optional type, and `emptyBody` for any other ``NoContent/Representable`` type. For all other types it is
    /// an error.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The strategies for dates, keys and so on; nil for the defaults.
    public static func json<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self, decoder: JSONDecoder? = nil
    ) -> Self where Self == BodySerializer<Decoded> {
        BodySerializer(decoder: JSONResponseDecoder(decoder))
    }
}

extension Bytes {
    /// Calls `body` with `Data` over the same memory, without a copy.
    ///
    /// For decoders only: a change of the `Data` would be made in place, in memory that other `Bytes` may share.
    func withData<Result>(_ body: (Data) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return try body(Data()) }
            // The closure holds `self`, so the memory lives as long as the data is referenced.
            let data = unsafe Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
            return try body(data)
        }
    }
}
