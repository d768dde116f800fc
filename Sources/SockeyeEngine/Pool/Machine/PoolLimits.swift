/// How many connections the pool opens and how long it keeps them.
package struct PoolLimits: Sendable, Hashable {
    /// Connections of one key, counting those being dialled; at least 1. Default 16.
    package var perOrigin = 16

    /// Connections of all keys together, counting those being dialled; at least 1. Default 256.
    package var total = 256

    /// Requests that may queue because a limit forbids to open a connection for them. Default: any number.
    ///
    /// Requests whose own connection is being dialled do not count: the limits above bound them.
    package var maxWaiters = Int.max

    /// How long an unused connection is kept. Default 15 s.
    ///
    /// Servers that close earlier are caught by their `Keep-Alive: timeout`, by the poll before lending, and by the
    /// retry of requests that met a stale connection.
    package var idleTimeout = Duration.seconds(15)

    /// Age after which a connection is not lent again, so that load follows changes of DNS; nil for no limit.
    /// Default 10 min.
    package var maxAge: Duration? = .seconds(600)

    /// The part of `maxAge` by which each connection's own limit deviates, up or down, so that connections opened
    /// together do not end together; from 0 to 1. Default 0.1.
    package var ageJitter = 0.1

    /// Requests that one connection may carry; nil for no limit, at least 1. Default nil.
    package var maxUses: Int?

    /// Taken off the server's `Keep-Alive: timeout`, since the request needs time to get there; but no more than half of
    /// that, or a server that announces a second would get each request on a connection of its own. Default 1 s.
    package var keepAliveMargin = Duration.seconds(1)

    /// Idle connections of one key that are kept; nil (default) for as many as may be open.
    package var maxIdlePerOrigin: Int?

    package init() {}
}
