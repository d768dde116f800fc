import SockeyeCore

/// What decides whether a connection of the pool may be used again.
struct PooledConnection {
    enum State {
        case leased
        case idle
    }

    let origin: Int
    /// When the connection is too old to be lent again.
    let ageDeadline: MonotonicTime
    var state = State.leased
    /// How often it was lent.
    var uses = 0
    /// While idle: when it may no longer be lent; the earliest of idle time-out, server's hint and age.
    var idleDeadline = MonotonicTime.distantFuture
    /// When it was given back last, or made: a connection that lies idle has done so since then.
    var lastUse = MonotonicTime.zero
    /// It lay idle or carried an exchange before, so the server may have closed it unnoticed.
    var isReused = false
}
