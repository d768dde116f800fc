/// The limits of a connection pool, and the times for which it keeps connections.
public struct PoolOptions: Sendable, Hashable {
    /// The maximum number of connections of one client to one origin. Connections with different TLS settings, proxies
    /// or Unix socket paths are counted separately. Default 16.
    public var connectionsPerOrigin = 16
    /// The maximum number of connections of all clients that share the pool. Default 256.
    public var connections = 256
    /// The maximum number of waiting requests of all clients that share the pool. Requests for which a connection is
    /// being opened do not count. If no further connection may be opened, requests beyond this number fail at once with
    /// ``SockeyeError/Code-swift.struct/tooManyWaiting``. Default: no limit.
    public var waiters = Int.max
    /// The time for which an unused connection is kept. A shorter `Keep-Alive: timeout` of the server takes precedence.
    /// Default 15 s.
    public var idleTimeout: Duration = .seconds(15)
    /// The age after which a connection takes no more requests, so that load follows changes in DNS. The age limit of
    /// each connection differs from this value at random, by up to 10 %. Nil: no limit. Default 10 minutes.
    public var maximumAge: Duration? = .seconds(600)
    /// The maximum number of requests that one connection serves. Default: no limit.
    public var maximumUses: Int?

    /// Creates the default options.
    public init() {}

    /// Creates the default options with some values replaced.
    public init(connectionsPerOrigin: Int = 16, connections: Int = 256, idleTimeout: Duration = .seconds(15)) {
        self.connectionsPerOrigin = connectionsPerOrigin
        self.connections = connections
        self.idleTimeout = idleTimeout
    }
}
