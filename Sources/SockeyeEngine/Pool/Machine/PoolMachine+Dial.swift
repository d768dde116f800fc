package import SockeyeCore

extension PoolMachine {
    /// Reports that a dial opened a connection. The connection serves the oldest waiter of its key or becomes idle.
    ///
    /// After a shutdown, or if another key needs the place more, the connection is closed instead.
    package mutating func dialSucceeded(
        _ id: DialID, connection: Connection, now: MonotonicTime
    ) -> ReleaseDecision {
        let isRetired = retiredDials.contains(id)
        let awaiting = isRetired ? drains.awaiting(id) : []
        guard let origin = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            let unknown = ConnectionID(slot: .max, serial: 0)
            return .close(Closing(id: unknown, connection: connection, reason: .shutDown), dial: nil)
        }
        counters.created += 1
        let entry = PooledConnection(origin: origin, ageDeadline: isRetired ? .zero : ageDeadline(from: now))
        let index = connections.insert(connection, as: entry, into: &origins[origin])
        if !awaiting.isEmpty { drains.add(connections.id(at: index), to: awaiting) }
        connections[index].made = now
        connections[index].lastUse = now
        if let waiter = origins[origin].queue.first {
            let (waiter, lease) = serve(waiter, of: origin, with: index)
            return .serve(waiter, lease)
        }
        return makeIdle(index, of: origin, keepAliveTimeout: nil, now: now)
    }

    /// Reports that a dial failed. One waiter gets the error, and another dial is started if other waiters need it.
    package mutating func dialFailed(_ id: DialID) -> DialFailureDecision {
        guard let origin = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            return DialFailureDecision(failed: nil, dial: nil)
        }
        counters.dialsFailed += 1
        var failed: WaiterID?
        // If at least as many dials as waiters are left, each waiter still has its chance.
        if origins[origin].dialling < origins[origin].covered, let oldest = origins[origin].queue.first {
            failed = waiters.id(at: oldest)
            dequeue(oldest, of: origin)
        }
        return DialFailureDecision(failed: failed, dial: fillFreedPlace(of: origin))
    }

    /// Reports that a dial was not begun because its key has no waiters any more. Returns the dial that gets its place.
    package mutating func dialDropped(_ id: DialID) -> Dial? {
        guard let origin = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            return nil
        }
        assert(origins[origin].queue.first == nil, "a dial with a waiter was dropped")
        return fillFreedPlace(of: origin)
    }

    /// True if a request waits for a connection of the key, so that another dial may be due for it.
    package func isWaitedFor(_ key: Key) -> Bool {
        origins.index(of: key).map { origins[$0].queue.first != nil } ?? false
    }

    /// Opens connections ahead of need, until `count` connections of the key are idle or about to be. It never exceeds
    /// a limit and never replaces another connection.
    package mutating func prewarm(_ key: Key, count: Int) -> [Dial] {
        guard endings.isEmpty || isAccepted(key, fresh: false) else { return [] }
        let origin = insertOrigin(key)
        defer { removeOriginIfUnused(origin) }
        let record = origins[origin]
        let wanted = max(0, min(count, limits.maxIdlePerOrigin ?? .max)) - record.idleCount - record.surplusDials
        let room = min(limits.perOrigin - record.connections, capacity - openCount)
        return (0..<max(0, min(wanted, room))).map { _ in startDial(at: origin) }
    }

    /// Removes a dial that is under way and returns its origin. The caller updates the rest of the origin's record.
    mutating func endDial(_ id: DialID) -> Int? {
        guard let dial = dials.index(of: id) else { return nil }
        let origin = dials[dial]
        dials.remove(at: dial)
        retiredDials.remove(id)
        if !drains.isEmpty { drains.dialEnded(id) }
        origins[origin].dialling -= 1
        return origin
    }

    mutating func ageDeadline(from now: MonotonicTime) -> MonotonicTime {
        guard let maxAge = limits.maxAge else { return .distantFuture }
        // In floating point because multiplying a long `Duration` traps.
        let nanoseconds = Double(maxAge.clampedNanoseconds) * (1 + limits.ageJitter * jitter.next())
        return now.advanced(byNanoseconds: Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? .min : .max))
    }
}

/// Exhaustion of descriptors or memory, treated as a temporary limit on the number of connections.
extension PoolMachine {
    /// The time for which the pool makes do with its present connections before it tries to open more.
    private static var exhaustionPause: Int64 { 1_000_000_000 }

    /// Reports that a dial failed because the process or the system has no descriptors or memory left.
    ///
    /// The least recently used idle connection of any key is closed to make room. If no connection is idle but others
    /// are in use, their number becomes the limit. Waiters then get the next released connection, or its place. After a
    /// while the configured limits apply again. For a dial without a waiter no connection is closed.
    package mutating func dialExhausted(_ id: DialID, now: MonotonicTime) -> ExhaustionDecision {
        guard let dial = dials.index(of: id) else { return .failed(dialFailed(id)) }
        let origin = dials[dial]
        guard origins[origin].surplusDials == 0 else { return .failed(dialFailed(id)) }
        if let idle = connections.leastRecentlyUsed { return .retry(after: closeIdle(idle, .evicted)) }
        guard openCount > 1 else {
            // No connection can become free. Each waiter gets the dial that the failure of the previous one leads to.
            limitConnections(to: 1, now)
            let decision = dialFailed(id)
            if decision.dial == nil { forgetExhaustion() }
            return .failed(decision)
        }
        _ = endDial(id)
        let waiter = waiters.uncoverLast(of: &origins[origin])
        limitConnections(to: openCount, now)
        updateStarvation(of: origin)
        return .wait(waiters.id(at: waiter))
    }

    /// The time to call ``retryExhausted(now:)``; nil while the configured limits apply.
    package var exhaustionDeadline: MonotonicTime? { ceiling == nil ? nil : retryTime }

    /// Restores the configured limits once their time has come. Returns the dials for the waiters.
    package mutating func retryExhausted(now: MonotonicTime) -> [Dial] {
        guard ceiling != nil, retryTime <= now else { return [] }
        forgetExhaustion()
        var started: [Dial] = []
        while openCount < capacity, let longest = starved.first { started.append(startDial(at: longest.origin)) }
        return started
    }

    private mutating func limitConnections(to connections: Int, _ now: MonotonicTime) {
        ceiling = connections
        retryTime = now.advanced(byNanoseconds: Self.exhaustionPause)
    }

    private mutating func forgetExhaustion() {
        ceiling = nil
        retryTime = .distantFuture
    }
}
