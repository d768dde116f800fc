public import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

extension HTTPClient {
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
}
