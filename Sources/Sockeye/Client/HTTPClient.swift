import HTTPTypes
package import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

/// An HTTP client.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.get("https://example.com/")
/// print(response.status, try await response.text())
/// ```
///
/// A client is a light value over a ``ConnectionPool``: copying it, or making a scoped one with
/// ``scoped(baseURL:isConfined:trusting:headers:unixSocketPath:timeouts:tolerances:requestSerializer:decoder:)``,
/// shares the connections. When the last copy goes, its idle connections are closed, work in the background is cancelled, and nothing is left behind; call
/// ``shutDown(graceful:within:)`` only to wait for that.
public struct HTTPClient: Sendable {
    /// All state, behind one reference: clients are copied a lot.
    package let scope: ClientScope
    package var transport: any HTTPTransport { scope.transport }

    /// See ``ClientConfiguration``.
    public typealias Configuration = ClientConfiguration

    /// A client with the default configuration. It lives as long as the process.
    public static let shared = HTTPClient()

    /// Makes a client over sockets. Nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - pool: A pool that other clients may use, too, so that all of them share one set of limits. Its limits and threads
    ///     replace ``ClientConfiguration/pool`` and ``ClientConfiguration/pollerThreads``. Default nil: a pool of its own.
    ///   - configuration: All other settings.
    public init(pool: ConnectionPool? = nil, configuration: Configuration = Configuration()) {
        let transport =
            pool.map { SocketTransport(configuration: configuration.engine, pool: $0) }
            ?? SocketTransport(configuration: configuration.engine, time: .system)
        self.init(transport, configuration)
    }

    /// Makes a client over a transport of your own.
    ///
    /// - Parameters:
    ///   - transport: What sends requests, behind all policies. One that wraps ``SocketTransport`` says so by
    ///     ``HTTPTransport/sockets``.
    ///   - interceptors: As ``ClientConfiguration/interceptors``.
    public init(transport: some HTTPTransport, interceptors: [any Interceptor] = []) {
        self.init(transport: transport, interceptors: interceptors, clock: transport.sockets?.clock ?? .system)
    }

    package init(configuration: Configuration, time: TimeSource) {
        self.init(SocketTransport(configuration: configuration.engine, time: time), configuration)
    }

    private init(_ transport: SocketTransport, _ configuration: Configuration) {
        self.init(
            transport: transport, interceptors: configuration.interceptors, monitors: configuration.monitors,
            runningTasks: configuration.runningTasks, clock: transport.clock, endsWithLastCopy: true)
    }

    package init(
        transport: some HTTPTransport, interceptors: [any Interceptor], monitors: [any EventMonitor] = [],
        runningTasks: Int? = nil, clock: CallClock, endsWithLastCopy: Bool = false
    ) {
        var settings = ClientScope.Settings(transport: transport)
        settings.interceptors = settings.interceptors.adding(interceptors)
        settings.monitors = monitors
        settings.tasks = TransferRegistry(limit: runningTasks.map { max(1, $0) }, clock: clock)
        settings.clock = clock
        if endsWithLastCopy { settings.lifetime = ClientLifetime(of: settings.background) }
        scope = ClientScope(settings)
    }

    package init(scope: ClientScope) {
        self.scope = scope
    }

    /// Sends a request and returns as soon as the head of the response has arrived.
    ///
    /// The body stays on the connection until you read it; see ``IncomingResponse``. A request that met a reused connection
    /// which the server had closed is sent once more on a new one if that is safe (RFC 9112 9.3.1): its body replayable,
    /// its method idempotent or nothing of it written.
    ///
    /// - Throws: ``SockeyeError``. Cancelling the task ends the request promptly at every point, with
    ///   ``SockeyeError/Code-swift.struct/cancelled``.
    public func send(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        if scope.settings.isConfined { try scope.checkConfinement(of: request.parts.url) }
        guard !scope.isOriginBound || scope.serves(request.parts.url) else {
            return try await HTTPClient(scope: try scope.outsideScope()).send(request)
        }
        let request = scope.completing(request)
        if request.parts.hasRareOptions, request.parts.options.compression != nil {
            // Before all else, since it makes another request of it.
            return try await send(OutgoingRequest.Compression.applied(to: request))
        }
        return try await scope.chain(for: request).send(request)
    }
}
