public import SockeyeEngine
public import SockeyeSerialization

/// Puts parameters into a request. The counterpart of AFNetworking's `AFURLRequestSerialization`.
///
/// It is asked for calls with `.parameters` as their content, by the scope that it was given to:
///
/// ```swift
/// let api = client.scoped(baseURL: "https://api.example.com/", requestSerializer: .json)
/// try await api.post("items", .parameters(["name": "coast", "tags": ["a", "b"]]))
/// ```
///
/// The library's, and most others, are a ``ParameterSerializer``. A serializer is a value, used by any number of requests at
/// once.
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol RequestSerializer: Sendable {
    /// How parameters of the URL are written, those of `query:` arguments included. Default
    /// ``RequestParameters/Style/standard``.
    var queryStyle: RequestParameters.Style { get }

    /// The request with the parameters in its query or body, and with the fields that say so.
    ///
    /// Must not override a field that the request has.
    ///
    /// - Throws: A ``SockeyeError`` reaches the caller as it is, any other error as the ``SockeyeError/underlying`` of one
    ///   with the code ``SockeyeError/Code-swift.struct/encodingFailed``.
    func serialize(_ parameters: RequestParameters, into request: OutgoingRequest) throws -> OutgoingRequest
}

extension RequestSerializer {
    /// The standard style.
    public var queryStyle: RequestParameters.Style { .standard }
}
