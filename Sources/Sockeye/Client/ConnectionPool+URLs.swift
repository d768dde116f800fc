public import SockeyeEngine
import SockeyeHTTP

extension ConnectionPool {
    /// Opens connections to the origin of `url` ahead of need, as a client opens them: with its TLS settings, by its proxy.
    ///
    /// Returns at once. A connection that cannot be opened is tried again by the first request. Never goes beyond the limits
    /// of the pool, nor closes another connection.
    ///
    /// - Parameters:
    ///   - url: Absolute, or relative to the base URL of the client.
    ///   - count: How many connections are to be idle then. Default 1.
    ///   - client: A client of this pool, or a scope of one.
    /// - Throws: ``SockeyeError`` for a malformed URL, for a malformed proxy setting, and
    ///   ``SockeyeError/Code-swift.struct/badConfiguration`` for a client of another pool.
    public nonisolated func prewarm(
        _ url: some HTTPURL.Convertible, count: Int = 1, as client: HTTPClient
    ) async throws(SockeyeError) {
        let url = try client.scope.resolve(url)
        let scope = try client.scope.serving(url)
        guard let sockets = scope.sockets, sockets.pool === self else {
            throw SockeyeError(
                .init(
                    .badConfiguration, phase: .prepare, blame: .caller,
                    message: "the client does not use the pool that is to open connections for it"))
        }
        try await sockets.prewarm(
            url, connections: count, unixSocketPath: scope.unixSocketPath, timeouts: scope.timeouts,
            isOutsideScope: scope.settings.isOutsideScope)
    }

    /// Starts anew with the connections of one client, as after a change of its certificates or of its user. The counterpart of
    /// AFNetworking's `resetSession`. ``ConnectionPool/reset()`` does the same for all clients of the pool.
    ///
    /// Cookies, credentials and caches of policies stay. Tasks continue; ``HTTPClient/Transfers/cancelAll()`` cancels them.
    ///
    /// - Parameter client: A client of this pool, or a scope of one. The connections of all its scopes are meant. A client of
    ///   another pool has none here.
    public func reset(only client: HTTPClient) {
        guard let sockets = client.scope.sockets, sockets.pool === self else { return }
        reset(sockets.dialer)
    }

    /// Replaces all connections to the origin of `url`, as when a server is taken out of service, and waits until the old ones
    /// are closed.
    ///
    /// The connections of all clients are meant, through whatever proxy or unix-domain socket. Idle ones are closed at once.
    /// A connection that is in use, or being opened, carries the exchange that it is for and is closed then. New requests, and
    /// those that wait, get new connections. TLS sessions and addresses of names stay; see ``ConnectionPool/reset()``.
    ///
    /// - Parameters:
    ///   - url: Absolute. Only its scheme, host and port count.
    ///   - limit: How long to wait. Connections that are in use then go on to the end of their exchange. Default 30 s.
    /// - Returns: Whether the old connections are closed. False after the limit, and if the task was cancelled.
    /// - Throws: ``SockeyeError`` for a malformed URL.
    @discardableResult
    public nonisolated func drain(
        _ url: some HTTPURL.Convertible, within limit: Duration = .seconds(30)
    ) async throws(SockeyeError) -> Bool {
        let origin: HTTPURL.Origin
        do throws(HTTPURL.Fault) {
            origin = try url.httpURL(relativeTo: nil).origin
        } catch {
            throw SockeyeError(error)
        }
        return await drain(origin, within: limit)
    }
}
