import SockeyeCore

/// The state of a pool under its lock: the machine, the parked waiters, and the dial target of each key.
///
/// A waiter leaves the machine's queue and the parked waiters in one step, with its outcome.
@safe struct PoolState {
    typealias Continuation = UnsafeContinuation<PoolOutcome, Never>
    typealias Parked = ParkedWaiters<Continuation, PoolOutcome>

    /// The step outside of the lock for a connection that got free.
    enum Step {
        /// It is idle; the next one expires then.
        case kept(until: MonotonicTime?)
        case resume(EndedPoolWait?)
        case close(OriginConnection, dial: ConnectionPool.Dial?)
    }

    var machine: ConnectionPool.Machine
    /// The peers that have closed connections unannounced.
    private(set) var closes = CloseHistory<PoolKey.Peer>()
    /// What the last dial ran out of, for the errors of those who wait because of that.
    private(set) var exhaustion: SockeyeError?
    private var parked = unsafe Parked()
    /// How to dial for a key, from a request that waits for it; kept while anybody waits.
    private var targets: [PoolKey: DialTarget] = [:]
    /// The key that a target was set for last; most waits in a row are for one key. By the machine's record of it, since
    /// comparing keys is much of what it costs to wait.
    private var latestTarget: PoolID<OriginKind>?

    init(machine: ConnectionPool.Machine) {
        self.machine = machine
    }

    // MARK: Waiters

    /// Gives a waiter that the machine has queued its place; ``park(_:as:until:)`` follows.
    mutating func queue(_ id: WaiterID) {
        // What others ran out of, who gave up, and what has passed since.
        if exhaustion != nil, unsafe parked.isEmpty, machine.exhaustionDeadline == nil { exhaustion = nil }
        unsafe parked.enter(id)
    }

    mutating func park(_ continuation: Continuation, as id: WaiterID, until deadline: MonotonicTime) -> Parked.Parking {
        unsafe parked.park(continuation, as: id, until: deadline)
    }

    /// Gives a waiter its outcome. Whoever calls resumes it.
    mutating func settle(_ id: WaiterID, _ outcome: PoolOutcome) -> EndedPoolWait? {
        let continuation = unsafe parked.settle(id, outcome)
        if unsafe parked.isEmpty { forgetTargets() }
        return unsafe continuation.map { unsafe EndedPoolWait(continuation: $0, outcome: outcome) }
    }

    /// Gives all waiters the same outcome. Whoever calls resumes them.
    mutating func settleAll(_ outcome: PoolOutcome) -> [EndedPoolWait] {
        unsafe parked.waiters.compactMap { settle($0, outcome) }
    }

    /// Takes a waiter that gives up out of the queue. Whoever calls resumes it. Nothing happens to one that was served.
    mutating func abandon(_ id: WaiterID, _ outcome: PoolOutcome) -> EndedPoolWait? {
        guard machine.abandon(id) == .removed else { return nil }
        return settle(id, outcome)
    }

    /// Has those give up whose deadline has passed. Whoever calls resumes them, and comes back when the next one passes.
    mutating func expire(at now: MonotonicTime) -> (ended: [EndedPoolWait], next: MonotonicTime?) {
        let ended = unsafe parked.expired(at: now).compactMap { abandon($0, .timedOut) }
        return unsafe (ended, parked.wakeTime == .distantFuture ? nil : parked.wakeTime)
    }

    /// Lets the waiter that a connection goes to have it.
    mutating func carryOut(_ decision: consuming ConnectionPool.Machine.ReleaseDecision) -> Step {
        switch decision {
        case .none: .kept(until: machine.nextDeadline)
        case .serve(let id, let lease): .resume(settle(id, .lease(lease)))
        case .close(let closing, let dial): .close(closing.connection, dial: dial)
        }
    }

    // MARK: Closed by the peer

    /// Since when a connection may have been idle to be lent for a request, as of ``PoolMachine/lease(_:fresh:notIdleBefore:now:)``.
    @inline(__always)
    mutating func earliestUse(
        _ key: PoolKey, for request: borrowing PreparedRequest, now: MonotonicTime
    ) -> MonotonicTime {
        closes.isEmpty || request.isRepeatable ? .zero : closes.earliestUse(of: key.peer, now: now)
    }

    /// Takes a connection back.
    mutating func release(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Duration?, remainingUses: Int?, now: MonotonicTime
    ) -> Step {
        if closes.isAwaitingProof, reusable { noteLife(of: id, now) }
        return carryOut(
            machine.release(
                id, reusable: reusable, keepAliveTimeout: keepAliveTimeout, remainingUses: remainingUses, now: now))
    }

    /// A connection brought a complete answer: if that was not its first, its peer lets connections live.
    @inline(never)
    private mutating func noteLife(of id: ConnectionID, _ now: MonotonicTime) {
        guard let record = machine.record(of: id), record.uses > 1 else { return }
        closes.lived(record.key.peer, lastUse: record.lastUse, now: now)
    }

    /// A connection on lease was closed by the peer before it could answer.
    mutating func foundClosed(_ id: ConnectionID, _ connection: OriginConnection, now: MonotonicTime) -> Step {
        noteClose(of: id, connection, now)
        return carryOut(machine.foundStale(id))
    }

    /// An idle connection that has to be closed since bytes or the end came on it. Nil: it is in use again, or
    /// it was nothing.
    mutating func endIfClosed(_ id: ConnectionID, now: MonotonicTime) -> OriginConnection? {
        guard let connection = machine.idleConnection(id), !connection.isQuiet() else { return nil }
        noteClose(of: id, connection, now)
        return machine.idleClosed(id)?.connection
    }

    private mutating func noteClose(of id: ConnectionID, _ connection: OriginConnection?, _ now: MonotonicTime) {
        guard let record = machine.record(of: id) else { return }
        closes.closed(
            record.key.peer, made: record.made, lastUse: record.lastUse, end: connection?.endTime, now: now)
    }

    mutating func forgetCloses(now: MonotonicTime) { closes.tick(now: now) }

    // MARK: Dials that fail

    /// The step outside of the lock for a dial that failed.
    enum DialFailure {
        /// Close this connection, then dial again.
        case retry(after: OriginConnection)
        /// The waiter of the dial goes on waiting; with a time, the timer is to be set to that.
        case wait(WaiterID, wakeTime: MonotonicTime?)
        case end(EndedPoolWait?, next: ConnectionPool.Dial?)
    }

    mutating func dialFailed(_ dial: ConnectionPool.Dial, _ error: SockeyeError, now: MonotonicTime) -> DialFailure {
        guard error.code == .outOfResources else { return end(machine.dialFailed(dial.id), error) }
        switch machine.dialExhausted(dial.id, now: now) {
        case .retry(let closing): return .retry(after: closing.connection)
        case .failed(let decision): return end(decision, error)
        case .wait(let id):
            exhaustion = error
            let deadline = now.deadline(after: targets[dial.key]?.limits.pool)
            return .wait(id, wakeTime: unsafe parked.shortenWait(id, to: deadline))
        }
    }

    private mutating func end(_ decision: ConnectionPool.Machine.DialFailureDecision, _ error: SockeyeError)
        -> DialFailure
    {
        .end(decision.failed.flatMap { settle($0, .failed(error)) }, next: decision.dial)
    }

    mutating func dialSucceeded(
        _ dial: ConnectionPool.Dial, _ connection: OriginConnection, now: MonotonicTime
    ) -> Step {
        exhaustion = nil
        return carryOut(machine.dialSucceeded(dial.id, connection: connection, now: now))
    }

    // MARK: Targets

    /// How to make a connection that the machine wants. Nil when nobody waits for one of its key any more: then the dial
    /// has ended, in the same look, before anybody could join who would take its end for their own; and a place got free,
    /// perhaps for another.
    mutating func begin(_ dial: ConnectionPool.Dial) -> (target: DialTarget?, next: ConnectionPool.Dial?) {
        if let target = targets[dial.key] { return (target, nil) }
        return (nil, machine.dialDropped(dial.id))
    }

    /// Notes how to dial for a key, which the machine has just queued somebody for, unless it is known.
    mutating func setTarget(of key: PoolKey, _ make: () -> DialTarget) {
        let latest = machine.origins.latestID
        if latestTarget != nil, latestTarget == latest { return }
        if targets[key] == nil { targets[key] = make() }
        latestTarget = latest
    }

    /// A dial of the key has ended. There may always be a waiter for something; a crawler must not pile up targets
    /// meanwhile.
    mutating func forgetTarget(of key: PoolKey) {
        if unsafe parked.isEmpty {
            forgetTargets()
        } else if !machine.isWaitedFor(key) {
            targets[key] = nil
            latestTarget = nil
            if targets.isEmpty { forgetTargets() }
        }
    }

    private mutating func forgetTargets() {
        // As the other tables of the pool do: a crawler's peak is given back.
        targets.removeAll(keepingCapacity: targets.capacity <= 4 * PoolMemory.kept)
        latestTarget = nil
    }
}

/// The result of waiting for a connection.
enum PoolOutcome: Sendable {
    case lease(ConnectionPool.Lease)
    case failed(SockeyeError)
    case timedOut
    case cancelled
}

/// A wait that is over, whose task is to be resumed once the lock is left.
@safe struct EndedPoolWait: Sendable {
    let continuation: PoolState.Continuation
    let outcome: PoolOutcome

    /// To be called once.
    func resume() { unsafe continuation.resume(returning: outcome) }
}
