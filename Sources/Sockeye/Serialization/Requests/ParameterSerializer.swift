public import SockeyeEngine
public import SockeyeSerialization

/// Puts parameters into the URL or into the body of a request. By default, GET, HEAD and DELETE requests carry them in
/// the URL, and requests with other methods carry them in the body.
///
/// Such serializers are `.form`, `.json` and SockeyePropertyLists' `.propertyList`, the counterparts of
/// `AFHTTPRequestSerializer`, `AFJSONRequestSerializer` and `AFPropertyListRequestSerializer`. Another one is `.query`,
/// which puts parameters into the URL for every method. A closure adds a format of your own:
///
/// ```swift
/// extension RequestSerializer where Self == ParameterSerializer {
///     static var lines: Self {
///         ParameterSerializer(contentType: "text/x-lines") { parameters in
///             .string(
///                 try RequestParameters.Style.standard.encode(parameters)
///                     .replacing("&", with: "\n"))
///         }
///     }
/// }
/// ```
public struct ParameterSerializer: RequestSerializer {
    /// The placement of the parameters, their style in the URL, and default header fields and options for requests.
    public var options: Options
    package let format: any ParameterFormat

    /// Creates a serializer from a closure.
    ///
    /// - Parameters:
    ///   - contentType: The Content-Type field for requests that have none.
    ///   - options: The placement of the parameters, their style in the URL, and default header fields and options for
    ///     requests.
    ///   - makeBody: Makes the content. Also called with empty parameters, since an empty form and an empty JSON object
    ///     are valid. An error that is not a ``SockeyeError`` fails the call with
    ///     ``SockeyeError/Code-swift.struct/encodingFailed``.
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

    /// The Content-Type field for requests that have none.
    public var contentType: String { format.contentType }

    /// The ``Options/queryStyle`` of ``options``.
    public var queryStyle: RequestParameters.Style { options.queryStyle }

    /// Adds the ``Options/headers`` and ``Options/requestOptions`` that the request lacks. Puts the parameters into the
    /// URL or the body; ``Options/placement`` decides by the request's method.
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

    func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
        try format.body(of: parameters, style: options.queryStyle)
    }
}

/// The format of a ``ParameterSerializer``: converts parameters to content.
package protocol ParameterFormat: Sendable {
    var contentType: String { get }

    /// - Parameter style: The style of parameters in the URL. A form without a style of its own uses it for the body,
    ///   too.
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
