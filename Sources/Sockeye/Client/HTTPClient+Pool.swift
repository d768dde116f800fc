public import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

extension HTTPClient {
    /// Shuts down the client with all its copies and scopes, and waits until the shutdown is complete. Optional:
    /// releasing the last copy suffices.
    ///
    /// New requests fail with ``SockeyeError/Code-swift.struct/shutDown``. Background work, such as refreshing a stored
    /// response, is cancelled. Other clients of the same ``pool`` continue. A second call has no effect.
    ///
    /// - Parameters:
    ///   - graceful: True if running requests may finish; otherwise they fail immediately.
    ///   - limit: The longest time to wait for running requests. After that they fail.
    public func shutDown(graceful: Bool = true, within limit: Duration = .seconds(30)) async {
        scope.settings.background.end()
        await scope.sockets?.shutDown(graceful: graceful, within: limit)
    }

    /// The pool of the client and its scopes, which other clients may share. Nil if the client does not use sockets.
    public var pool: ConnectionPool? { scope.sockets?.pool }
}
