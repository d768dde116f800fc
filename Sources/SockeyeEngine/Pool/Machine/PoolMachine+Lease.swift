package import SockeyeCore

extension PoolMachine {
    /// Asks for a connection of a key.
    ///
    /// - Parameters:
    ///   - notIdleBefore: an idle connection will do only if it was in use at this time or later, and without one a newly
    ///     dialled one is waited for: for a request that cannot be repeated, where connections were closed unannounced.
    ///   - fresh: only a newly dialled connection will do: for repeating a request that met a stale connection. Such
    ///     a request was accepted before, so a pool that drains still takes it.
    package mutating func lease(
        _ key: Key, fresh: Bool = false, notIdleBefore: MonotonicTime = .zero, now: MonotonicTime
    ) -> LeaseDecision {
        guard phase == .open || (phase == .draining && fresh) else {
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
        let origin = known ?? origins.insert(key)
        let room = room(at: origin)
        if case .none = room, waiters.uncovered >= limits.maxWaiters {
            counters.rejected += 1
            origins.removeIfUnused(origin)
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
        origins.removeIfUnused(origin)
        counters.abandoned += 1
        return .removed
    }
}
