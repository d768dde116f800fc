import SockeyeCore

/// Decides which connection serves which request; the shell around it opens, lends and closes what it says.
///
/// One event is one synchronous mutation that returns what the shell is to do. There is no I/O, clock or lock in here:
/// the shell passes the time and runs the actions afterwards. A connection goes through these states:
///
///     lease ──▶ dialling ──dialFailed──────────────────────────────▶ (gone)
///     prewarm      │
///     retryExhausted
///                  │ dialSucceeded
///                  ├──── somebody waits ────▶ leased ──── not reusable, too old, used up ────▶ closed
///                  │                          │    ▲ ╲
///                  │                  release │    │  release, somebody waits: leased again
///                  │                          ▼    │ lease
///                  └──── nobody waits ──────▶ idle ─┘
///                                              │
///                                              └── expired, closed by the peer, evicted, shut down ──▶ closed
///
/// - Dialling, leased and idle connections count against `PoolLimits.perOrigin` and `.total`; closed ones do not.
/// - Whatever gets ready first, a released connection or a finished dial, serves the oldest waiter of its key. Dials
///   are not tied to waiters: they outlive requesters that gave up, and there are never more than waiters (but for
///   those, and `prewarm`).
/// - A place that gets free goes to whoever waited longest among those it helps, of whatever key. While somebody is
///   held back by the total limit no connection stays idle; while somebody is held back by the limit of the key, none
///   of that key does.
/// - A dial for which the system has no descriptor left takes the place of an idle connection of any key; without one,
///   what is open is the total limit for a while.
/// - Idle connections are lent most recently used first, and evicted least recently used first.
///
/// Every event but `tick`, `closeIdle`, `shutdown` and the description of origins is O(1), or O(log n) of the origins
/// held back by the total limit. An id that is unknown, because the shell reported something twice, stops debug
/// builds and is ignored in others.
package struct PoolMachine<Key: Hashable & Sendable, Connection: Sendable>: Sendable {
    enum Phase {
        case open
        /// Shut down gracefully: who waits is still served.
        case draining
        case closed
    }

    let limits: PoolLimits
    /// In nanoseconds, since the arithmetic of `Duration` is too slow for every release.
    let idleTimeout: Int64
    let keepAliveMargin: Int64

    var phase = Phase.open
    var origins = OriginTable<Key>()
    var connections = ConnectionTable<Connection>()
    var waiters = WaiterTable()
    /// Each dial under way with the origin it is for.
    var dials = SlotMap<Int, DialKind>()
    var starved = StarvedOrigins()
    /// No idle connection expires earlier.
    var earliestExpiry = MonotonicTime.distantFuture
    var lastSweep = MonotonicTime.zero
    /// How many connections there can be at the moment, learned by running out of descriptors; nil while that is unknown.
    var ceiling: Int?
    /// When to try for more than ``ceiling``.
    var retryTime = MonotonicTime.distantFuture
    var jitter: JitterGenerator
    /// Only what is counted up; what the pool holds is filled in by `statistics`.
    var counters = PoolStatistics()

    /// - Parameters:
    ///   - limits: values below what can work (no connections at all) are raised to it.
    ///   - seed: of the deviations of the maximum age; equal seeds give equal decisions.
    package init(limits: PoolLimits = PoolLimits(), seed: UInt64 = 0) {
        var limits = limits
        limits.perOrigin = max(1, limits.perOrigin)
        limits.total = max(1, limits.total)
        limits.maxUses = limits.maxUses.map { max(1, $0) }
        limits.ageJitter = min(1, max(0, limits.ageJitter))
        self.limits = limits
        idleTimeout = limits.idleTimeout.clampedNanoseconds
        keepAliveMargin = limits.keepAliveMargin.clampedNanoseconds
        jitter = JitterGenerator(seed: seed)
    }

    /// Nothing is open, being opened or waited for: the shell of a pool that was shut down may go.
    package var isDrained: Bool {
        openCount == 0 && waiters.isEmpty
    }

    /// What counts against the total limit.
    var openCount: Int { connections.count + dials.count }

    /// The total limit as it is at the moment.
    var capacity: Int { min(limits.total, ceiling ?? .max) }
}
