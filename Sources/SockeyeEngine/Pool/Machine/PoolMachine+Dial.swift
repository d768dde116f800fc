import SockeyeCore

extension PoolMachine {
    /// Reports that a dial opened a connection. The connection serves the oldest waiter of its key or becomes idle.
    ///
    /// Instead of becoming idle, the connection is closed if its client was shut down, or if its place within the
    /// limits is needed for a request that cannot use this connection. If ``retire(where:)`` retired the key after the
    /// dial began, the connection may serve only waiters that already relied on a dial when the key was retired. If no
    /// such waiter is left, the connection is closed. In every case the caller calls ``redial(after:now:)`` next.
    mutating func dialSucceeded(
        _ id: DialID, connection: Connection, now: MonotonicTime
    ) -> ReleaseDecision {
        let awaiting = drains.isEmpty ? [] : drains.awaiting(id)
        guard let dial = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            let unknown = ConnectionID(slot: .max, serial: 0)
            return .close(Closing(id: unknown, connection: connection, reason: .shutDown), dial: nil)
        }
        let origin = dial.origin
        counters.created += 1
        let entry = PooledConnection(origin: origin, ageDeadline: dial.isRetired ? .zero : ageDeadline(from: now))
        let index = connections.insert(connection, as: entry, into: &origins[origin])
        if !awaiting.isEmpty { drains.add(connections.id(at: index), to: awaiting) }
        connections[index].made = now
        connections[index].lastUse = now
        if let waiter = origins[origin].queue.first, waiters[waiter].sequence <= dial.lastServed {
            let (waiter, lease) = serve(waiter, of: origin, with: index)
            return .serve(waiter, lease)
        }
        uncoverWaiters(of: origin)
        return makeIdle(index, of: origin, keepAliveTimeout: nil, now: now)
    }

    /// Reports that a dial failed. The waiter that the dial was started for gets the error. The dial's place within the
    /// limits goes to the longest-waiting request that can use it.
    mutating func dialFailed(_ id: DialID, now: MonotonicTime) -> DialFailureDecision {
        guard let dial = endDial(id) else {
            assertionFailure("a dial ended that was not under way")
            return DialFailureDecision(failed: nil, dial: nil)
        }
        counters.dialsFailed += 1
        var failed: WaiterID?
        if let id = dial.waiter, let waiter = waiters.index(of: id) {
            failed = id
            dequeue(waiter, of: dial.origin)
        }
        uncoverWaiters(of: dial.origin)
        return DialFailureDecision(failed: failed, dial: fillFreedPlace(of: dial.origin, now))
    }

    /// Reports that a dial was dropped before any connection attempt, because its key has no waiters any more. Returns
    /// the dial to start instead; nil if no waiter of another key can use the freed place.
    mutating func dialDropped(_ id: DialID, now: MonotonicTime) -> Dial? {
        guard let origin = endDial(id)?.origin else {
            assertionFailure("a dial ended that was not under way")
            return nil
        }
        assert(origins[origin].queue.first == nil, "a dial with a waiter was dropped")
        return fillFreedPlace(of: origin, now)
    }

    /// True if a request waits for a connection of the key.
    func isWaitedFor(_ key: Key) -> Bool {
        origins.index(of: key).map { origins[$0].queue.first != nil } ?? false
    }

    /// The key that a request waits for; nil if the request no longer waits.
    func key(of id: WaiterID) -> Key? {
        waiters.index(of: id).map { origins.key(at: waiters[$0].origin) }
    }

    /// The key of a connection; nil if requests wait for that key, or if the connection is gone.
    func keyWithoutWaiters(of id: ConnectionID) -> Key? {
        guard let index = connections.index(of: id) else { return nil }
        let origin = connections[index].origin
        return origins[origin].queue.isEmpty ? origins.key(at: origin) : nil
    }

    /// Starts dials ahead of need, until the key has `count` connections for future requests: idle ones, and dials on
    /// which no waiter relies. Never exceeds a limit and never replaces another connection.
    mutating func prewarm(_ key: Key, count: Int, now: MonotonicTime) -> [Dial] {
        guard endings.isEmpty || isAccepted(key, fresh: false) else { return [] }
        let origin = insertOrigin(key)
        defer { removeOriginIfUnused(origin) }
        let record = origins[origin]
        let wanted = max(0, min(count, limits.maxIdlePerOrigin ?? .max)) - record.idleCount - record.surplusDials
        let room = min(limits.perOrigin - record.connections, capacity - openCount)
        return (0..<max(0, min(wanted, room))).map { _ in startDial(at: origin, now) }
    }

    /// Starts a dial for `waiter`. If `waiter` is nil, the dial is for the origin's first waiter that has no dial yet.
    /// If there is no such waiter either, the dial is ahead of need.
    mutating func startDial(at origin: Int, for waiter: WaiterID? = nil, _ now: MonotonicTime) -> Dial {
        let waiter = waiter ?? origins[origin].firstUncovered.map { waiters.id(at: $0) }
        let id = dials.insert(DialRecord(origin: origin, waiter: waiter, started: now))
        origins[origin].dialling += 1
        waiters.coverByDials(in: &origins[origin])
        updateStarvation(of: origin)
        return Dial(id: id, key: origins.key(at: origin), waiter: waiter, started: now)
    }

    /// Removes a dial that is under way and returns its record. The caller updates the rest of the origin's record.
    private mutating func endDial(_ id: DialID) -> DialRecord? {
        guard let index = dials.index(of: id) else { return nil }
        let dial = dials[index]
        dials.remove(at: index)
        if !drains.isEmpty { drains.dialEnded(id) }
        origins[dial.origin].dialling -= 1
        if dial.isDetached { origins[dial.origin].detached -= 1 }
        return dial
    }

    /// Called after a dial has ended or was detached. Each covered waiter relies on a dial that is not detached. If
    /// there are more covered waiters than such dials, the last covered waiters in the queue become uncovered. The
    /// caller must then update `starved`.
    private mutating func uncoverWaiters(of origin: Int) {
        while origins[origin].surplusDials < 0 { waiters.uncoverLast(of: &origins[origin]) }
    }

    /// Returns the time from which a connection opened at `now` is too old, with a random deviation.
    mutating func ageDeadline(from now: MonotonicTime) -> MonotonicTime {
        guard let maxAge = limits.maxAge else { return .distantFuture }
        // In floating point because multiplying a long `Duration` traps.
        let nanoseconds = Double(maxAge.clampedNanoseconds) * (1 + limits.ageJitter * jitter.next())
        return now.advanced(byNanoseconds: Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? .min : .max))
    }
}

/// Slow dials that have lost their requesters: each requester got another connection or gave up. New waiters do not
/// rely on slow dials: a packet may be lost or the peer may hang, and a new connection attempt may succeed at once.
/// Dials that began before ``retire(where:)`` and have lost their requesters count as slow.
extension PoolMachine {
    /// The age in nanoseconds at which a dial that has lost its requester counts as slow: the delay after which Happy
    /// Eyeballs starts a second attempt (RFC 8305 8).
    private static var patience: Int64 { 250_000_000 }
    /// The corresponding age for a dial ahead of need: the time after which TCP repeats a lost SYN (1 s, RFC 6298).
    private static var prewarmingPatience: Int64 { 1_000_000_000 }

    /// Detaches slow dials (``DialRecord/isDetached``): they continue, but no waiter relies on them any more. At most
    /// ``OriginRecord/surplusDials`` dials are detached, so every waiter that relies on a dial keeps one.
    mutating func detachSurplusDials(of origin: Int, _ now: MonotonicTime) {
        for dial in slowDials(of: origin, now).prefix(origins[origin].surplusDials) { detach(dial) }
    }

    /// Called after a dial has opened a connection; `ended` is that dial. The waiter for which the dial was started may
    /// still wait, because an older waiter got the connection. If so, and if the origin has a slow dial, another dial
    /// is started in addition to the slow one. Returns nil if these conditions are not met or the limits leave no room.
    mutating func redial(after ended: Dial, now: MonotonicTime) -> Dial? {
        guard let waiter = ended.waiter.flatMap({ waiters.index(of: $0) }) else { return nil }
        let origin = waiters[waiter].origin
        guard origins[origin].connections < limits.perOrigin, openCount < capacity else { return nil }
        // A dial counts as slow here only if it was already slow when `ended` began. Without this condition, several
        // dials that began together to a distant peer would all count as slow, although nothing is wrong with them.
        guard let slow = slowDials(of: origin, ended.started).first else { return nil }
        detach(slow)
        uncoverWaiters(of: origin)
        return fillFreedPlace(of: origin, now)
    }

    private mutating func detach(_ dial: Int) {
        dials[dial].isDetached = true
        origins[dials[dial].origin].detached += 1
    }

    /// The dials of an origin, oldest first, that meet two conditions: they have no waiting requester, and they are
    /// retired or were already slow at `time`.
    private func slowDials(of origin: Int, _ time: MonotonicTime) -> [Int] {
        let slow = dials.indices.filter { index in
            let dial = dials[index]
            guard dial.origin == origin, !dial.isDetached else { return false }
            if let waiter = dial.waiter, waiters.index(of: waiter) != nil { return false }
            if dial.isRetired { return true }
            let patience = dial.waiter == nil ? Self.prewarmingPatience : Self.patience
            return dial.started.advanced(byNanoseconds: patience) <= time
        }
        return slow.sorted { dials.id(at: $0).serial < dials.id(at: $1).serial }
    }
}

/// Exhaustion of descriptors or memory, treated as a temporary limit on the number of connections.
extension PoolMachine {
    /// The duration of the temporary limit, in nanoseconds.
    private static var exhaustionPause: Int64 { 1_000_000_000 }

    /// Reports that a dial failed because the process or the system has no descriptors or memory left.
    ///
    /// The least recently used idle connection of any key is closed to make room. If no connection is idle, the pool
    /// gets a limit for one second: the number of its other connections, in use or being opened. A dial on which no
    /// waiter relies just fails: no connection is closed for it.
    mutating func dialExhausted(_ id: DialID, now: MonotonicTime) -> ExhaustionDecision {
        guard let dial = dials.index(of: id) else { return .failed(dialFailed(id, now: now)) }
        let origin = dials[dial].origin
        guard origins[origin].surplusDials == 0, !dials[dial].isDetached else {
            return .failed(dialFailed(id, now: now))
        }
        if let idle = connections.leastRecentlyUsed { return .retry(after: closeIdle(idle, .evicted)) }
        guard openCount > 1 else {
            // The pool has no other connection that could become free, so a waiter would wait in vain: the dial's
            // waiter gets the error. Further dials are tried one at a time, each for the waiter that is then the first.
            limitConnections(to: 1, now)
            let decision = dialFailed(id, now: now)
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
    var exhaustionDeadline: MonotonicTime? { ceiling == nil ? nil : retryTime }

    /// Restores the configured limits once ``exhaustionDeadline`` has passed. Returns the dials for the waiters.
    mutating func retryExhausted(now: MonotonicTime) -> [Dial] {
        guard ceiling != nil, retryTime <= now else { return [] }
        forgetExhaustion()
        var started: [Dial] = []
        while openCount < capacity, let longest = starved.first { started.append(startDial(at: longest.origin, now)) }
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
