import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The parts of a transport over sockets: pollers, pool, dialer and proxies.
final class TransportCore: Sendable {
    /// Where requests wait. Connections are spread over all pollers of the client, of which this is the first.
    let poller: EpollPoller
    let time: TimeSource
    let pool: ConnectionPool
    let dialer: Dialer
    /// Nil where nothing is proxied.
    let proxies: ProxyChooser?

    /// More threads than this have more descriptors and stacks than they save time.
    private static let mostPollers = 64

    init(
        configuration: EngineConfiguration, time: TimeSource, streams: StreamSource? = nil
    ) throws(SockeyeError) {
        var pollers: [EpollPoller] = []
        do throws(TransportError) {
            // A manual clock is not shared, and so needs a poller of its own.
            let count = min(max(configuration.pollerThreads, time.manual == nil ? 0 : 1), Self.mostPollers)
            for _ in 0..<count { pollers.append(try EpollPoller(time: time)) }
            if pollers.isEmpty { pollers = [try EpollPoller.shared()] }
        } catch {
            throw SockeyeError(error, phase: .prepare)
        }
        poller = pollers[0]
        self.time = time
        pool = ConnectionPool(limits: PoolLimits(configuration.pool), poller: pollers[0])
        dialer = Dialer(
            tls: TLSSettings(configuration.tls, overrides: configuration.tlsOverrides), socket: configuration.socket,
            resolver: ResolverStack(
                base: configuration.resolver, overrides: configuration.hostOverrides,
                cacheLifetime: configuration.resolverCacheLifetime, time: time, order: configuration.addressOrder),
            addressPolicy: configuration.addressPolicy, pollers: pollers, streams: streams)
        proxies = ProxyChooser(configuration.proxy)
    }

    /// What a request to `url` goes through.
    func proxy(for url: HTTPURL, unixSocketPath: String?) throws(SockeyeError) -> Proxy? {
        guard let proxies, unixSocketPath == nil else { return nil }
        return try proxies.proxy(for: url)
    }
}

extension PoolLimits {
    init(_ configuration: PoolConfiguration) {
        self.init()
        perOrigin = configuration.connectionsPerOrigin
        total = configuration.connections
        maxWaiters = configuration.waiters
        idleTimeout = configuration.idleTimeout
        maxAge = configuration.maximumAge
        maxUses = configuration.maximumUses
    }
}
