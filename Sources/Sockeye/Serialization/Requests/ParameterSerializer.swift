public import SockeyeEngine
public import SockeyeSerialization

/// Puts parameters into the URL, or into a body of some format. By default, into the URL for GET, HEAD and DELETE, and
/// into the body for other methods.
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
    /// The placement and style of parameters in the URL, and further fields and options of the requests.
    public var options: Options
    package let format: any ParameterFormat

    /// Creates a serializer from a closure.
    ///
    /// - Parameters:
    ///   - contentType: The Content-Type field for requests that have none.
    ///   - options: The placement and style of the parameters, and further fields and options. Default: in the URL for
    ///     GET, HEAD and DELETE.
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

    /// Adds the fields and options that the request lacks, and puts the parameters into the URL or the body, as
    /// ``options`` say.
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

    /// Makes the content.
    func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
        try format.body(of: parameters, style: options.queryStyle)
    }
}

/// The format of a ``ParameterSerializer``: converts parameters to content.
package protocol ParameterFormat: Sendable {
    var contentType: String { get }

    /// - Parameter style: The style of the query; used by forms without a style of their own.
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
