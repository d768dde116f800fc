public import HTTPTypes
public import SockeyeHTTP

/// A request as a value: method, URL, fields, content and options.
public struct OutgoingRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method {
        get { parts.method }
        set { change { $0.method = newValue } }
    }

    /// The target URI.
    public var url: HTTPURL {
        get { parts.url }
        set { change { $0.url = newValue } }
    }

    /// The caller's fields. Names and values that are not allowed in HTTP fail the request.
    ///
    /// The library writes the fields of framing and connection itself (RFC 9110 7.6.1), according to the body, the
    /// options and ``HTTPClient/upgrade(_:to:)``. It ignores Content-Length, Transfer-Encoding, Connection, Keep-Alive,
    /// Proxy-Connection, Upgrade, TE and Expect in this property, with two exceptions:
    ///
    /// - `Connection: close`, `Expect: 100-continue` with a body, and `TE: trailers` take effect. With `TE: trailers`,
    ///   `Connection: TE` is sent as well (RFC 9110 10.1.4).
    /// - For a body of unknown length without trailers, Content-Length declares the length, unless this property also
    ///   has Transfer-Encoding. A declared length that is not a number, or a second Content-Length, fails the
    ///   request.
    ///
    /// Proxy-Authorization is sent only to an HTTP proxy. If the proxy forwards the request, the field is sent in the
    /// request itself. Otherwise it is sent in the CONNECT request that opens the tunnel. A request with the method
    /// CONNECT is an exception: its recipient gets the field, and not the proxy on the way there.
    public var headers: Headers {
        get { parts.headers }
        set { change { $0.headers = newValue } }
    }

    /// The content.
    public var body: OutgoingRequest.Body {
        get { parts.body }
        set { change { $0.body = newValue } }
    }

    /// The settings that this request uses instead of the client's.
    public var options: OutgoingRequest.Options {
        get { parts.options }
        set { change { $0.options = newValue } }
    }

    /// Makes a request from its parts.
    public init(
        method: HTTPRequest.Method = .get, url: HTTPURL, headers: Headers = [:], body: OutgoingRequest.Body,
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) {
        parts = Parts(method: method, url: url, headers: headers, body: body, options: options)
    }

    /// Makes a request without content.
    public init(
        method: HTTPRequest.Method = .get, url: HTTPURL, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) {
        parts = Parts(method: method, url: url, headers: headers, options: options)
    }

    /// The parts of a request as a value, for changing several at once.
    package struct Values: Sendable {
        package var method: HTTPRequest.Method
        package var url: HTTPURL
        package var headers: Headers
        package var body: OutgoingRequest.Body
        package var options: OutgoingRequest.Options
    }

    /// The parts of a request, by reference and immutable. A request is passed on many times on its way to the wire and
    /// holds a dozen references. Without this object, each pass would retain all of them.
    package final class Parts: Sendable {
        package let method: HTTPRequest.Method
        package let url: HTTPURL
        package let headers: Headers
        package let body: OutgoingRequest.Body
        package let options: OutgoingRequest.Options
        /// A copy of `options.hasRareOptions`, because reading the options retains every object in them.
        package let hasRareOptions: Bool

        init(
            method: HTTPRequest.Method, url: HTTPURL, headers: Headers, body: OutgoingRequest.Body,
            options: OutgoingRequest.Options
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.options = options
            hasRareOptions = options.hasRareOptions
        }

        /// Creates parts without content. A separate initializer, because an empty body as an argument would be copied
        /// and destroyed.
        init(method: HTTPRequest.Method, url: HTTPURL, headers: Headers, options: OutgoingRequest.Options) {
            self.method = method
            self.url = url
            self.headers = headers
            body = OutgoingRequest.Body(.none, length: 0)
            self.options = options
            hasRareOptions = options.hasRareOptions
        }
    }

    /// The parts, for code of the library, which reads them without a copy.
    package private(set) var parts: Parts

    /// Changes parts. Copy-on-write: other copies of the request are unaffected.
    package mutating func change(_ body: (inout Values) -> Void) {
        var values = Values(
            method: parts.method, url: parts.url, headers: parts.headers, body: parts.body, options: parts.options)
        body(&values)
        parts = Parts(
            method: values.method, url: values.url, headers: values.headers, body: values.body,
            options: values.options)
    }

    /// Makes a request from an absolute URL in text.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL``.
    public init(
        method: HTTPRequest.Method = .get, url: String, headers: Headers = [:], body: OutgoingRequest.Body = .none,
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) throws(SockeyeError) {
        self.init(
            method: method, url: try HTTPURL(checking: url), headers: headers, body: body, options: options)
    }
}

extension HTTPURL {
    /// Parses a URL; throws the parser's fault as a ``SockeyeError``.
    package init(checking string: String) throws(SockeyeError) {
        do throws(HTTPURL.Fault) {
            try self.init(string)
        } catch {
            throw SockeyeError(error)
        }
    }
}
