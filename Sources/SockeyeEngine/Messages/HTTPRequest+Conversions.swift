public import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP

// Conversions between the messages of swift-http-types and those of this library. `Headers(fields)` and
// `HTTPFields(headers)` convert the fields alone.

extension OutgoingRequest {
    /// Makes a request from one of swift-http-types.
    ///
    /// The URL consists of the scheme, the authority and the path of `request`. The path includes the query; a missing
    /// path becomes `/`. The fields keep their order and repetitions. The protocol of an extended CONNECT (RFC 8441) is
    /// left out.
    ///
    /// - Parameters:
    ///   - request: The method, the URL and the fields.
    ///   - body: The content. Default: none.
    ///   - options: The settings that replace those of the client for this call. Default: none.
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL`` if the scheme or the authority is missing, if the scheme
    ///   is neither http nor https, or if the authority is not just a host with an optional port. The same error is
    ///   thrown if the path does not begin with `/`, or if the parts do not form a valid URL.
    public init(
        _ request: HTTPRequest, body: OutgoingRequest.Body = .none,
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) throws(SockeyeError) {
        let url = try HTTPURL(of: request)
        self.init(
            method: request.method, url: url, headers: Headers(request.headerFields), body: body, options: options)
    }
}

extension HTTPRequest {
    /// Makes a request of swift-http-types: method, URL and fields, with their order and repetitions.
    ///
    /// The content, the options, and the user name and password of the URL are lost. Fields with invalid names are
    /// omitted, and control bytes in values become blanks, as in `HTTPFields(headers)`.
    public init(_ request: OutgoingRequest) {
        self.init(
            method: request.method, scheme: request.url.scheme.rawValue, authority: request.url.authority,
            path: String(Substring(request.url.target)), headerFields: HTTPFields(request.headers))
    }
}

extension HTTPResponse {
    /// Makes a response of swift-http-types: the status with its registered reason phrase, and the fields, with their
    /// order and repetitions.
    ///
    /// The content stays in ``IncomingResponse/body``. Keep the body or the ``IncomingResponse``: if both are released
    /// before the content is read, the content is lost.
    public init(_ response: IncomingResponse) {
        self.init(status: response.status, headerFields: HTTPFields(response.headers))
    }
}

extension IncomingResponse {
    /// Makes a response from one of swift-http-types; for transports of your own and for tests.
    public init(_ response: HTTPResponse, body: Bytes = Bytes(), url: HTTPURL) {
        self.init(status: response.status, headers: Headers(response.headerFields), body: body, url: url)
    }
}

extension HTTPURL {
    /// Joins the parts of a request's URL. Each part is checked first, because the parser could find other boundaries
    /// in the joined text: `https://a.example` with the path `@b.example/` would lead to another host.
    fileprivate init(of request: HTTPRequest) throws(SockeyeError) {
        let scheme = request.scheme.flatMap { Scheme(rawValue: $0.lowercased()) }
        guard let scheme else { throw .invalidURL("the scheme of the request is missing or neither http nor https") }
        let authority = request.authority ?? ""
        guard !authority.isEmpty else { throw .invalidURL("the request has no authority") }
        guard !authority.utf8.contains(where: { "/\\?#@".utf8.contains($0) }) else {
            throw .invalidURL("the authority of the request is not just a host with an optional port")
        }
        let path = request.path ?? "/"
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .invalidURL("the path of the request does not begin with a slash")
        }
        try self.init(checking: "\(scheme)://\(authority)\(path)")
    }
}

extension SockeyeError {
    fileprivate static func invalidURL(_ message: String) -> SockeyeError {
        SockeyeError(Fields(.invalidURL, phase: .prepare, blame: .caller, message: message))
    }
}
