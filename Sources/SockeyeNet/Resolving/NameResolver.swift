package import SockeyeCore

/// A resolver of host names to addresses to connect to.
///
/// Give the client one of your own for service discovery, DNS over something else, or tests. The client calls it off its
/// own cache: once per name and port for as long as the answer is kept, and once for all requests that ask at the same
/// time. IP literals, `localhost` and configured overrides never get here.
///
/// ```swift
/// struct ConsulResolver: NameResolver {
///     func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
///         try await catalog.instances(of: host).compactMap { EndpointAddress(literal: $0.ip, port: port) }
///     }
/// }
/// ```
///
/// A minor version may add requirements, which default to ``resolve(_:port:)``; see <doc:Stability>.
public protocol NameResolver: Sendable {
    /// Looks a name up.
    ///
    /// The task may be cancelled, but not as soon as one request is: others may wait for the same answer, and a late one
    /// still serves those that come next. Deadlines are kept outside, so a slow resolver delays nobody beyond them.
    ///
    /// - Parameters:
    ///   - host: The name in lower case and in ASCII (A-labels); a final dot, if the URL had one, is still there.
    ///   - port: The port that the addresses are to have.
    /// - Returns: The addresses in the order of preference. None means that the name has no address.
    /// - Throws: Anything; it becomes the cause of the request's error. Errors are not cached.
    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress]

    /// Looks a name up and says how long the answer may be kept; what the client calls. Without one of your own, it is
    /// ``resolve(_:port:)`` without such a time.
    ///
    /// - Returns: The addresses as from ``resolve(_:port:)``, and for how long they hold at most (their TTL): the client forgets
    ///   them then, or after its own `resolverCacheLifetime` where that is shorter. Zero is not kept at
    ///   all; nil says nothing.
    func answer(
        for host: String, port: Int
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?)
}

extension NameResolver {
    /// The addresses of ``resolve(_:port:)``, kept for as long as the client keeps any.
    public func answer(
        for host: String, port: Int
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        (try await resolve(host, port: port), nil)
    }
}

/// A resolver with a queue, from which look-ups that have not begun can be withdrawn.
package protocol QueuedResolver: NameResolver {
    /// As ``NameResolver/answer(for:port:)``, for the client that waits at `poller`.
    ///
    /// - Parameter start: Claimed with ``LookUpStart/begin()`` right before the look-up is made. After a withdrawal the task is
    ///   cancelled, and takes the look-up out of the queue.
    func answer(
        for host: String, port: Int, on poller: any Poller, start: LookUpStart
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?)
}

/// A resolver that does not keep its caller beyond a deadline; what connections are made with.
package protocol DeadlineResolver: Sendable {
    /// The addresses of `host`, never none. Cancellation and the deadline return at once.
    ///
    /// - Parameter poller: Where the caller waits meanwhile.
    func resolve(
        _ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [EndpointAddress]
}
