import SockeyeCore

/// The pool's state machine: decides which connection serves which request. The shell around it (``ConnectionPool``)
/// opens, leases and closes connections.
///
/// Each event is one synchronous mutation that returns the actions for the shell. The machine does no I/O and has no
/// clock or lock. The shell passes the current time to the machine, and runs the actions after the event. A connection
/// goes through these states:
///
///     lease ──▶ dialling ──dialFailed──────────────────────────────▶ (gone)
///     prewarm      │
///     retryExhausted
///                  │ dialSucceeded
///                  ├──── waiters ───────────▶ leased ──── not reusable, too old, used up ────▶ closed
///                  │                          │    ▲ ╲
///                  │                  release │    │  release, waiters: leased again
///                  │                          ▼    │ lease
///                  └──── no waiters ────────▶ idle ─┘
///                                              │
///                                              └── expired, closed by the peer, evicted, shut down ──▶ closed
///
/// - Dialling, leased and idle connections count against `PoolLimits.perOrigin` and `.total`; closed ones do not.
/// - The first connection that gets ready, released or newly dialled, serves the oldest waiter of its key.
/// - The requester of a dial is the waiter that the dial was started for. If the requester gives up or gets another
///   connection, the dial continues for other waiters. Apart from such dials and those of `prewarm`, there are never
///   more dials than waiters.
/// - A waiter that accepts only a newly dialled connection is not overtaken indefinitely. If it is the oldest waiter
///   without a dial, the next released connection of its key is closed, and a dial for the waiter takes the
///   connection's place.
/// - The error of a dial goes only to its requester. If a dial is slow and its requester gave up or got another
///   connection, a new waiter does not rely on that dial and gets a dial of its own.
/// - A place within the limits that becomes free goes to the longest-waiting request that can use it, even if that
///   request has another key. While the total limit holds back a waiter, no connection stays idle. While the limit of a
///   key holds back a waiter, no connection of that key stays idle.
/// - If a dial for a waiter fails for lack of descriptors or memory, an idle connection of any key is closed, and the
///   dial is repeated. If there is no idle connection, the machine lowers the total limit for a second, to the number
///   of connections that are in use or being opened. Then `retryExhausted` restores the limit and dials for waiters.
/// - `retire` ends the reuse of a key's connections, for example after a change of certificates: each is closed after
///   its exchange. Dials that began before `retire` serve only the waiters that had a dial by then. All other waiters
///   get connections that are dialled later.
/// - Each key has an owner, a client. When an owner shuts down, its new requests are refused. As its connections close,
///   their places within the limits become free for the other owners.
/// - Idle connections are leased most recently used first, and evicted least recently used first.
///
/// Most events take O(1), or O(log n) where n origins are held back by the total limit. The exceptions are `tick`,
/// `closeIdle`, `retire`, `remove`, `drain`, `shutdown`, `hasEnded`, `setLimits`, `retryExhausted` and `holdings`. The
/// search for slow dials is linear, too, and so is the insertion of a request that returns to the queue.
///
/// `idleClosed` and `abandon` may get unknown ids. In all other events an unknown id means that the shell reported
/// something twice; debug builds then stop, and release builds ignore the event.
struct PoolMachine<Key: PoolMachineKey, Connection: Sendable>: Sendable {
    private(set) var limits: PoolLimits
    /// In nanoseconds: the arithmetic of `Duration` would slow down each release of a connection.
    private(set) var idleTimeout: Int64
    private(set) var keepAliveMargin: Int64
    /// True if the number of connections may exceed lowered limits until exchanges have ended.
    var mayExceedLimits = false

    /// The owners that were shut down. Empty while all clients of the pool run.
    var endings: [Key.Owner: OwnerEnding] = [:]
    var drains = PendingDrains()
    var origins = OriginTable<Key>()
    var connections = ConnectionTable<Connection>()
    var waiters = WaiterTable()
    var dials = SlotMap<DialRecord, DialKind>()
    var starved = StarvedOrigins()
    /// A lower bound of the expiry times of the idle connections.
    var earliestExpiry = MonotonicTime.distantFuture
    var lastSweep = MonotonicTime.zero
    /// The number of connections that the descriptors or memory presently allow, learned from failed dials; nil while
    /// unknown.
    var ceiling: Int?
    /// The time to try for more connections than ``ceiling``.
    var retryTime = MonotonicTime.distantFuture
    var jitter: JitterGenerator
    /// The cumulative counters only; `statistics` fills in the present numbers.
    var counters = PoolStatistics()

    /// - Parameters:
    ///   - limits: Values too low to work (such as no connections at all) are raised.
    ///   - seed: The seed of the random deviations from the maximum age. With the same seed, the same events lead to
    ///     the same decisions.
    init(limits: PoolLimits = PoolLimits(), seed: UInt64 = 0) {
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

    /// The number of connections and dials that count against the total limit.
    var openCount: Int { connections.count + dials.count }

    /// The total limit that applies at the moment.
    var capacity: Int { min(limits.total, ceiling ?? .max) }
}

/// The key of pooled connections: requests with equal keys may use the same connection.
protocol PoolMachineKey: Hashable, Sendable {
    /// The identity of a client. Shutting down a client affects only the connections of that client.
    associatedtype Owner: Hashable & Sendable
    /// The client that the connections belong to.
    var owner: Owner { get }
}

/// The limits of a pool: how many connections it opens and how long it keeps them.
struct PoolLimits: Sendable, Hashable {
    /// Connections of one key, counting those being dialled; at least 1. Default 16.
    var perOrigin = 16

    /// Connections of all keys together, counting those being dialled; at least 1. Default 256.
    var total = 256

    /// Requests that may queue because a limit prevents a new connection for them. Default: any number.
    ///
    /// Requests with a dial under way do not count: the limits above bound them.
    var maxWaiters = Int.max

    /// The time for which an unused connection is kept. Default 15 s.
    var idleTimeout = Duration.seconds(15)

    /// The age after which a connection is not leased again, so that load follows changes of DNS; nil for no limit.
    /// Default 10 min.
    var maxAge: Duration? = .seconds(600)

    /// The fraction of `maxAge` by which a connection's own limit may deviate, up or down. Because of the random
    /// deviations, connections opened together do not end together. From 0 to 1. Default 0.1.
    var ageJitter = 0.1

    /// Requests that one connection may carry; nil for no limit, at least 1. Default nil.
    var maxUses: Int?

    /// The time subtracted from the server's `Keep-Alive: timeout`, because the request takes time to arrive. At most
    /// half of that timeout is subtracted; otherwise a server that announces one second would get each request on a new
    /// connection. Default 1 s.
    var keepAliveMargin = Duration.seconds(1)

    /// The largest number of idle connections kept for one key; nil (default) for as many as may be open.
    var maxIdlePerOrigin: Int?

    init() {}

    /// A copy of these limits in which values too low to work are raised, and `ageJitter` is limited to 1.
    fileprivate var raised: PoolLimits {
        var limits = self
        limits.perOrigin = max(1, perOrigin)
        limits.total = max(1, total)
        limits.maxUses = maxUses.map { max(1, $0) }
        limits.ageJitter = min(1, max(0, ageJitter))
        return limits
    }
}

/// A small seeded random generator (SplitMix64) for the deviations from `maxAge`. The numbers must be spread evenly,
/// but they need not be secret.
struct JitterGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns the next value from -1 up to 1, evenly distributed.
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
    /// Returns this time moved by whole nanoseconds, saturating. Avoids the divisions that a `Duration` would need.
    func advanced(byNanoseconds nanoseconds: Int64) -> MonotonicTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        guard !overflow else { return nanoseconds < 0 ? .zero : .distantFuture }
        return MonotonicTime(nanoseconds: max(0, sum))
    }
}
