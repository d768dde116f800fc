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
/// - A place that gets free goes to the longest waiter among those it helps, of whatever key. While a waiter is held back
///   by the total limit no connection stays idle; while one is held back by the limit of the key, none of that key does.
/// - A dial for which the system has no descriptor left takes the place of an idle connection of any key; without one,
///   what is open is the total limit for a while.
/// - Each key has an owner, a client. An owner that shuts down is refused; the others share its places.
/// - Idle connections are lent most recently used first, and evicted least recently used first.
///
/// Every event but `tick`, `closeIdle`, `retire`, `drain`, `shutdown`, `setLimits` and the description of origins is O(1),
/// or O(log n) of the origins held back by the total limit. An id that is unknown, because the shell reported something
/// twice, stops debug builds and is ignored in others.
package struct PoolMachine<Key: PoolMachineKey, Connection: Sendable>: Sendable {
    private(set) var limits: PoolLimits
    /// In nanoseconds, since the arithmetic of `Duration` is too slow for every release.
    private(set) var idleTimeout: Int64
    private(set) var keepAliveMargin: Int64
    /// Lowered limits may be exceeded until exchanges have ended.
    var mayExceedLimits = false

    /// The owners that were shut down. Empty in a pool of clients that are not.
    var endings: [Key.Owner: OwnerEnding] = [:]
    var drains = PendingDrains()
    var origins = OriginTable<Key>()
    var connections = ConnectionTable<Connection>()
    var waiters = WaiterTable()
    /// Each dial under way with the origin it is for.
    var dials = SlotMap<Int, DialKind>()
    var starved = StarvedOrigins()
    /// The dials under way that began before ``retire(where:)``.
    var retiredDials: Set<DialID> = []
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
        let limits = limits.raised
        self.limits = limits
        idleTimeout = limits.idleTimeout.clampedNanoseconds
        keepAliveMargin = limits.keepAliveMargin.clampedNanoseconds
        jitter = JitterGenerator(seed: seed)
    }

    mutating func adopt(_ limits: PoolLimits) {
        let limits = limits.raised
        self.limits = limits
        idleTimeout = limits.idleTimeout.clampedNanoseconds
        keepAliveMargin = limits.keepAliveMargin.clampedNanoseconds
    }

    /// What counts against the total limit.
    var openCount: Int { connections.count + dials.count }

    /// The total limit as it is at the moment.
    var capacity: Int { min(limits.total, ceiling ?? .max) }
}

/// The key of pooled connections: requests with equal keys may use the same connection.
package protocol PoolMachineKey: Hashable, Sendable {
    /// A client, which ends its own connections and not those of others.
    associatedtype Owner: Hashable & Sendable
    /// The client that the connections belong to.
    var owner: Owner { get }
}

/// The limits of a pool: how many connections it opens and how long it keeps them.
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

    /// These limits, with values below what can work (no connections at all) raised to it.
    fileprivate var raised: PoolLimits {
        var limits = self
        limits.perOrigin = max(1, perOrigin)
        limits.total = max(1, total)
        limits.maxUses = maxUses.map { max(1, $0) }
        limits.ageJitter = min(1, max(0, ageJitter))
        return limits
    }
}

/// A small seeded generator of deviations (SplitMix64): the spread matters, secrecy does not.
struct JitterGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// From -1 up to 1, evenly spread.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) * 0x1p-52 - 1
    }
}

extension MonotonicTime {
    /// This time moved by whole nanoseconds, saturating; without the divisions that taking a `Duration` apart costs.
    func advanced(byNanoseconds nanoseconds: Int64) -> MonotonicTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        guard !overflow else { return nanoseconds < 0 ? .zero : .distantFuture }
        return MonotonicTime(nanoseconds: max(0, sum))
    }
}
