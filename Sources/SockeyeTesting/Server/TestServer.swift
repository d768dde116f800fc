import SockeyeCore
public import SockeyeNet
import Synchronization

/// An HTTP/1.1 server inside the test process that answers with a closure.
///
/// ```swift
/// let server = try await TestServer.start { request in
///     switch (request.method, request.path) {
///     case (.get, "/users/1"): .json(["name": "Ada"])
///     case (.post, "/users"): .text(try await request.text(), status: 201)
///     default: .status(404)
///     }
/// }
/// let user = try await client.get(server.url("/users/1"), as: User.self)
/// try server.checkForFailures()
/// ```
///
/// The server is strict: a request head that a client must not send is answered with 400 and recorded as a failure,
/// even where RFC 9112 lets servers be lenient. Malformed content makes the handler's read throw. Handlers run on the
/// server's single thread, so a handler must suspend rather than block. Stopping the server, or releasing the last
/// reference, cancels its handlers and closes its connections.
public final class TestServer: Sendable {
    /// The TLS settings of a server.
    public typealias TLS = TestTLS

    let acceptor: Acceptor
    private let context: ServerContext
    private let task: Task<Void, Never>

    init(on address: ListenAddress, _ tls: TestTLS?, _ context: ServerContext) throws {
        self.context = context
        let activity = ConditionVariable(TestServerActivity())
        acceptor = try Acceptor(on: address, tls: tls, activity: activity) { connection in
            await ServerConnection(connection: connection, context: context, activity: activity).run()
        }
        task = acceptor.start()
    }

    deinit {
        task.cancel()
    }

    /// Starts a server with a handler that returns each response.
    ///
    /// - Parameters:
    ///   - address: The address to listen on. Default: 127.0.0.1 and a port that the kernel chooses.
    ///   - tls: The TLS settings. Default nil: plain HTTP.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request. An error it throws is answered with 500 and recorded as a failure, unless
    ///     the client has disconnected.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest) async throws -> TestServerResponse
    ) async throws -> TestServer {
        try await start(on: address, tls: tls, options: options) { request, responder in
            try await responder.send(try await handler(request))
        }
    }

    /// Starts a server with a handler that answers step by step.
    ///
    /// - Parameters:
    ///   - address: The address to listen on. Default: 127.0.0.1 and a port that the kernel chooses.
    ///   - tls: The TLS settings. Default nil: plain HTTP.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request with a ``TestResponder``, with which it must end the exchange.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest, TestResponder) async throws -> Void
    ) async throws -> TestServer {
        try TestServer(on: address, tls, ServerContext(options: options, handler: handler))
    }

    /// Stops accepting, cancels the handlers, closes all connections, and returns when this is done.
    public func stop() async {
        task.cancel()
        await task.value
    }

    // MARK: Address

    /// The address that the server listens on, with the actual port.
    public var address: EndpointAddress { acceptor.address }

    /// The port; 0 for a unix-domain socket.
    public var port: Int { address.port ?? 0 }

    /// Returns the URL of a path on this server, such as `http://127.0.0.1:40123/users`.
    ///
    /// - Parameters:
    ///   - path: The path, with a query if it has one. Default `/`.
    ///   - host: A name to use instead of the address, such as `localhost`, or any name that the client is configured
    ///     to resolve to this server. With a unix-domain socket the default is `localhost`, and the client also needs
    ///     the socket's path.
    public func url(_ path: String = "/", host: String? = nil) -> String {
        acceptor.url(path, host: host)
    }

    // MARK: Activity and failures

    /// The counters of the server's activity so far.
    public var activity: TestServerActivity { acceptor.activity.value }

    /// Suspends until `condition` holds for the server's activity, for instance `$0.openConnections == 0`.
    ///
    /// - Parameters:
    ///   - timeout: The longest time to wait. Default 30 s.
    ///   - condition: Evaluated now and after every change.
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(30), until condition: @Sendable (TestServerActivity) -> Bool
    ) async throws -> TestServerActivity {
        try await acceptor.activity.wait(for: "the test server's activity", timeout: timeout, until: condition)
    }

    /// The malformed requests and the errors of handlers, in the order in which they happened.
    public var failures: [TestServerFailure] { context.failures.withLock { $0 } }

    /// Returns and removes the failures so far, for tests that expect failures.
    public func takeFailures() -> [TestServerFailure] {
        context.failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
    }

    /// Throws ``TestServerFailures`` if a handler failed or a client sent a malformed request.
    public func checkForFailures() throws {
        let failures = failures
        if !failures.isEmpty { throw TestServerFailures(failures: failures, testError: nil) }
    }
}
