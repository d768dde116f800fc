import SockeyeCore

extension PoolMachine {
    /// The minimum time between two sweeps, in nanoseconds, so that one sweep closes many expired connections. No
    /// expired connection is leased meanwhile, because `lease` checks the exact time.
    private static var sweepInterval: Int64 { 250_000_000 }

    /// Reports that the peer closed an idle connection or sent something on it.
    ///
    /// Returns nil if the connection is no longer idle. In that case the pool has already closed it, or an exchange
    /// uses it and notices the event itself.
    mutating func idleClosed(_ id: ConnectionID) -> Closing? {
        guard let index = connections.index(of: id), connections[index].state == .idle else { return nil }
        return closeIdle(index, .closedByPeer)
    }

    /// Returns the id of the key's connection that became idle last. This connection is leased next. Right after
    /// `release` or `dialSucceeded` has kept a connection, the id is that of the kept connection.
    func newestIdle(of key: Key) -> ConnectionID? {
        guard let origin = origins.index(of: key), let index = origins[origin].idle.last else { return nil }
        return connections.id(at: index)
    }

    /// All idle connections, the least recently used first. O(idle).
    var idleConnections: [(id: ConnectionID, connection: Connection)] {
        var idle: [(id: ConnectionID, connection: Connection)] = []
        idle.reserveCapacity(connections.idleCount)
        var next = connections.leastRecentlyUsed
        while let index = next {
            idle.append((connections.id(at: index), connections.payload(at: index)))
            next = connections.moreRecentlyUsed(than: index)
        }
        return idle
    }

    /// Returns the facts about a connection; nil if the connection is gone. `lastUse` is the time of the last release.
    func record(
        of id: ConnectionID
    ) -> (key: Key, made: MonotonicTime, lastUse: MonotonicTime, uses: Int)? {
        connections.index(of: id).map { index in
            let connection = connections[index]
            return (origins.key(at: connection.origin), connection.made, connection.lastUse, connection.uses)
        }
    }

    func idleConnection(_ id: ConnectionID) -> Connection? {
        guard let index = connections.index(of: id), connections[index].state == .idle else { return nil }
        return connections.payload(at: index)
    }

    /// The time to call `tick` next; nil while no connection is idle.
    var nextDeadline: MonotonicTime? {
        guard connections.idleCount > 0 else { return nil }
        return max(earliestExpiry, lastSweep.advanced(byNanoseconds: Self.sweepInterval))
    }

    /// Closes the idle connections that have expired. O(idle) if some may have expired, else O(1). If the limits were
    /// lowered and may still be exceeded, also checks the limits of all origins: O(origins).
    mutating func tick(now: MonotonicTime) -> [Closing] {
        if mayExceedLimits { checkLimits() }
        guard now >= earliestExpiry else { return [] }
        lastSweep = now
        earliestExpiry = .distantFuture
        var closing: [Closing] = []
        var next = connections.leastRecentlyUsed
        while let index = next {
            next = connections.moreRecentlyUsed(than: index)
            let deadline = connections[index].idleDeadline
            if deadline <= now {
                closing.append(closeIdle(index, expiryReason(of: index, now: now)))
            } else {
                earliestExpiry = .earlier(earliestExpiry, deadline)
            }
        }
        return closing
    }

    /// Closes the least recently used idle connection because its descriptor is needed elsewhere.
    mutating func evictIdle() -> Closing? {
        connections.leastRecentlyUsed.map { closeIdle($0, .evicted) }
    }

    /// Closes every idle connection, for example after a change of network or trust.
    mutating func closeIdle() -> [Closing] {
        closeIdle(.onDemand) { _ in true }
    }

    /// Retires every connection of some keys. Idle connections are closed now, leased ones after their exchange. A
    /// dial in progress continues: its connection may serve one of the waiters that already have a dial, and is then
    /// closed. Waiters without a dial stay queued and get new connections.
    mutating func retire(where matches: (Key) -> Bool) -> [Closing] {
        for index in connections.indices where matches(origins.key(at: connections[index].origin)) {
            connections[index].ageDeadline = .zero
        }
        for index in dials.indices where matches(origins.key(at: dials[index].origin)) {
            let last = waiters.lastCovered(of: origins[dials[index].origin]).map { waiters[$0].sequence } ?? 0
            dials[index].lastServed = min(dials[index].lastServed, last)
        }
        return closeIdle(.onDemand, where: matches)
    }

    mutating func closeIdle(_ reason: PoolCloseReason, where matches: (Key) -> Bool) -> [Closing] {
        var closing: [Closing] = []
        var next = connections.leastRecentlyUsed
        while let index = next {
            next = connections.moreRecentlyUsed(than: index)
            if matches(origins.key(at: connections[index].origin)) { closing.append(closeIdle(index, reason)) }
        }
        if connections.idleCount == 0 { earliestExpiry = .distantFuture }
        return closing
    }

    /// Closes an idle connection and frees its place within the limits. No waiter can need the place: if a waiter had
    /// needed it, `makeIdle` or `lease` would already have closed the connection to make room.
    mutating func closeIdle(_ index: Int, _ reason: PoolCloseReason) -> Closing {
        let origin = connections[index].origin
        let closing = close(index, reason)
        removeOriginIfUnused(origin)
        return closing
    }

    func expiryReason(of index: Int, now: MonotonicTime) -> PoolCloseReason {
        let deadline = connections[index].ageDeadline
        return deadline > now ? .idleTimeout : deadline == .zero ? .onDemand : .maxAge
    }
}
