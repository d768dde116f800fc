import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension HTTPClient {
    /// The executor of the client's poller thread, for `withTaskExecutorPreference`.
    ///
    /// Code that runs on it pays no thread hop between "the socket is readable" and "the task goes on", which is the
    /// fastest way to make many small requests from one thread's worth of code. It must not block: while it does, no
    /// other exchange of this poller moves. Nil for clients that are not over sockets.
    public var executor: (any TaskExecutor)? {
        guard let transport = scope.sockets else { return nil }
        return try? transport.started().poller
    }

    /// Ends the client, all its copies and scopes. Never needed for correctness; it is for those who want to wait.
    ///
    /// New requests fail with ``SockeyeError/Code-swift.struct/shutDown``. A second call is harmless.
    ///
    /// - Parameters:
    ///   - graceful: Whether requests under way may finish; otherwise they fail now.
    ///   - limit: How long to wait for them; after that they fail, too.
    public func shutDown(graceful: Bool = true, within limit: Duration = .seconds(30)) async {
        guard let transport = scope.sockets, let core = try? transport.started() else { return }
        await core.pool.shutDown(graceful: graceful)
        let deadline = core.poller.time.now.advanced(by: limit)
        if graceful, let sleeper = try? await core.pool.drained() {
            if await sleeper.sleep(until: deadline) != .ready { await core.pool.shutDown(graceful: false) }
        }
    }

    /// The connections of the client and all its scopes.
    public var connections: Connections { Connections(scope: scope) }

    /// The connections that a client and all its scopes share.
    public struct Connections: Sendable {
        let scope: ClientScope

        /// What the connection pool holds at this moment; nil for clients that are not over sockets.
        public func statistics() async -> PoolStatistics? {
            guard let transport = scope.sockets, let core = try? transport.started() else { return nil }
            return await core.pool.statistics
        }

        /// Opens connections to the origin of `url` ahead of need. Returns at once; what fails is tried again by the first
        /// request. Never goes beyond the limits of the pool.
        public func prewarm(
            _ url: some HTTPURLConvertible, count: Int = 1
        ) async throws(SockeyeError) {
            let url = try scope.resolve(url)
            let scope = try scope.serving(url)
            guard let transport = scope.sockets else { return }
            let core = try transport.started()
            let proxy = try core.proxy(for: url, unixSocketPath: scope.unixSocketPath)
            var options = RequestOptions()
            if scope.settings.isDeparted { options.isOutsideScope = true }
            let tls = core.dialer.tls.setting(for: url, options)
            let key = PoolKey(
                origin: url.origin, unixSocketPath: scope.unixSocketPath, proxy: proxy,
                dialer: ObjectIdentifier(core.dialer), tls: url.scheme == .https ? tls.id : 0)
            let target = DialTarget(
                url: url, unixSocketPath: scope.unixSocketPath, proxy: proxy,
                timeouts: scope.timeouts ?? transport.configuration.timeouts, dialer: core.dialer, tls: tls)
            await core.pool.prewarm(key, count: count, target: target)
        }

        /// Closes the connections that nobody uses, as after a change of network or of trust.
        public func closeIdle() async {
            guard let transport = scope.sockets, let core = try? transport.started() else { return }
            await core.pool.closeIdle()
        }
    }
}
