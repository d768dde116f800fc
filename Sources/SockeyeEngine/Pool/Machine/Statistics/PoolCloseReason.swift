/// Why the pool gave a connection up.
package enum PoolCloseReason: Sendable, Hashable, CaseIterable {
    /// The exchange ended in a way that forbids reuse (RFC 9112 §9.3), or the server announced the end.
    case notReusable
    /// Unused for longer than the idle time-out or than the server's `Keep-Alive: timeout`.
    case idleTimeout
    /// Older than the maximum age.
    case maxAge
    /// Carried as many requests as the limit, or the server's `Keep-Alive: max`, allows.
    case maxUses
    /// More idle connections than may be kept for the key.
    case idleLimit
    /// Gave its place to a connection that somebody waits for.
    case evicted
    /// The peer closed it, or sent bytes nobody asked for, while it was idle.
    case closedByPeer
    /// Idle connections were closed on demand.
    case onDemand
    /// The pool was shut down.
    case shutDown
}
