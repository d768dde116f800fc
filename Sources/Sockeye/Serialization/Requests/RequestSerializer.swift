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
/// Those of the library, and most others, are a ``BodyRequestSerializer``. A serializer is a value, used by any number of
/// requests at once.
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol RequestSerializer: Sendable {
    /// How parameters of the URL are written, those of `query:` arguments included. Default ``RequestParameters/Style/standard``.
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
    /// AFNetworking's.
    public var queryStyle: RequestParameters.Style { .standard }
}

/// A ``RequestSerializer`` that puts the parameters of most methods into the body, and of the others into the URL.
///
/// One's own takes ten lines:
///
/// ```swift
/// struct LinesRequestSerializer: BodyRequestSerializer {
///     var settings = RequestSettings()
///     var contentType: String { "text/x-lines" }
///
///     func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
///         .string(try settings.queryStyle.encode(parameters).split(separator: "&").joined(separator: "\n"))
///     }
/// }
/// ```
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol BodyRequestSerializer: RequestSerializer {
    /// What goes into the URL instead, and what else the requests get.
    var settings: RequestSettings { get set }

    /// What Content-Type says, unless the request has that field.
    var contentType: String { get }

    /// The content. Empty parameters are parameters, too: an empty form is a valid one, and an empty object is JSON.
    func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body
}

extension BodyRequestSerializer {
    /// That of the settings.
    public var queryStyle: RequestParameters.Style { settings.queryStyle }

    /// Fills the request with what the settings have and it has not, and puts the parameters where the settings want
    /// them.
    public func serialize(_ parameters: RequestParameters, into request: OutgoingRequest) throws -> OutgoingRequest {
        var request = settings.filling(request)
        if settings.placement.isURI(for: request.method) {
            request.url = try request.url.appending(parameters, style: settings.queryStyle)
            return request
        }
        request.body = try body(of: parameters)
        if !request.headers.contains(.contentType) { request.headers[.contentType] = contentType }
        return request
    }
}
