import SockeyeEngine

/// Decodes response bodies of one format to `Decodable` values. A scope (a client with its own settings) applies its
/// decoder to each of its calls, unless the call sets another decoder.
///
/// The library has ``JSONResponseDecoder`` and `PropertyListResponseDecoder`. A format of your own needs only
/// ``decode(_:from:)``:
///
/// ```swift
/// struct MessagePackResponseDecoder: ResponseDecoder {
///     func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws
///         -> Value
///     {
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
    /// The Accept field of the request, unless the call or the scope sets one; nil for none. Default nil.
    var accept: String? { get }

    /// The accepted responses and their maximum size. Default: 2xx of any type, at most 16 MiB.
    var handling: BodyHandling { get }

    /// Decodes a value. Called with an empty body only if `Value` does not conform to ``NoContent/Representable``.
    ///
    /// - Throws: Any error. The call fails with ``SockeyeError/Code-swift.struct/decodingFailed``, and the message has
    ///   the error's description. For a `DecodingError` the message has only the kind and the place of the error,
    ///   without text of the body.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value

    /// Returns the text around the place of an error, for ``SockeyeError/DecodingDetails/excerpt``. Default nil.
    func excerpt(of body: Bytes, for error: any Error) -> String?
}

extension ResponseDecoder {
    /// Nil.
    public var accept: String? { nil }

    /// The default handling: 2xx of any type, at most 16 MiB.
    public var handling: BodyHandling { BodyHandling() }

    /// Nil.
    public func excerpt(of body: Bytes, for error: any Error) -> String? { nil }
}
