import HTTPTypes
import SockeyeHTTP

extension TestServer {
    /// Starts a server with a handler that returns each response.
    ///
    /// ```swift
    /// let server = try TestServer { request in
    ///     switch request {
    ///     case "GET /users/1": .json(["name": "Ada", "admin": true])
    ///     case "POST /users": .text(try await request.text(), status: .created)
    ///     default: .status(.notFound)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - address: The address to listen on. Default: 127.0.0.1 and a port that the kernel chooses.
    ///   - tls: The TLS settings. Default nil: plain HTTP.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request. An error it throws is answered with 500 and recorded as a failure, unless
    ///     the client has disconnected.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public convenience init(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest) async throws -> TestServerResponse
    ) throws {
        let context = ServerContext(options: options) { request, responder in
            try await responder.send(try await handler(request))
        }
        try self.init(on: address, tls, context)
    }

    /// Starts a server with a handler that answers step by step; otherwise like ``init(on:tls:options:handler:)``.
    ///
    /// - Parameters:
    ///   - address: The address to listen on. Default: 127.0.0.1 and a port that the kernel chooses.
    ///   - tls: The TLS settings. Default nil: plain HTTP.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request with a ``TestResponder``. The handler must use the responder to end the
    ///     exchange.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public convenience init(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest, TestResponder) async throws -> Void
    ) throws {
        try self.init(on: address, tls, ServerContext(options: options, handler: handler))
    }
}

extension TestRequest {
    /// Returns the decoded values of a pattern's `{name}` variables; nil if the request does not match.
    public func parameters(in pattern: RequestPattern) -> [String: String]? { pattern.parameters(of: facts) }

    /// Returns true if a request matches a pattern; for `case "GET /users/*":` in a `switch`.
    public static func ~= (pattern: RequestPattern, request: TestRequest) -> Bool {
        request.parameters(in: pattern) != nil
    }

    private var facts: RequestFacts {
        let host = self[.host].flatMap { try? HTTPURL("\(tls == nil ? "http" : "https")://\($0)/") }
        return RequestFacts(method: method, origin: host?.origin, path: path, query: query, headers: headers)
    }
}
