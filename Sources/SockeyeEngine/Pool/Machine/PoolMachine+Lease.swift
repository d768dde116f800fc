package import SockeyeCore

extension PoolMachine {
    /// Asks for a connection of a key.
    ///
    /// - Parameters:
    ///   - notIdleBefore: an idle connection will do only if it was in use at this time or later, and without one a newly
    ///     dialled one is waited for: for a request that cannot be repeated, where connections were closed unannounced.
    ///   - fresh: only a newly dialled connection will do: for repeating a request that met a stale connection. Such
    ///     a request was accepted before, so it is still taken while its owner shuts down gracefully.
    package mutating func lease(
        _ key: Key, fresh: Bool = false, notIdleBefore: MonotonicTime = .zero, now: MonotonicTime
    ) -> LeaseDecision {
        guard endings.isEmpty || isAccepted(key, fresh: fresh) else {
            counters.rejected += 1
            return .rejected(.shutDown)
        }
        var closing = SmallArray<Closing>()
        let origin = origins.find(key)
        if !fresh, let origin, let lease = takeIdle(of: origin, notBefore: notIdleBefore, now: now, closing: &closing) {
            return .use(lease, closing: closing)
        }
        // What was closed may have taken the record of its origin along.
        return enqueue(
            key, at: closing.isEmpty ? origin : nil, fresh: fresh || notIdleBefore > .zero, closing: closing)
    }

    /// The most recently used connection that may still be used; those above it have expired.
    private mutating func takeIdle(
        of origin: Int, notBefore: MonotonicTime, now: MonotonicTime, closing: inout SmallArray<Closing>
    ) -> Lease? {
        while let index = origins[origin].idle.last {
            guard connections[index].idleDeadline <= now else {
                if notBefore > .zero, connections[index].lastUse < notBefore { return nil }
                connections.take(at: index, from: &origins[origin])
                return lend(index)
            }
            closing.append(close(index, expiryReason(of: index, now: now)))
        }
        return nil
    }

    private mutating func enqueue(
        _ key: Key, at known: Int?, fresh: Bool, closing: SmallArray<Closing>
    ) -> LeaseDecision {
        var closing = closing
        let origin = known ?? insertOrigin(key)
        let room = room(at: origin)
        if case .none = room, waiters.uncovered >= limits.maxWaiters {
            counters.rejected += 1
            removeOriginIfUnused(origin)
            return .rejected(.tooManyWaiters(limit: limits.maxWaiters))
        }
        let waiter = waiters.append(fresh: fresh, origin: origin, to: &origins[origin])
        counters.waits += 1
        switch room {
        case .surplusDial:
            return .wait(waiter, dial: nil, closing: closing)
        case .none:
            updateStarvation(of: origin)
            return .wait(waiter, dial: nil, closing: closing)
        case .evicting(let index):
            closing.append(closeIdle(index, .evicted))
            return .wait(waiter, dial: startDial(at: origin), closing: closing)
        case .free:
            return .wait(waiter, dial: startDial(at: origin), closing: closing)
        }
    }

    /// The room within the limits for a new connection of an origin.
    private enum Room {
        /// A dial is under way already that nobody waits for.
        case surplusDial
        case free
        /// In place of this idle connection.
        case evicting(Int)
        case none
    }

    private func room(at origin: Int) -> Room {
        let record = origins[origin]
        if record.surplusDials > 0 { return .surplusDial }
        // Idle connections of its own are passed over by fresh requests only. They are likely to be as stale as the
        // one that failed, so they go first.
        if record.connections >= limits.perOrigin {
            return record.idle.first.map { .evicting($0) } ?? .none
        }
        guard openCount >= capacity else { return .free }
        return (record.idle.first ?? connections.leastRecentlyUsed).map { .evicting($0) } ?? .none
    }

    /// A waiter gives up, cancelled or past its deadline. O(1); dials under way go on.
    package mutating func abandon(_ id: WaiterID) -> AbandonDecision {
        guard let waiter = waiters.index(of: id) else { return .alreadyServed }
        let origin = waiters[waiter].origin
        dequeue(waiter, of: origin)
        removeOriginIfUnused(origin)
        counters.abandoned += 1
        return .removed
    }
}

extension PoolMachine {
    /// Gives a leased connection back.
    ///
    /// - Parameters:
    ///   - reusable: the exchange ended so that another may follow: request and response complete, no error, no
    ///     upgrade, and persistence agreed (RFC 9112 §9.3).
    ///   - keepAliveTimeout: the server's `Keep-Alive: timeout`.
    ///   - remainingUses: the server's `Keep-Alive: max`: how many more requests it takes on this connection.
    package mutating func release(
        _ id: ConnectionID,
        reusable: Bool,
        keepAliveTimeout: Duration? = nil,
        remainingUses: Int? = nil,
        now: MonotonicTime
    ) -> ReleaseDecision {
        guard let index = connections.index(of: id), connections[index].state == .leased else {
            assertionFailure("released a connection that is not leased")
            return .none
        }
        let origin = connections[index].origin
        connections[index].lastUse = now
        if !reusable || keepAliveTimeout.map({ $0 <= .zero }) == true {
            return closeLeased(index, of: origin, .notReusable)
        }
        if (remainingUses ?? 1) <= 0 || connections[index].uses >= limits.maxUses ?? .max {
            return closeLeased(index, of: origin, .maxUses)
        }
        if connections[index].ageDeadline <= now {
            return closeLeased(index, of: origin, expiryReason(of: index, now: now))
        }
        if mayExceedLimits, exceedsLimits(origin) { return closeLeased(index, of: origin, .limitsLowered) }
        if let waiter = origins[origin].ordinary.first {
            guard !mustGiveWay(waiter, of: origin) else { return closeLeased(index, of: origin, .evicted) }
            connections[index].isReused = true
            let (waiter, lease) = serve(waiter, of: origin, with: index)
            return .serve(waiter, lease)
        }
        return keep(index, of: origin, keepAliveTimeout: keepAliveTimeout, now: now)
    }

    /// A leased connection turned out to be closed by the peer before anything was sent on it.
    ///
    /// Its place may go to a longer waiter than the caller, which asks again with `lease`.
    package mutating func foundStale(_ id: ConnectionID) -> ReleaseDecision {
        guard let index = connections.index(of: id), connections[index].state == .leased else {
            assertionFailure("found a connection stale that is not leased")
            return .none
        }
        return closeLeased(index, of: connections[index].origin, .closedByPeer)
    }

    private mutating func closeLeased(_ index: Int, of origin: Int, _ reason: PoolCloseReason) -> ReleaseDecision {
        let closing = close(index, reason)
        return .close(closing, dial: fillFreedPlace(of: origin))
    }

    /// An origin without a single connection gets one from an origin that has some, if it waited longer: else a busy
    /// origin, passing its connections from waiter to waiter, would keep it waiting for ever.
    private func mustGiveWay(_ waiter: Int, of origin: Int) -> Bool {
        guard !starved.isEmpty, let longest = starved.first, longest.origin != origin else { return false }
        return longest.sequence < waiters[waiter].sequence && origins[longest.origin].connections == 0
    }

    /// Leased to idle, unless somebody needs the place or the connection may not be kept.
    mutating func keep(
        _ index: Int, of origin: Int, keepAliveTimeout: Duration?, now: MonotonicTime
    ) -> ReleaseDecision {
        guard endings.isEmpty || !isEnding(origin) else { return closeLeased(index, of: origin, .shutDown) }
        if mayExceedLimits, exceedsLimits(origin) { return closeLeased(index, of: origin, .limitsLowered) }
        // Waiters that are left here want a fresh connection; starved ones want one of another key.
        guard origins[origin].firstUncovered == nil && starved.isEmpty else {
            return closeLeased(index, of: origin, .evicted)
        }
        var deadline = MonotonicTime.earlier(now.advanced(byNanoseconds: idleTimeout), connections[index].ageDeadline)
        if let keepAliveTimeout {
            let announced = keepAliveTimeout.clampedNanoseconds
            deadline = .earlier(deadline, now.advanced(byNanoseconds: announced - min(keepAliveMargin, announced / 2)))
        }
        guard deadline > now else { return closeLeased(index, of: origin, expiryReason(of: index, now: now)) }
        let limit = limits.maxIdlePerOrigin ?? .max
        guard limit > 0 else { return closeLeased(index, of: origin, .idleLimit) }
        connections.keep(at: index, until: deadline, in: &origins[origin])
        earliestExpiry = .earlier(earliestExpiry, deadline)
        if origins[origin].idleCount > limit, let oldest = origins[origin].idle.first {
            return .close(closeIdle(oldest, .idleLimit), dial: nil)
        }
        return .none
    }
}

extension PoolMachine {
    /// Takes a connection out of the pool.
    mutating func close(_ index: Int, _ reason: PoolCloseReason) -> Closing {
        let origin = connections[index].origin
        let closing = Closing(id: connections.id(at: index), connection: connections.payload(at: index), reason: reason)
        connections.remove(at: index, from: &origins[origin])
        if !drains.isEmpty { drains.connectionClosed(closing.id) }
        counters.closed[reason] += 1
        return closing
    }

    /// As `close`, for an idle connection. Nobody waits for its place, or it would not have been left idle.
    mutating func closeIdle(_ index: Int, _ reason: PoolCloseReason) -> Closing {
        let origin = connections[index].origin
        let closing = close(index, reason)
        removeOriginIfUnused(origin)
        return closing
    }

    /// After a place of `origin` got free: the dial for the longest waiter among those it helps.
    mutating func fillFreedPlace(of origin: Int) -> Dial? {
        updateStarvation(of: origin)
        defer { removeOriginIfUnused(origin) }
        guard let longest = starved.first, openCount < capacity else { return nil }
        return startDial(at: longest.origin)
    }

    /// Enters the origin among the starved, or takes it out, after its queue or its connections changed.
    mutating func updateStarvation(of origin: Int) {
        let record = origins[origin]
        guard let waiter = record.firstUncovered, record.connections < limits.perOrigin else {
            return starved.update(origin, sequence: nil)
        }
        starved.update(origin, sequence: waiters[waiter].sequence)
    }

    mutating func startDial(at origin: Int) -> Dial {
        let id = dials.insert(origin)
        origins[origin].dialling += 1
        waiters.coverByDials(in: &origins[origin])
        updateStarvation(of: origin)
        return Dial(id: id, key: origins.key(at: origin))
    }

    /// Takes a waiter out of its queue, served or not.
    mutating func dequeue(_ waiter: Int, of origin: Int) {
        waiters.remove(at: waiter, from: &origins[origin])
        updateStarvation(of: origin)
    }

    /// Makes a leased connection the lease of a waiter.
    mutating func serve(_ waiter: Int, of origin: Int, with index: Int) -> (WaiterID, Lease) {
        let id = waiters.id(at: waiter)
        dequeue(waiter, of: origin)
        return (id, lend(index))
    }

    /// Counts one more use of a connection that is leased already.
    mutating func lend(_ index: Int) -> Lease {
        connections[index].uses += 1
        let lease = describe(index)
        if lease.isReused { counters.reused += 1 }
        return lease
    }

    func describe(_ index: Int) -> Lease {
        Lease(
            id: connections.id(at: index), connection: connections.payload(at: index),
            isReused: connections[index].isReused, use: connections[index].uses)
    }
}
