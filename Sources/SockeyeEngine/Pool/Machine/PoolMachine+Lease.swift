import SockeyeCore

extension PoolMachine {
    /// Leases an idle connection of a key, or enqueues the request as a waiter.
    ///
    /// - Parameters:
    ///   - notIdleBefore: An idle connection is leased only if it was last used at this time or later; otherwise the
    ///     request waits for a released or newly dialled connection. With `distantFuture`, only a newly dialled
    ///     connection is leased, as with `fresh`. Meant for a request that cannot be repeated, if its peer has closed
    ///     connections unannounced before.
    ///   - fresh: Only a newly dialled connection is leased. Meant for repeating a request that met a stale connection.
    ///     The pool accepted that request before, so it accepts the repetition even while the client that owns the key
    ///     shuts down gracefully.
    ///   - place: The ``sequence(of:)`` of the request's earlier wait, if that wait led to a connection that the peer
    ///     had closed. The request gets the same place in the queue, and is not refused for the number of waiters.
    mutating func lease(
        _ key: Key, fresh: Bool = false, notIdleBefore: MonotonicTime = .zero, place: UInt64? = nil, now: MonotonicTime
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
        return enqueue(
            key, at: origin, fresh: fresh || notIdleBefore == .distantFuture, place: place,
            closing: closing, now)
    }

    /// Takes the most recently used idle connection that has not expired, and closes expired ones that were used more
    /// recently. Nil if there is no such connection, or if it was last used before `notBefore`.
    private mutating func takeIdle(
        of origin: Int, notBefore: MonotonicTime, now: MonotonicTime, closing: inout SmallArray<Closing>
    ) -> Lease? {
        while let index = origins[origin].idle.last {
            guard connections[index].idleDeadline <= now else {
                if notBefore > .zero, connections[index].lastUse < notBefore { return nil }
                connections.take(at: index, from: &origins[origin])
                return countUse(index)
            }
            closing.append(close(index, expiryReason(of: index, now: now)))
        }
        return nil
    }

    private mutating func enqueue(
        _ key: Key, at known: Int?, fresh: Bool, place: UInt64?, closing: SmallArray<Closing>, _ now: MonotonicTime
    ) -> LeaseDecision {
        var closing = closing
        let origin = known ?? insertOrigin(key)
        let room = capacity(at: origin, now)
        if case .none = room, place == nil, waiters.uncovered >= limits.maxWaiters {
            counters.rejected += 1
            removeOriginIfUnused(origin)
            return .rejected(.tooManyWaiters(limit: limits.maxWaiters))
        }
        let waiter =
            if let place {
                waiters.insert(fresh: fresh, at: place, origin: origin, into: &origins[origin])
            } else {
                waiters.append(fresh: fresh, origin: origin, to: &origins[origin])
            }
        counters.waits += 1
        switch room {
        case .surplusDial:
            return .wait(waiter, dial: nil, closing: closing)
        case .none:
            updateStarvation(of: origin)
            return .wait(waiter, dial: nil, closing: closing)
        case .evicting(let index):
            closing.append(closeIdle(index, .evicted))
            return .wait(waiter, dial: startDial(at: origin, for: waiter, now), closing: closing)
        case .free:
            return .wait(waiter, dial: startDial(at: origin, for: waiter, now), closing: closing)
        }
    }

    /// The room within the limits for a new connection of an origin.
    private enum Capacity {
        /// A recently started dial on which no waiter relies is under way. The new waiter will rely on it.
        case surplusDial
        case free
        /// The limits are reached, but closing this idle connection makes room.
        case evicting(Int)
        case none
    }

    private mutating func capacity(at origin: Int, _ now: MonotonicTime) -> Capacity {
        if origins[origin].surplusDials > 0 {
            detachSurplusDials(of: origin, now)
            if origins[origin].surplusDials > 0 { return .surplusDial }
        }
        let record = origins[origin]
        // The request refuses the origin's remaining idle connections (`fresh`, `notIdleBefore`). They are probably
        // stale, so they are evicted before those of other origins.
        if record.connections >= limits.perOrigin {
            return record.idle.first.map { .evicting($0) } ?? .none
        }
        guard openCount >= capacity else { return .free }
        return (record.idle.first ?? connections.leastRecentlyUsed).map { .evicting($0) } ?? .none
    }

    /// The place of a waiter in the order of arrival across all keys; nil if it no longer waits.
    func sequence(of id: WaiterID) -> UInt64? { waiters.index(of: id).map { waiters[$0].sequence } }

    /// Removes a waiter that was cancelled or timed out. O(1); dials under way continue.
    mutating func abandon(_ id: WaiterID) -> AbandonDecision {
        guard let waiter = waiters.index(of: id) else { return .alreadyServed }
        let origin = waiters[waiter].origin
        dequeue(waiter, of: origin)
        removeOriginIfUnused(origin)
        counters.abandoned += 1
        return .removed
    }
}

extension PoolMachine {
    /// Returns a leased connection to the pool.
    ///
    /// - Parameters:
    ///   - reusable: True if another exchange may follow: request and response complete, no error, no upgrade, and
    ///     persistence agreed (RFC 9112 §9.3).
    ///   - keepAliveTimeout: The server's `Keep-Alive: timeout`.
    ///   - remainingUses: The server's `Keep-Alive: max`: the number of further requests that it accepts on this
    ///     connection.
    mutating func release(
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
            return closeLeased(index, of: origin, .notReusable, now)
        }
        if (remainingUses ?? 1) <= 0 || connections[index].uses >= limits.maxUses ?? .max {
            return closeLeased(index, of: origin, .maxUses, now)
        }
        if connections[index].ageDeadline <= now {
            return closeLeased(index, of: origin, expiryReason(of: index, now: now), now)
        }
        if mayExceedLimits, exceedsLimits(origin) { return closeLeased(index, of: origin, .limitsLowered, now) }
        if let waiter = origins[origin].ordinary.first {
            guard !mustYield(waiter, of: origin) else { return closeLeased(index, of: origin, .evicted, now) }
            connections[index].isReused = true
            let (waiter, lease) = serve(waiter, of: origin, with: index)
            return .serve(waiter, lease)
        }
        return makeIdle(index, of: origin, keepAliveTimeout: keepAliveTimeout, now: now)
    }

    /// Reports that the peer closed a leased connection before the first byte of a response.
    ///
    /// The connection's place within the limits goes to the longest-waiting request, of any key, that can use it. A
    /// caller that still needs a connection calls `lease` again.
    mutating func closedByPeer(_ id: ConnectionID, now: MonotonicTime) -> ReleaseDecision {
        guard let index = connections.index(of: id), connections[index].state == .leased else {
            assertionFailure("a connection that the peer closed is not leased")
            return .none
        }
        return closeLeased(index, of: connections[index].origin, .closedByPeer, now)
    }

    private mutating func closeLeased(
        _ index: Int, of origin: Int, _ reason: PoolCloseReason, _ now: MonotonicTime
    ) -> ReleaseDecision {
        let closing = close(index, reason)
        return .close(closing, dial: fillFreedPlace(of: origin, now))
    }

    /// True if a released connection must not serve `waiter`, because the connection's place belongs to an older waiter
    /// that needs a dial. The older waiter wants a fresh connection, or waits for another origin that has no
    /// connection. Without this rule, a busy origin that passes its connections from waiter to waiter would keep the
    /// older waiter waiting indefinitely.
    private func mustYield(_ waiter: Int, of origin: Int) -> Bool {
        let sequence = waiters[waiter].sequence
        // `waiter` is the origin's oldest waiter that accepts a used connection. `firstUncovered`, the oldest waiter
        // that relies on no dial, thus wants a fresh connection if it is older than `waiter`.
        if let fresh = origins[origin].firstUncovered, waiters[fresh].sequence < sequence {
            // If an even older waiter of another origin would get the place, closing the connection would not help
            // `fresh`.
            if starved.first.map({ $0.sequence >= waiters[fresh].sequence }) ?? true { return true }
        }
        guard !starved.isEmpty, let longest = starved.first, longest.origin != origin else { return false }
        return longest.sequence < sequence && origins[longest.origin].connections == 0
    }

    /// Makes a leased connection idle, or closes it if its place is needed or the connection may not be kept.
    mutating func makeIdle(
        _ index: Int, of origin: Int, keepAliveTimeout: Duration?, now: MonotonicTime
    ) -> ReleaseDecision {
        guard endings.isEmpty || !isEnding(origin) else { return closeLeased(index, of: origin, .shutDown, now) }
        if mayExceedLimits, exceedsLimits(origin) { return closeLeased(index, of: origin, .limitsLowered, now) }
        // If waiters without a dial remain, this connection gives way to a new one, because they cannot use it. Waiters
        // of this origin want a fresh connection, or must not use this one because its dial began before
        // ``retire(where:)`` was called. Waiters of `starved` origins are held back by the total limit and need a
        // connection of another key.
        guard origins[origin].firstUncovered == nil && starved.isEmpty else {
            return closeLeased(index, of: origin, .evicted, now)
        }
        var deadline = MonotonicTime.earlier(now.advanced(byNanoseconds: idleTimeout), connections[index].ageDeadline)
        if let keepAliveTimeout {
            let announced = keepAliveTimeout.clampedNanoseconds
            deadline = .earlier(deadline, now.advanced(byNanoseconds: announced - min(keepAliveMargin, announced / 2)))
        }
        guard deadline > now else { return closeLeased(index, of: origin, expiryReason(of: index, now: now), now) }
        let limit = limits.maxIdlePerOrigin ?? .max
        guard limit > 0 else { return closeLeased(index, of: origin, .idleLimit, now) }
        connections.keep(at: index, until: deadline, in: &origins[origin])
        earliestExpiry = .earlier(earliestExpiry, deadline)
        if origins[origin].idleCount > limit, let oldest = origins[origin].idle.first {
            return .close(closeIdle(oldest, .idleLimit), dial: nil)
        }
        return .none
    }
}

extension PoolMachine {
    /// Removes a connection from the pool.
    mutating func close(_ index: Int, _ reason: PoolCloseReason) -> Closing {
        let origin = connections[index].origin
        let closing = Closing(id: connections.id(at: index), connection: connections.payload(at: index), reason: reason)
        connections.remove(at: index, from: &origins[origin])
        if !drains.isEmpty { drains.connectionClosed(closing.id) }
        counters.closed[reason] += 1
        return closing
    }

    /// Called after a connection or dial of `origin` has ended, or a slow dial was detached. If the limits leave room,
    /// starts a dial for the longest-waiting request that can use it, and returns that dial.
    mutating func fillFreedPlace(of origin: Int, _ now: MonotonicTime) -> Dial? {
        updateStarvation(of: origin)
        defer { removeOriginIfUnused(origin) }
        guard let longest = starved.first, openCount < capacity else { return nil }
        return startDial(at: longest.origin, now)
    }

    /// Adds the origin to `starved`, moves it or removes it, after its queue or its connections changed.
    mutating func updateStarvation(of origin: Int) {
        let record = origins[origin]
        guard let waiter = record.firstUncovered, record.connections < limits.perOrigin else {
            return starved.update(origin, sequence: nil)
        }
        starved.update(origin, sequence: waiters[waiter].sequence)
    }

    /// Removes a waiter from its queue, served or not.
    mutating func dequeue(_ waiter: Int, of origin: Int) {
        waiters.remove(at: waiter, from: &origins[origin])
        updateStarvation(of: origin)
    }

    /// Gives a leased connection to a waiter.
    mutating func serve(_ waiter: Int, of origin: Int, with index: Int) -> (WaiterID, Lease) {
        let id = waiters.id(at: waiter)
        dequeue(waiter, of: origin)
        return (id, countUse(index))
    }

    /// Counts one more use of a connection that is already leased.
    mutating func countUse(_ index: Int) -> Lease {
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
