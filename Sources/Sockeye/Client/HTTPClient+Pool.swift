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

    /// Ends the client, all its copies and scopes, and waits for that. Never needed for correctness. Other clients that share
    /// its ``pool`` go on.
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

    /// The connections of the client and all its scopes, and of other clients that share the pool. Nil for clients that are not
    /// over sockets.
    public var pool: ConnectionPool? { scope.sockets?.pool }

    /// Begins anew with the client's connections, as after a change of certificates or of who the user is. The counterpart of
    /// AFNetworking's `invalidateSessionCancelingTasks:resetSession:`. Other clients that share the pool keep theirs:
    /// ``ConnectionPool/reset()`` is for all of them.
    ///
    /// Idle connections are closed. One that is in use, or being opened, carries the exchange that it is for and is closed
    /// then. TLS sessions are forgotten, so that the next connection to each server verifies it in full, and so are the
    /// addresses of names, but not those that a ``NameResolver`` of your own remembers. Requests that wait for a connection
    /// go on waiting, for a new one. Cookies, credentials and caches of policies stay.
    ///
    /// - Parameter cancellingTransfers: Whether all tasks of the client (``HTTPClient/transfers-swift.property``) are cancelled,
    ///   paused ones included. Calls that are no tasks go on. Default false.
    public func resetConnections(cancellingTransfers: Bool = false) async {
        if cancellingTransfers {
            for task in scope.settings.tasks.tasks { await task.cancel() }
        }
        await scope.sockets?.reset()
    }
}
