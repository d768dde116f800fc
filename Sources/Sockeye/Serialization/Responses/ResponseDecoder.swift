public import SockeyeEngine

/// A format that `Decodable` values are read from: what a scope decodes with unless a call says otherwise.
///
/// ``JSONResponseDecoder`` and `PropertyListResponseDecoder` are given; a format of one's own takes ten lines:
///
/// ```swift
/// struct MessagePackResponseDecoder: ResponseDecoder {
///     var accept: String? { "application/msgpack" }
///     var handling: BodyHandling { BodyHandling(contentTypes: ["application/msgpack"]) }
///
///     func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
///         try MessagePackDecoder().decode(type, from: Data(body))
///     }
/// }
///
/// let api = client.scoped(baseURL: url, decoder: MessagePackResponseDecoder())
/// let user = try await api.get("users/1", as: User.self)
/// ```
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol ResponseDecoder: Sendable {
    /// What the request says in Accept unless it has that field; nil for nothing.
    var accept: String? { get }

    /// Which responses are accepted, up to which size.
    var handling: BodyHandling { get }

    /// Reads a value from a body that is not empty.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value

    /// What stands where decoding failed, for ``SockeyeError/DecodingDetails/excerpt``; nil if that cannot be told.
    /// Default nil.
    func excerpt(of body: Bytes, for error: any Error) -> String?
}

extension ResponseDecoder {
    /// Nothing.
    public func excerpt(of body: Bytes, for error: any Error) -> String? { nil }
}

/// Decodes a `Decodable` value in some format; see ``JSONResponseSerializer`` and `PropertyListResponseSerializer`.
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
