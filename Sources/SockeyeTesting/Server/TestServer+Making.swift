import HTTPTypes
import SockeyeHTTP

extension TestServer {
    /// Starts a server whose handler returns each response.
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
    ///   - address: Where to listen; by default 127.0.0.1 and a port of the system's choice.
    ///   - tls: How to speak TLS; by default not at all.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request. What it throws is answered with 500 and noted as a failure, unless it is
    ///     that the client went away.
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

    /// Starts a server whose handler answers step by step; otherwise like ``init(on:tls:options:handler:)``.
    ///
    /// - Parameters:
    ///   - address: Where to listen; by default 127.0.0.1 and a port of the system's choice.
    ///   - tls: How to speak TLS; by default not at all.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request with a ``TestResponder``, which it must bring to an end.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public convenience init(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest, TestResponder) async throws -> Void
    ) throws {
        try self.init(on: address, tls, ServerContext(options: options, handler: handler))
    }
}

extension TestRequest {
    /// The values of a pattern's `{name}`s, decoded; nil when the request does not match.
    public func parameters(in pattern: RequestPattern) -> [String: String]? { pattern.parameters(of: facts) }

    /// Whether a request matches; for `case "GET /users/*":` in a `switch`.
    public static func ~= (pattern: RequestPattern, request: TestRequest) -> Bool {
        request.parameters(in: pattern) != nil
    }

    private var facts: RequestFacts {
        let host = self[.host].flatMap { try? HTTPURL("\(tls == nil ? "http" : "https")://\($0)/") }
        return RequestFacts(method: method, origin: host?.origin, path: path, query: query, headers: headers)
    }
}
