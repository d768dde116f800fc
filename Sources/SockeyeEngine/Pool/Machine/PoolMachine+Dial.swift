package import SockeyeCore

extension PoolMachine {
    /// A dial gave a connection: it serves the oldest waiter of its key, or stays idle.
    ///
    /// After a shutdown, or when its place is needed more elsewhere, the action says to close it.
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
        return keep(index, of: origin, keepAliveTimeout: nil, now: now)
    }

    /// A dial failed: one waiter gets the error, and another attempt is made if others need it.
    package mutating func dialFailed(_ id: DialID) -> DialFailureDecision {
        guard let origin = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            return DialFailureDecision(failed: nil, dial: nil)
        }
        counters.dialsFailed += 1
        var failed: WaiterID?
        // With as many dials left as waiters, each of these still has its chance.
        if origins[origin].dialling < origins[origin].covered, let oldest = origins[origin].queue.first {
            failed = waiters.id(at: oldest)
            dequeue(oldest, of: origin)
        }
        return DialFailureDecision(failed: failed, dial: fillFreedPlace(of: origin))
    }

    /// A dial was not even begun, since nobody waits for a connection of its key any more. The dial that its place goes to.
    package mutating func dialDropped(_ id: DialID) -> Dial? {
        guard let origin = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            return nil
        }
        assert(origins[origin].queue.first == nil, "a dial was dropped that somebody waits for")
        return fillFreedPlace(of: origin)
    }

    /// Whether anybody waits for a connection of the key, so that another dial may be due for it.
    package func isWaitedFor(_ key: Key) -> Bool {
        origins.index(of: key).map { origins[$0].queue.first != nil } ?? false
    }

    /// Opens connections ahead of need, until `count` of the key are idle or will be; never beyond a limit, and never
    /// in place of another connection.
    package mutating func prewarm(_ key: Key, count: Int) -> [Dial] {
        guard endings.isEmpty || isAccepted(key, fresh: false) else { return [] }
        let origin = insertOrigin(key)
        defer { removeOriginIfUnused(origin) }
        let record = origins[origin]
        let wanted = max(0, min(count, limits.maxIdlePerOrigin ?? .max)) - record.idleCount - record.surplusDials
        let room = min(limits.perOrigin - record.connections, capacity - openCount)
        return (0..<max(0, min(wanted, room))).map { _ in startDial(at: origin) }
    }

    /// The origin of a dial that is under way, from now on not any more. The origin's record is left to be settled.
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
        // In floating point: the product of a long `Duration` traps.
        let nanoseconds = Double(maxAge.clampedNanoseconds) * (1 + limits.ageJitter * jitter.next())
        return now.advanced(byNanoseconds: Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? .min : .max))
    }
}

/// Running out of descriptors or memory, as a limit of connections that is learned and forgotten again.
extension PoolMachine {
    /// How long the pool makes do with the connections that it has, before it tries to have more.
    private static var exhaustionPause: Int64 { 1_000_000_000 }

    /// A dial failed since the process or the system has no descriptors or memory left.
    ///
    /// An idle connection is given up for it, the least recently used of whatever key. Where there is none, but others are
    /// in use, these are as many as there can be: waiters get the next that is released, or its place. After a while
    /// the limits of the configuration hold again. For a dial without a waiter no connection is given up.
    package mutating func dialExhausted(_ id: DialID, now: MonotonicTime) -> ExhaustionDecision {
        guard let dial = dials.index(of: id) else { return .failed(dialFailed(id)) }
        let origin = dials[dial]
        guard origins[origin].surplusDials == 0 else { return .failed(dialFailed(id)) }
        if let idle = connections.leastRecentlyUsed { return .retry(after: closeIdle(idle, .evicted)) }
        guard openCount > 1 else {
            // Nothing can get free. Each of those who wait has the dial that the failure of the one before leads to.
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

    /// When to call ``retryExhausted(now:)``; nil while the limits of the configuration hold.
    package var exhaustionDeadline: MonotonicTime? { ceiling == nil ? nil : retryTime }

    /// Tries for as many connections as the configuration allows, once the time has come: the dials for those who wait.
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
