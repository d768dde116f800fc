import SockeyeCore
public import SockeyeHTTP

/// The state of a ``ConnectionPool`` at one moment, with counters since the pool was made.
public struct PoolStatistics: Sendable, Hashable {
    /// Connections that are open and unused.
    public package(set) var idle = 0
    /// Connections that carry an exchange.
    public package(set) var leased = 0
    /// Connections being opened.
    public package(set) var dialling = 0
    /// Requests that wait for a connection.
    public package(set) var waiting = 0

    /// Connections opened so far.
    public package(set) var created = 0
    /// Requests so far that got a connection which had carried a request or had been idle.
    public package(set) var reused = 0
    /// Failed attempts so far to open a connection.
    public package(set) var dialsFailed = 0
    /// Requests so far that could not get a connection at once, because of a limit or because a dial was needed.
    public package(set) var waits = 0
    /// Requests so far that stopped waiting because they were cancelled or because a deadline passed
    /// (``Timeouts/pool`` or ``Timeouts/total``).
    public package(set) var abandoned = 0
    /// Requests so far that were refused at once, because too many waited or their client was shut down.
    public package(set) var rejected = 0
    /// Connections the pool closed so far, by reason.
    public package(set) var closed = Closed()

    /// The present numbers by origin, sorted by host and then by port. Only origins for which the pool has connections
    /// or waiters.
    public package(set) var origins: [Origin] = []

    /// The same number as ``PoolStatistics/Closed/evicted``.
    public var evictions: Int { closed.evicted }

    init() {}
}

extension PoolStatistics {
    /// The connections and waiters of one origin. The numbers include those of all clients that share the pool, and
    /// both direct connections and connections through proxies.
    public struct Origin: Sendable, Hashable {
        /// The origin that the requests are for.
        public let origin: HTTPURL.Origin
        /// The unix-domain socket that its connections lead to; nil for connections over a network.
        public let unixSocketPath: String?
        /// Connections that are open and unused.
        public package(set) var idle: Int
        /// Connections that carry an exchange.
        public package(set) var leased: Int
        /// Connections being opened.
        public package(set) var dialling: Int
        /// Requests that wait for a connection.
        public package(set) var waiting: Int
    }
}

extension PoolStatistics {
    /// Connections the pool closed, by reason.
    public struct Closed: Sendable, Hashable {
        /// Connections that may not be reused after their last exchange (RFC 9112 9.3), for example because the server
        /// sent `Connection: close`.
        public package(set) var notReusable = 0
        /// Connections unused for longer than the idle time-out or than the server's `Keep-Alive: timeout`.
        public package(set) var idleTimeout = 0
        /// Connections older than the maximum age.
        public package(set) var maxAge = 0
        /// Connections that carried as many requests as ``PoolOptions/maximumUses`` or the server's `Keep-Alive: max`
        /// allows.
        public package(set) var maxUses = 0
        /// Idle connections beyond the number kept for one origin. Always 0, because ``PoolOptions`` has no such limit.
        public package(set) var idleLimit = 0
        /// Connections that were closed to make room for a connection that a request waited for, or because their
        /// descriptors were needed for files.
        public package(set) var evicted = 0
        /// Unused connections that the server closed or on which it sent unsolicited bytes, and reused connections that
        /// it closed before the first byte of a response.
        public package(set) var closedByPeer = 0
        /// Connections beyond a limit that was lowered.
        public package(set) var limitsLowered = 0
        /// Connections closed by ``ConnectionPool/closeIdle()``, ``ConnectionPool/reset()`` or `drain` of the pool, or
        /// because their client was released.
        public package(set) var onDemand = 0
        /// Connections of a client that was shut down.
        public package(set) var shutDown = 0

        /// The sum over all reasons.
        public var total: Int {
            PoolCloseReason.allCases.reduce(0) { $0 + self[$1] }
        }
    }
}

extension PoolStatistics.Closed {
    subscript(reason: PoolCloseReason) -> Int {
        get { self[keyPath: Self.field(of: reason)] }
        set { self[keyPath: Self.field(of: reason)] = newValue }
    }

    private static func field(of reason: PoolCloseReason) -> WritableKeyPath<Self, Int> {
        switch reason {
        case .notReusable: \.notReusable
        case .idleTimeout: \.idleTimeout
        case .maxAge: \.maxAge
        case .maxUses: \.maxUses
        case .idleLimit: \.idleLimit
        case .evicted: \.evicted
        case .closedByPeer: \.closedByPeer
        case .limitsLowered: \.limitsLowered
        case .onDemand: \.onDemand
        case .shutDown: \.shutDown
        }
    }
}

/// The reason why the pool closed a connection. Each case is described at the property of ``PoolStatistics/Closed``
/// with the same name.
enum PoolCloseReason: Sendable, Hashable, CaseIterable {
    case notReusable
    case idleTimeout
    case maxAge
    case maxUses
    case idleLimit
    case evicted
    case closedByPeer
    case limitsLowered
    case onDemand
    case shutDown
}

/// The connections and waiters of one key.
struct PoolHolding<Key: Hashable & Sendable>: Sendable {
    let key: Key
    let idle: Int
    let leased: Int
    let dialling: Int
    let waiting: Int
}

extension PoolMachine {
    /// The statistics without the origins. O(1).
    var statistics: PoolStatistics {
        var statistics = counters
        statistics.idle = connections.idleCount
        statistics.leased = connections.leasedCount
        statistics.dialling = dials.count
        statistics.waiting = waiters.count
        return statistics
    }

    /// The holdings of every key for which the pool has a record, in no particular order. O(keys).
    var holdings: [PoolHolding<Key>] {
        origins.all.map { index in
            let record = origins[index]
            return PoolHolding(
                key: origins.key(at: index), idle: record.idleCount, leased: record.leased,
                dialling: record.dialling, waiting: record.waiting)
        }
    }
}
