package import SockeyeCore

/// Resolves host names to the addresses that the client connects to.
///
/// Give the client a custom resolver for service discovery, other DNS transports, or tests. The client caches the
/// answer for each name and port. It calls the resolver again after the answer has expired, or after a connection to
/// the answer's addresses has failed. Simultaneous requests share one call. IP literals, `localhost` and configured
/// overrides never reach the resolver.
///
/// ```swift
/// struct ConsulResolver: NameResolver {
///     func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
///         try await catalog.instances(of: host).compactMap {
///             EndpointAddress(literal: $0.ip, port: port)
///         }
///     }
/// }
/// ```
///
/// A minor version may add requirements; their default implementations call ``resolve(_:port:)``. See <doc:Stability>.
public protocol NameResolver: Sendable {
    /// Resolves a name.
    ///
    /// Cancelling a single request does not cancel the task of this call: other requests may wait for the same answer,
    /// and a late answer still serves later requests. The client enforces deadlines, so a slow resolver does not delay
    /// requests beyond them. The client cancels the task in these cases:
    /// - The client shuts down.
    /// - The client's pool is reset, and no request waits for the answer.
    /// - The task has run for more than 30 s, and a new request needs the name. The client then starts another call.
    /// - The task has run for more than 30 s, and no request waits for the answer. The client checks this when it looks
    ///   up another name.
    ///
    /// - Parameters:
    ///   - host: The name in lower case and in ASCII (A-labels), with the final dot if the URL has one.
    ///   - port: The port of the returned addresses.
    /// - Returns: The addresses in order of preference. An empty list means that the name has no address; the client
    ///   caches this answer for at most 1 s.
    /// - Throws: Any error; it becomes the cause of the request's error. Errors are not cached. If the client still has
    ///   addresses of the name that expired at most 10 minutes ago, the request uses them and does not fail (RFC 8767).
    func resolve(_ host: String, port: Int) async throws -> [EndpointAddress]

    /// Resolves a name and returns how long the answer may be cached. The client calls this method.
    ///
    /// The default implementation calls ``resolve(_:port:)`` and returns nil as the time.
    ///
    /// - Returns: The addresses as from ``resolve(_:port:)``, and the longest time to cache them (their TTL). The
    ///   client caches them for this time or `resolverCacheLifetime`, whichever is shorter. With zero it does not cache
    ///   them; with nil only `resolverCacheLifetime` applies.
    func answer(
        for host: String, port: Int
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?)
}

extension NameResolver {
    /// Returns the addresses of ``resolve(_:port:)``, without a limit on how long they may be cached.
    public func answer(
        for host: String, port: Int
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        (try await resolve(host, port: port), nil)
    }
}

/// A resolver with a queue, from which look-ups can be withdrawn before they begin.
package protocol QueuedResolver: NameResolver {
    /// Does the same as ``NameResolver/answer(for:port:)``, for a client that waits on the event loop `poller`.
    ///
    /// - Parameter start: The resolver calls ``LookUpStart/begin()`` of this object right before the query. If the
    ///   client withdraws the look-up before that, the client also cancels the task. The resolver then removes the
    ///   look-up from its queue.
    func answer(
        for host: String, port: Int, on poller: any Poller, start: LookUpStart
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?)
}

/// A resolver that returns to its caller by a deadline.
package protocol DeadlineResolver: Sendable {
    /// Returns the addresses of `host`, at least one. Cancellation and the deadline end the call at once.
    ///
    /// - Parameter poller: The event loop on which the caller waits.
    func resolve(
        _ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [EndpointAddress]
}
