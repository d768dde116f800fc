public import SockeyeEngine
import SockeyeHTTP

extension ConnectionPool {
    /// Opens connections to the origin of `url` before they are needed, with the client's TLS settings and proxy.
    ///
    /// Does not wait for the connections. If a connection cannot be opened, the next request to the origin tries again.
    /// This method never exceeds the pool's limits and never closes another connection. If the client's proxy is
    /// ``Proxy/Selection/routing(_:)``, this method waits for the closure's route, up to ``Timeouts/connect``.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or one relative to the base URL of the client.
    ///   - count: The wanted number of idle connections. Default: 1.
    ///   - client: A client of this pool, or a scope made from one (see `scoped` of ``HTTPClient``).
    /// - Throws: ``SockeyeError`` for a malformed URL or a malformed proxy setting, and
    ///   ``SockeyeError/Code-swift.struct/badConfiguration`` for a client of another pool or without a pool. If the
    ///   closure of ``Proxy/Selection/routing(_:)`` fails, throws its error. If it takes longer than
    ///   ``Timeouts/connect``, throws ``SockeyeError/Code-swift.struct/timeout``.
    public nonisolated func prewarm(
        _ url: some HTTPURL.Convertible, count: Int = 1, as client: HTTPClient
    ) async throws(SockeyeError) {
        let url = try client.scope.resolve(url)
        let scope = try client.scope.serving(url)
        guard let sockets = scope.sockets, sockets.pool === self else {
            throw SockeyeError(
                .init(
                    .badConfiguration, phase: .prepare, blame: .caller,
                    message: scope.sockets == nil
                        ? "the client has no pool, because it has a transport without sockets"
                        : "the client does not use this pool; call prewarm of its `pool`"))
        }
        try await sockets.prewarm(
            url, connections: count, unixSocketPath: scope.unixSocketPath, timeouts: scope.timeouts,
            isOutsideScope: scope.settings.isOutsideScope)
    }

    /// Replaces the connections of one client, for example after a change of its certificates or of its user.
    ///
    /// This is ``ConnectionPool/reset()`` for one client, and the counterpart of AFNetworking's `resetSession`.
    /// The client's policies keep their cookies, credentials and cached responses. Tasks of SockeyeTransfers continue;
    /// `client.transfers.cancelAll()` cancels them.
    ///
    /// - Parameter client: A client of this pool, or a scope made from one (see `scoped` of ``HTTPClient``). A client
    ///   and its scopes share their connections, so this method replaces the connections of all of them. If the client
    ///   uses another pool, this method does nothing.
    public func reset(only client: HTTPClient) {
        guard let sockets = client.scope.sockets, sockets.pool === self else { return }
        reset(sockets.dialer)
    }

    /// Replaces all connections to the origin of `url`, for example when a server is taken out of service, and waits
    /// until the old ones are closed.
    ///
    /// This includes the connections of all clients, through any proxy or unix-domain socket. Idle connections are
    /// closed immediately. A connection that is in use, or being opened for a waiting request, serves its exchange and
    /// is closed afterwards. All other requests get new connections. TLS sessions and resolved addresses stay; see
    /// ``ConnectionPool/reset()``.
    ///
    /// - Parameters:
    ///   - url: An absolute URL. Only its scheme, host and port are used.
    ///   - limit: The longest time to wait. After that, connections in use still continue to the end of their exchange.
    ///     Default: 30 s.
    /// - Returns: True if the old connections are closed. False after the limit, or if the task was cancelled.
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
