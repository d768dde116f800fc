import SockeyeCore
import SockeyeNet

/// The parts of a transport over sockets: pool, dialer and proxies.
final class TransportCore: Sendable {
    let time: TimeSource
    let pool: ConnectionPool
    let dialer: Dialer
    /// Nil if no request is proxied.
    let proxies: ProxyChooser?
    /// Counts the calls for which a closure of the application may be running that chooses proxies (`routing`) or their
    /// credentials, so that a graceful shutdown can wait for them.
    let suspendedCalls = SuspendedCalls()

    init(configuration: EngineConfiguration, pool: ConnectionPool, streams: StreamSource? = nil) {
        self.pool = pool
        time = pool.time
        proxies = ProxyChooser(configuration.proxy)
        dialer = Dialer(
            tls: TLSSettings(configuration.tls, overrides: configuration.tlsOverrides), socket: configuration.socket,
            resolver: ResolverStack(
                base: configuration.resolver, overrides: configuration.hostOverrides,
                form: EngineConfiguration.urlForm, cacheLifetime: configuration.resolverCacheLifetime, time: time,
                order: configuration.addressOrder),
            addressPolicy: configuration.addressPolicy, proxies: proxies, pollers: pool.pollers, streams: streams)
        pool.add(dialer)
    }

    /// The poller for waits that belong to no connection, such as that for the closure that chooses proxies.
    var poller: EventPoller {
        get throws(SockeyeError) {
            do throws(TransportError) { return try pool.pollers.first() } catch {
                throw SockeyeError(error, phase: .prepare)
            }
        }
    }
}
