public import SockeyeEngine
public import SockeyeSerialization

/// Puts the parameters of most methods into the body, in some format, and those of GET, HEAD and DELETE into the URL.
///
/// `.form`, `.query`, `.json` and SockeyePropertyLists' `.propertyList` are such serializers, the counterparts of
/// `AFHTTPRequestSerializer`, `AFJSONRequestSerializer` and `AFPropertyListRequestSerializer`. A format of your own is a
/// closure:
///
/// ```swift
/// extension RequestSerializer where Self == ParameterSerializer {
///     static var lines: Self {
///         ParameterSerializer(contentType: "text/x-lines") { parameters in
///             .string(try RequestParameters.Style.standard.encode(parameters).replacing("&", with: "\n"))
///         }
///     }
/// }
/// ```
public struct ParameterSerializer: RequestSerializer {
    /// Which parameters go into the URL, how they are written there, and further fields and options of the requests.
    public var options: Options
    package let format: any ParameterFormat

    /// Makes a serializer of a closure.
    ///
    /// - Parameters:
    ///   - contentType: The Content-Type field of requests that have none.
    ///   - options: Which parameters go into the URL, and further fields and options. Default: those of GET, HEAD and DELETE.
    ///   - makeBody: Makes the content. It gets empty parameters, too: an empty form is a valid one, and an empty object is
    ///     JSON. Whatever it throws ends the call, with ``SockeyeError/Code-swift.struct/encodingFailed`` unless it is a
    ///     ``SockeyeError``.
    public init(
        contentType: String, options: Options = Options(),
        _ makeBody: @escaping @Sendable (RequestParameters) throws -> OutgoingRequest.Body
    ) {
        self.init(ClosureFormat(contentType: contentType, makeBody: makeBody), options: options)
    }

    package init(_ format: any ParameterFormat, options: Options = Options()) {
        self.format = format
        self.options = options
    }

    /// The Content-Type field of requests that have none.
    public var contentType: String { format.contentType }

    /// The style of the options.
    public var queryStyle: RequestParameters.Style { options.queryStyle }

    /// Adds the fields and request options of ``options`` that the request lacks, and puts the parameters where the options want
    /// them.
    public func serialize(_ parameters: RequestParameters, into request: OutgoingRequest) throws -> OutgoingRequest {
        var request = options.filling(request)
        if options.placement.isURI(for: request.method) {
            request.url = try request.url.appending(parameters, style: options.queryStyle)
            return request
        }
        request.body = try body(of: parameters)
        if !request.headers.contains(.contentType) { request.headers[.contentType] = contentType }
        return request
    }

    /// The content.
    func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
        try format.body(of: parameters, style: options.queryStyle)
    }
}

/// The format of a ``ParameterSerializer``: makes the content of parameters.
package protocol ParameterFormat: Sendable {
    var contentType: String { get }

    /// - Parameter style: The style of the query, for forms without a style of their own.
    func body(of parameters: RequestParameters, style: RequestParameters.Style) throws -> OutgoingRequest.Body
}

/// The format of a caller's closure.
private struct ClosureFormat: ParameterFormat {
    let contentType: String
    let makeBody: @Sendable (RequestParameters) throws -> OutgoingRequest.Body

    func body(of parameters: RequestParameters, style _: RequestParameters.Style) throws -> OutgoingRequest.Body {
        try makeBody(parameters)
    }
}
