package import SockeyeCore

/// The resolution order of a client: overrides, then literals and `localhost`, then a cache over the client's or the
/// system's resolver.
package struct ResolverStack: DeadlineResolver {
    private let overrides: HostOverrides
    private let cache: CachingResolver

    /// - Parameters:
    ///   - base: The resolver for uncached names; nil for the system's.
    ///   - overrides: Addresses by `host` or `host:port`; see ``HostOverrides``.
    ///   - form: Converts a host of `overrides` to the form in which hosts are looked up.
    ///   - cacheLifetime: The time to cache answers; nil caches nothing, but simultaneous look-ups are still merged.
    package init(
        base: (any NameResolver)?, overrides: [String: [EndpointAddress]], form: (String) -> String = { $0 },
        cacheLifetime: Duration?, time: TimeSource, order: EndpointAddress.Order = .asResolved
    ) {
        self.overrides = HostOverrides(overrides, form: form)
        var configuration = CachingResolver.Configuration(order: order)
        configuration.timeToLive = cacheLifetime ?? .zero
        configuration.negativeTimeToLive = min(configuration.negativeTimeToLive, configuration.timeToLive)
        cache = CachingResolver(base ?? SystemResolver.shared, configuration: configuration, time: time)
    }

    package func resolve(
        _ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [EndpointAddress] {
        if let addresses = overrides.addresses(of: host, port: port) {
            guard !addresses.isEmpty else { throw .notFound }
            return addresses
        }
        if let addresses = try LiteralHost.addresses(of: host, port: port) { return addresses }
        return try await cache.resolve(host, port: port, poller: poller, until: deadline)
    }

    /// Removes a name from the cache, so that the next connection looks it up again.
    package func forget(_ host: String, port: Int) {
        cache.forget(host, port: port)
    }

    /// Cancels all look-ups in flight. Their callers fail with ``ResolveError/shutDown``.
    package func abandonAll() {
        cache.abandonAll()
    }

    /// Removes all names from the cache. Look-ups in flight serve only their current callers.
    package func forgetAll() {
        cache.forgetAll()
    }
}
