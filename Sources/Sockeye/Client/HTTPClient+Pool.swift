public import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

extension HTTPClient {
    /// Shuts down the client with all its copies and scopes (clients made from it with `scoped`), and waits until the
    /// shutdown is complete.
    ///
    /// New calls fail with ``SockeyeError/Code-swift.struct/shutDown``. During a graceful shutdown, running calls may
    /// still send requests for redirects, retries and authentication. Background work, such as refreshing a stored
    /// response, is cancelled. Other clients of the same ``pool`` continue. While a graceful shutdown is in progress,
    /// calling this method again can only shorten it. After the shutdown, calling this method has no effect.
    ///
    /// Releasing the last copy of a client over sockets closes its idle connections and cancels its background work.
    ///
    /// For a client over a transport without ``HTTPTransport/sockets``, this method ends only the background work: new
    /// and running calls continue.
    ///
    /// - Parameters:
    ///   - graceful: True if running calls may finish; otherwise they fail immediately.
    ///   - limit: The longest time that a graceful shutdown waits for running calls. Default: 30 s. After that time the
    ///     remaining calls fail at once. Only a call that a policy has paused, for example before a retry, fails later,
    ///     at the end of its pause. Cancelling the task that called this method ends the wait early, and the remaining
    ///     calls fail in the same way.
    public func shutDown(graceful: Bool = true, within limit: Duration = .seconds(30)) async {
        let background = scope.settings.background
        if graceful {
            background.endUnawaited()
            await scope.sockets?.drain(within: limit, background.suspendedCalls)
        }
        background.end()
        if !graceful { await scope.sockets?.shutDown() }
    }

    /// The pool of the client and its scopes, which other clients may share. Nil if the client does not use sockets.
    public var pool: ConnectionPool? { scope.sockets?.pool }
}
