package import SockeyeCore

/// A resolver that does not keep its caller beyond a deadline; what connections are made with.
package protocol DeadlineResolver: Sendable {
    /// The addresses of `host`, never none. Cancellation and the deadline return at once.
    ///
    /// - Parameter poller: Where the caller waits meanwhile.
    func resolve(
        _ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [SocketAddress]
}
