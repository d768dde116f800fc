public import SockeyeEngine
public import SockeyeSerialization

/// Puts parameters into a request. The counterpart of AFNetworking's `AFURLRequestSerialization`.
///
/// A scope (a client made with `scoped`) uses its serializer for calls with `.parameters` as their content:
///
/// ```swift
/// let api = client.scoped(
///     baseURL: "https://api.example.com/", requestSerializer: .json)
/// try await api.post(
///     "items", .parameters(["name": "coast", "tags": ["a", "b"]]))
/// ```
///
/// The serializers of the library are values of the type ``ParameterSerializer``. Most custom serializers can be such
/// values too, made from a closure. Many requests may use a serializer concurrently.
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol RequestSerializer: Sendable {
    /// The style of parameters in the URL, including those of `query:` arguments. Content that is given as `.form(…)`
    /// has the same style, unless this serializer is a ``ParameterSerializer`` for forms that was made with another
    /// style for bodies. Default ``RequestParameters/Style/standard``.
    var queryStyle: RequestParameters.Style { get }

    /// Returns the request with the parameters in its query or body, and with the header fields that describe the body.
    ///
    /// Must not override a header field of the request.
    ///
    /// - Throws: A ``SockeyeError`` is passed to the caller as it is. Any other error becomes the
    ///   ``SockeyeError/underlying`` error of a ``SockeyeError/Code-swift.struct/encodingFailed``.
    func serialize(_ parameters: RequestParameters, into request: OutgoingRequest) throws -> OutgoingRequest
}

extension RequestSerializer {
    /// The standard style.
    public var queryStyle: RequestParameters.Style { .standard }
}
