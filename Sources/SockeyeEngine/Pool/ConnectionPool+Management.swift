import SockeyeCore
package import SockeyeHTTP
import SockeyeNet
import Synchronization

extension ConnectionPool {
    /// The state of the pool at this moment, with counters since the pool was made.
    ///
    /// A snapshot takes time in proportion to the origins for which the pool has connections or waiters. See
    /// ``statisticsUpdates(every:)`` for repeated snapshots.
    public nonisolated var statistics: PoolStatistics {
        let (totals, holdings) = state.withLock { ($0.machine.statistics, $0.machine.holdings) }
        var statistics = totals
        statistics.origins = PoolStatistics.Origin.merging(holdings)
        return statistics
    }

    /// Replaces the limits.
    ///
    /// If there are more connections than the new limits allow, idle ones are closed at once, the least recently used
    /// first. If that is not enough, connections in use are closed when their exchange ends. Requests that the former
    /// limits held back get new connections at once. A lower ``PoolOptions/waiters`` affects only new requests. A
    /// shorter ``PoolOptions/idleTimeout`` or ``PoolOptions/maximumAge`` applies to all connections. A longer idle
    /// time-out applies to connections that are released from then on, and a longer maximum age to connections that are
    /// opened from then on.
    public func update(_ configuration: PoolOptions) {
        self.configuration = configuration
        let now = time.now
        let decision = state.withLock { $0.machine.setLimits(PoolLimits(configuration), now: now) }
        for closing in decision.closing { closing.connection.close() }
        for dial in decision.dials { start(dial) }
        watchIdle()
    }

    /// The executor of the pool's first poller thread, for `withTaskExecutorPreference`. Nil if the process has no
    /// descriptors left for the poller.
    ///
    /// A task that runs on it needs no thread hop between "the socket is readable" and its next step. This is the
    /// fastest way to make many small requests from a single task. The task must not block: while it blocks, all other
    /// exchanges of this poller stand still.
    public nonisolated var executor: (any TaskExecutor)? { try? pollers.first() }

    /// Closes the idle connections, for example after a change of network or of trust.
    public func closeIdle() {
        close(state.withLock { $0.machine.closeIdle() })
    }

    /// Replaces the connections of all clients, for example after a change of network or of certificates.
    ///
    /// Idle connections are closed. A connection in use is closed after its exchange. A connection that is being opened
    /// still serves the request for which it is opened, and is then closed. Other waiting requests get new connections.
    /// Each client forgets its TLS sessions, so that the next connection to a server verifies the server in full. Each
    /// client also forgets the addresses of names, except those that a ``NameResolver`` of your own remembers.
    public func reset() {
        for dialer in dialers.withLock({ Array($0.values) }) { dialer.reset() }
        close(state.withLock { $0.machine.retire { _ in true } })
    }

    /// As ``reset()``, for a single client.
    package func reset(_ dialer: Dialer) {
        dialer.reset()
        close(state.withLock { $0.machine.retire { $0.owner == dialer.id } })
    }

    /// Closes the connections to an origin: idle ones now, the others after their exchange. Waits up to `limit` until
    /// all are closed. Returns true if all were closed in that time.
    package func drain(_ origin: HTTPURL.Origin, within limit: Duration) async -> Bool {
        let deadline = time.now.advanced(by: limit)
        let (closing, drain) = state.withLock { $0.machine.drain { $0.origin == origin } }
        close(closing)
        guard let drain else { return true }
        defer { state.withLock { $0.machine.forgetDrain(drain) } }
        return await wait(for: .drain(drain), until: deadline)
    }

    private func close(_ closing: [Machine.Closing]) {
        for closing in closing { closing.connection.close() }
    }
}

extension PoolStatistics.Origin {
    private struct Place: Hashable {
        let origin: HTTPURL.Origin
        let unixSocketPath: BytewiseText?
    }

    /// Returns one row for each origin and Unix socket path. The pool counts separately for each client, TLS
    /// configuration and proxy (``PoolKey``); a row has the sums of these counts.
    fileprivate static func merging(_ holdings: [PoolHolding<PoolKey>]) -> [PoolStatistics.Origin] {
        var rows: [Place: PoolStatistics.Origin] = [:]
        for holding in holdings {
            let key = holding.key
            let place = Place(origin: key.origin, unixSocketPath: key.unixSocketPath.map { BytewiseText($0) })
            rows[place, default: PoolStatistics.Origin(key.origin, key.unixSocketPath)].add(holding)
        }
        return rows.values.sorted { $0.isOrdered(before: $1) }
    }

    private init(_ origin: HTTPURL.Origin, _ unixSocketPath: String?) {
        (self.origin, self.unixSocketPath) = (origin, unixSocketPath)
        (idle, leased, dialling, waiting) = (0, 0, 0, 0)
    }

    private mutating func add(_ holding: PoolHolding<PoolKey>) {
        idle += holding.idle
        leased += holding.leased
        dialling += holding.dialling
        waiting += holding.waiting
    }

    private func isOrdered(before other: PoolStatistics.Origin) -> Bool {
        let (left, right) = (origin, other.origin)
        guard left.host == right.host else { return left.host < right.host }
        guard left.port == right.port else { return left.port < right.port }
        guard left.scheme == right.scheme else { return left.scheme.rawValue < right.scheme.rawValue }
        return (unixSocketPath ?? "", left.zone ?? "") < (other.unixSocketPath ?? "", right.zone ?? "")
    }
}

extension PoolLimits {
    init(_ configuration: PoolOptions) {
        self.init()
        perOrigin = configuration.connectionsPerOrigin
        total = configuration.connections
        maxWaiters = configuration.waiters
        idleTimeout = configuration.idleTimeout
        maxAge = configuration.maximumAge
        maxUses = configuration.maximumUses
    }
}
