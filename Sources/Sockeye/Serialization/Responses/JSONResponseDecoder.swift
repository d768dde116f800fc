public import FoundationEssentials
import SockeyeSerialization

/// Reads `Decodable` values from JSON.
///
/// Accepts AFNetworking's types, `application/json`, `text/json` and `text/javascript`, and those that end in `+json`
/// (RFC 6839 3.1), such as `application/problem+json`.
public struct JSONResponseDecoder: ResponseDecoder {
    package let decoder: JSONDecoder

    /// Makes a decoder.
    ///
    /// - Parameter decoder: Strategies for dates, keys and so on; not to be changed from then on. Nil for the defaults.
    public init(_ decoder: JSONDecoder? = nil) {
        self.decoder = decoder ?? Self.plain
    }

    /// Shared by all calls that bring none, as making one costs more than decoding a small body.
    private static let plain = JSONDecoder()

    /// The media types that are taken for JSON.
    public static let contentTypes = ["application/json", "text/json", "text/javascript", "application/*+json"]

    static let handling = BodyHandling(
        validation: IncomingResponse.Validation(contentTypes: contentTypes),
        emptyBody: BodyHandling.EmptyBodyPolicy(countsLoneSpace: true))

    /// `application/json`.
    public var accept: String? { "application/json" }

    /// JSON types, and an empty body or a lone space for no value.
    public var handling: BodyHandling { Self.handling }

    /// Reads a value.
    ///
    /// Of equal keys in an object the first counts, which is the decoder's choice. Arrays and objects may be nested 500
    /// levels deep, or as deep as this thread has 2 KiB of stack for each: 32 levels on a thread of 128 KiB, at least.
    ///
    /// - Throws: What the decoder throws; `DecodingError.dataCorrupted` with a ``JSONError`` as its cause for deeper nesting
    ///   and for text that is not JSON (RFC 8259), also where the type does not look. `JSONDecoder` by itself ends the
    ///   process on 513 brackets at the end of a text. With `allowsJSON5` the decoder checks the syntax itself.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
        try body.withData { try decoder.decode(type, checking: $0) }
    }

    /// Line, column and up to 80 bytes on either side of the place.
    public func excerpt(of body: Bytes, for error: any Error) -> String? {
        (error as? DecodingError).map { JSONError.Excerpt(body, for: $0).description }
    }
}

extension ResponseDecoder where Self == JSONResponseDecoder {
    /// JSON, with default strategies.
    public static var json: Self { JSONResponseDecoder() }

    /// JSON, with the strategies of a decoder.
    public static func json(_ decoder: JSONDecoder) -> Self { JSONResponseDecoder(decoder) }
}

extension ResponseSerializer {
    /// A `Decodable` value from JSON. The counterpart of `AFJSONResponseSerializer`; for JSON of any shape there is `.json`.
    ///
    /// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``. An empty body and a lone space are no value: nil for
    /// an optional type, an error for another.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - decoder: Strategies for dates, keys and so on; nil for the defaults.
    public static func json<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self, decoder: JSONDecoder? = nil
    ) -> Self where Self == BodySerializer<Decoded> {
        BodySerializer(decoder: JSONResponseDecoder(decoder))
    }
}

extension Bytes {
    /// Calls `body` with `Data` over the same memory, without a copy.
    ///
    /// For reading only: a `Data` that thinks itself the only owner changes its bytes in place, and these are shared. So
    /// it goes to decoders, which read, and never to callers.
    func withData<Result>(_ body: (Data) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return try body(Data()) }
            // The closure holds `self`, so the memory lives for as long as anything refers to the data.
            let data = unsafe Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
            return try body(data)
        }
    }
}
