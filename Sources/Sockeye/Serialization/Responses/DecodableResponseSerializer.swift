public import SockeyeEngine

/// Decodes a `Decodable` value in some format; see ``JSONResponseSerializer`` and ``PropertyListResponseSerializer``.
public struct DecodableResponseSerializer<Value: Decodable, Format: ResponseDecoder>: BodyResponseSerializer {
    /// What reads the format.
    public var decoder: Format
    /// What is done with the body before; by default what the decoder wants.
    public var handling: BodyHandling

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - decoder: What reads the format.
    ///   - handling: What is done with the body before; nil for what the decoder wants.
    public init(decoder: Format, handling: BodyHandling? = nil) {
        self.decoder = decoder
        self.handling = handling ?? decoder.handling
    }

    /// The decoder's.
    public var accept: String? { decoder.accept }

    /// Decodes the value.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> Value {
        do {
            return try decoder.decode(Value.self, from: body)
        } catch {
            throw response.decodingFailure(error, body: body, excerpt: decoder.excerpt(of: body, for: error))
        }
    }
}
