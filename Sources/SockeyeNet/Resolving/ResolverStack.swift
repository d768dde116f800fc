package import SockeyeCore

/// The resolution order of a client: overrides, then literals and `localhost`, then a cache over the client's resolver or
/// the system's.
package struct ResolverStack: DeadlineResolver {
    private let overrides: HostOverrides
    private let cache: CachingResolver

    /// - Parameters:
    ///   - base: Asked for what is not known; nil is the system's resolver.
    ///   - overrides: Addresses by `host` or `host:port`; see ``HostOverrides``.
    ///   - cacheLifetime: How long answers are kept; nil keeps none and still shares look-ups under way.
    package init(
        base: (any NameResolver)?, overrides: [String: [EndpointAddress]], cacheLifetime: Duration?, time: TimeSource,
        order: EndpointAddress.Order = .asResolved
    ) {
        self.overrides = HostOverrides(overrides)
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

    /// Forgets a name whose addresses turned out to be of no use, so that the next connection asks anew.
    package func forget(_ host: String, port: Int) {
        cache.forget(host, port: port)
    }

    /// Gives up all look-ups under way, and whoever waits for them hears so.
    package func abandonAll() {
        cache.abandonAll()
    }

    /// Forgets all names. Answers that are on their way serve those who wait for them, and nobody else.
    package func forgetAll() {
        cache.forgetAll()
    }
}
