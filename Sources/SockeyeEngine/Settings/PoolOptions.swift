/// How many connections there are, and how long they are kept.
public struct PoolOptions: Sendable, Hashable {
    /// Connections of one client to one origin (with the same TLS settings, proxy and local address). Default 16.
    public var connectionsPerOrigin = 16
    /// Connections in all, of all clients that share the pool. Default 256.
    public var connections = 256
    /// Requests that may wait for a connection, those of all clients that share the pool; one more fails at once. Default: no
    /// limit.
    public var waiters = Int.max
    /// How long an unused connection is kept. Default 15 s; a server's `Keep-Alive: timeout` shortens it.
    public var idleTimeout: Duration = .seconds(15)
    /// How old a connection may get, so that load follows changes in DNS. Default 10 minutes, ±10 % by chance.
    public var maximumAge: Duration? = .seconds(600)
    /// How many requests one connection may serve. Default: no limit.
    public var maximumUses: Int?

    /// Makes the defaults named at each property.
    public init() {}

    /// Makes the defaults with some of them replaced.
    public init(connectionsPerOrigin: Int = 16, connections: Int = 256, idleTimeout: Duration = .seconds(15)) {
        self.connectionsPerOrigin = connectionsPerOrigin
        self.connections = connections
        self.idleTimeout = idleTimeout
    }
}
