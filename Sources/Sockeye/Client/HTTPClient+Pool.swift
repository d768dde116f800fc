public import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

extension HTTPClient {
    /// The executor of the client's poller thread, for `withTaskExecutorPreference`.
    ///
    /// Code that runs on it pays no thread hop between "the socket is readable" and "the task goes on", which is the
    /// fastest way to make many small requests from one thread's worth of code. It must not block: while it does, no
    /// other exchange of this poller moves. Nil for clients that are not over sockets.
    public var executor: (any TaskExecutor)? {
        scope.sockets?.poller
    }

    /// Ends the client, all its copies and scopes, and waits for that. Never needed for correctness.
    ///
    /// New requests fail with ``SockeyeError/Code-swift.struct/shutDown``, and work that no caller waits for is cancelled, such as
    /// the refresh of a stored response. A second call is harmless.
    ///
    /// - Parameters:
    ///   - graceful: Whether requests under way may finish; otherwise they fail now.
    ///   - limit: How long to wait for them; after that they fail, too.
    public func shutDown(graceful: Bool = true, within limit: Duration = .seconds(30)) async {
        scope.settings.background.end()
        await scope.sockets?.shutDown(graceful: graceful, within: limit)
    }

    /// The connections of the client and all its scopes.
    public var connections: Connections { Connections(scope: scope) }

    /// The connections that a client and all its scopes share.
    public struct Connections: Sendable {
        let scope: ClientScope

        /// What the connection pool holds at this moment; nil for clients that are not over sockets.
        public func statistics() async -> PoolStatistics? {
            await scope.sockets?.poolStatistics()
        }

        /// Opens connections to the origin of `url` ahead of need. Returns at once; what fails is tried again by the first
        /// request. Never goes beyond the limits of the pool.
        public func prewarm(
            _ url: some HTTPURLConvertible, count: Int = 1
        ) async throws(SockeyeError) {
            let url = try scope.resolve(url)
            let scope = try scope.serving(url)
            try await scope.sockets?.prewarm(
                url, connections: count, unixSocketPath: scope.unixSocketPath, timeouts: scope.timeouts,
                isOutsideScope: scope.settings.isOutsideScope)
        }

        /// Closes the connections that nobody uses, as after a change of network or of trust.
        public func closeIdle() async {
            await scope.sockets?.closeIdleConnections()
        }

        /// Begins anew with all connections, as after a change of network, of certificates or of who the user is. The counterpart
        /// of AFNetworking's `invalidateSessionCancelingTasks:resetSession:`.
        ///
        /// Idle connections are closed. One that is in use, or being opened, carries the exchange that it is for and is closed
        /// then. TLS sessions are forgotten, so that the next connection to each server verifies it in full, and so are the
        /// addresses of names, but not those that a ``NameResolver`` of your own remembers. Requests that wait for a connection
        /// go on waiting, for a new one. Cookies, credentials and caches of policies stay.
        ///
        /// - Parameter cancellingTransfers: Whether all tasks of the client (``HTTPClient/transfers-swift.property``) are cancelled,
        ///   paused ones included. Calls that are no tasks go on. Default false.
        public func reset(cancellingTransfers: Bool = false) async {
            if cancellingTransfers {
                for task in scope.settings.tasks.tasks { await task.cancel() }
            }
            await scope.sockets?.reset()
        }
    }
}
