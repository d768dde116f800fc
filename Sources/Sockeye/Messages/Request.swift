public import HTTPTypes
public import SockeyeHTTP1

/// A request as a value: what is asked of which resource, and with what.
public struct Request: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The target URI.
    public var url: HTTPURL
    /// The caller's fields. Content-Length, Transfer-Encoding and Connection are the library's: it sets them from the
    /// body and the options, and drops what stands here.
    public var headers: Headers
    /// The content.
    public var body: RequestBody
    /// What this request sets differently from its client.
    public var options: RequestOptions

    /// Makes a request from its parts.
    public init(
        method: HTTPRequest.Method = .get, url: HTTPURL, headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.options = options
    }

    /// Makes a request from an absolute URL in text.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL``.
    public init(
        method: HTTPRequest.Method = .get, url: String, headers: Headers = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) throws(SockeyeError) {
        self.init(
            method: method, url: try HTTPURL(checking: url), headers: headers, body: body, options: options)
    }
}

extension HTTPURL {
    /// Parses `string`; its fault becomes the library's error.
    package init(checking string: String) throws(SockeyeError) {
        do throws(URLFault) {
            try self.init(string)
        } catch {
            throw SockeyeError(error)
        }
    }
}
