import HTTPTypes
package import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

/// An HTTP client.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.get("https://example.com/")
/// print(response.status, try await response.text())
/// ```
///
/// A client is a small value that refers to a ``ConnectionPool``. Copies and scoped clients made by
/// ``scoped(baseURL:isConfined:trusting:headers:unixSocketPath:timeouts:tolerances:requestSerializer:decoder:)`` share
/// the connections.
///
/// When the last copy and the last scoped client are released, the client's idle connections are closed and its
/// background work is cancelled. Call ``shutDown(graceful:within:)`` only to wait for that, or to end the background
/// work of a client over a custom transport.
public struct HTTPClient: Sendable {
    /// All state, behind one reference, because clients are copied often.
    package let scope: ClientScope
    package var transport: any HTTPTransport { scope.transport }

    /// See ``ClientConfiguration``.
    public typealias Configuration = ClientConfiguration

    /// A client with the default configuration. It exists until the process ends.
    public static let shared = HTTPClient()

    /// Creates a client over sockets. No connection is opened before the first request. The poller threads (threads
    /// that wait for socket events) start at once, unless they run already. If starting them fails, for example for
    /// lack of descriptors, a later request tries again.
    ///
    /// - Parameters:
    ///   - pool: A pool to share with other clients, so that one set of limits applies to all of them. Its limits and
    ///     threads replace ``ClientConfiguration/pool`` and ``ClientConfiguration/pollerThreads``. Default: nil, a new
    ///     pool.
    ///   - configuration: All other settings.
    public init(pool: ConnectionPool? = nil, configuration: Configuration = Configuration()) {
        let transport =
            pool.map { SocketTransport(configuration: configuration.engine, pool: $0) }
            ?? SocketTransport(configuration: configuration.engine, time: .system)
        self.init(transport, configuration)
    }

    /// Creates a client over a custom transport.
    ///
    /// Releasing the last copy of such a client does not end its background work, such as refreshing stored responses:
    /// several short-lived clients may share the transport, and the work has to outlive them. To end it, call
    /// ``shutDown(graceful:within:)``.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests after all interceptors have run. A transport that wraps a ``SocketTransport``
    ///     should return it from ``HTTPTransport/sockets``.
    ///   - interceptors: The same as ``ClientConfiguration/interceptors``.
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
        settings.runningTasks = runningTasks
        settings.clock = clock
        if endsWithLastCopy { settings.lifetime = ClientLifetime(of: settings.background) }
        scope = ClientScope(settings)
    }

    package init(scope: ClientScope) {
        self.scope = scope
    }

    /// Sends a request and returns as soon as the head of the response has arrived.
    ///
    /// The body stays on the connection until you read it; see ``IncomingResponse``.
    ///
    /// If the server has closed a reused connection, the client sends the request once more on a new connection,
    /// provided that this is safe (RFC 9112 9.3.1). The body of the request must be replayable
    /// (``OutgoingRequest/Body/isReplayable``), or the client must not have read any of it yet. If any byte was written
    /// to the closed connection, the request must also be idempotent: by its method, by an Idempotency-Key field, or by
    /// ``OutgoingRequest/Options/isIdempotent``.
    ///
    /// - Throws: ``SockeyeError``. Cancelling the task ends the request promptly at any point, with
    ///   ``SockeyeError/Code-swift.struct/cancelled``.
    public func send(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        if scope.settings.isConfined { try scope.checkConfinement(of: request.parts.url, for: request.method) }
        guard !scope.isOriginBound || scope.serves(request.parts.url) else {
            return try await HTTPClient(scope: try scope.outsideScope()).send(request)
        }
        let request = scope.completing(request)
        if request.parts.hasRareOptions, request.parts.options.compression != nil {
            // The request is compressed before the interceptors run, so that they see its compressed body and its
            // Content-Encoding.
            return try await send(OutgoingRequest.Compression.applied(to: request))
        }
        return try await scope.chain(for: request).send(request)
    }
}

// Makes the requests of methods such as `get` and `post`. Content that needs encoding or a Content-Type is added in
// HTTPClient+Serialization.
extension HTTPClient {
    /// Makes a request without content. Inlined, like `target`; otherwise each call would go through two more generic
    /// functions.
    @inline(__always)
    package func makeRequest(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, query: RequestParameters, headers: Headers,
        options: OutgoingRequest.Options
    ) throws(SockeyeError) -> OutgoingRequest {
        OutgoingRequest(method: method, url: try target(url, query, method), headers: headers, options: options)
    }

    /// Makes a request with a body and without Content-Type.
    package func makeRequest(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, query: RequestParameters, headers: Headers,
        body: OutgoingRequest.Body, options: OutgoingRequest.Options
    ) throws(SockeyeError) -> OutgoingRequest {
        OutgoingRequest(
            method: method, url: try target(url, query, method), headers: headers, body: body, options: options)
    }

    @inline(__always)
    private func target(
        _ url: some HTTPURL.Convertible, _ query: RequestParameters, _ method: HTTPRequest.Method
    ) throws(SockeyeError) -> HTTPURL {
        let target = try scope.resolve(url, for: method)
        guard !query.isEmpty else { return target }
        return try target.appending(query, style: scope.serialization?.queryStyle ?? .standard)
    }
}
