import SockeyeCore
public import SockeyeNet
import Synchronization

/// An HTTP/1.1 server inside the test process, answering with a closure.
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
/// It listens on a port of the system's choice, keeps connections alive and is strict: a request that a careful client
/// would not send is answered with 400 and noted as a failure. It has one thread of its own on which handlers run, so a
/// handler must suspend rather than block. Stopping it, or dropping the last reference, cancels its handlers and closes
/// its connections.
public final class TestServer: Sendable {
    /// How the server speaks TLS.
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

    /// Starts a server whose handler returns each response.
    ///
    /// - Parameters:
    ///   - address: Where to listen; by default 127.0.0.1 and a port of the system's choice.
    ///   - tls: How to speak TLS; by default not at all.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request. What it throws is answered with 500 and noted as a failure, unless it is
    ///     that the client went away.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest) async throws -> TestServerResponse
    ) async throws -> TestServer {
        try await start(on: address, tls: tls, options: options) { request, responder in
            try await responder.send(try await handler(request))
        }
    }

    /// Starts a server whose handler answers step by step.
    ///
    /// - Parameters:
    ///   - address: Where to listen; by default 127.0.0.1 and a port of the system's choice.
    ///   - tls: How to speak TLS; by default not at all.
    ///   - options: See ``TestServerOptions``.
    ///   - handler: Called for each request with a ``TestResponder``, which it must bring to an end.
    /// - Throws: ``TestServerError`` with the code `cannotStart`.
    public static func start(
        on address: ListenAddress = .loopback, tls: TestTLS? = nil, options: TestServerOptions = TestServerOptions(),
        handler: @escaping @Sendable (TestRequest, TestResponder) async throws -> Void
    ) async throws -> TestServer {
        try TestServer(on: address, tls, ServerContext(options: options, handler: handler))
    }

    /// Stops accepting, cancels the handlers, closes all connections and returns when all of that has happened.
    public func stop() async {
        task.cancel()
        await task.value
    }

    // MARK: Where it is

    /// The address that is listened on, with the real port.
    public var address: EndpointAddress { acceptor.address }

    /// The port; 0 for a unix-domain socket.
    public var port: Int { address.port ?? 0 }

    /// The URL of a path on this server, such as `http://127.0.0.1:40123/users`.
    ///
    /// - Parameters:
    ///   - path: The path, with a query if it has one. Default `/`.
    ///   - host: A name to use instead of the address, such as `localhost`, or any other that the client is told to
    ///     find here. Over a unix-domain socket, whose path the client has to be told besides, `localhost`.
    public func url(_ path: String = "/", host: String? = nil) -> String {
        acceptor.url(path, host: host)
    }

    // MARK: What it has seen

    /// What the server has seen so far.
    public var activity: TestServerActivity { acceptor.activity.value }

    /// Suspends until the server has seen enough, for instance until `$0.openConnections == 0`.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait at most. Default 30 s.
    ///   - condition: Looked at now and after every change.
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(30), until condition: @Sendable (TestServerActivity) -> Bool
    ) async throws -> TestServerActivity {
        try await acceptor.activity.wait(for: "the test server's activity", timeout: timeout, until: condition)
    }

    /// Handlers that failed and requests that were malformed, in the order they happened.
    public var failures: [TestServerFailure] { context.failures.withLock { $0 } }

    /// Returns the failures so far and forgets them, for tests that expect some.
    public func takeFailures() -> [TestServerFailure] {
        context.failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
    }

    /// Throws ``TestServerFailures`` when a handler failed or a client sent something malformed.
    public func checkForFailures() throws {
        let failures = failures
        if !failures.isEmpty { throw TestServerFailures(failures: failures, testError: nil) }
    }
}
