import SockeyeCore
import SockeyeNet

/// The state of a pool under its lock: the ``PoolMachine``, the parked waiters (those with a suspended task), and the
/// dial target of each key (the data for opening its connections).
///
/// A waiter leaves the machine's queue and the parked waiters in the same critical section. That section also sets the
/// waiter's outcome.
@safe struct PoolState {
    typealias Continuation = UnsafeContinuation<PoolOutcome, Never>
    typealias Parked = ParkedWaiters<Continuation, PoolOutcome>

    /// The action to take outside the lock for a connection that became free.
    enum Step {
        /// Only watch the idle connections; the next check for expired ones is due at this time. Nil if no connection
        /// is idle.
        case kept(until: MonotonicTime?)
        /// Resume this waiter. Nil if its task is not parked yet; ``park(_:as:until:)`` then returns the outcome.
        case resume(FinishedPoolWait?)
        /// Close this connection, and start this dial, if any.
        case close(OriginConnection, dial: ConnectionPool.Dial?)
    }

    var machine: ConnectionPool.Machine
    /// The peers that have closed connections unannounced.
    private(set) var closes = CloseHistory<PoolKey.Peer>()
    /// The error of the last dial that ran out of descriptors or memory, for the waiters that the shortage holds back.
    private(set) var exhaustion: SockeyeError?
    private var parked = unsafe Parked()
    /// The dial target of each key that has waiters, made from a request that waits for the key.
    private var targets: [PoolKey: DialTarget] = [:]
    /// The time limits of the waiters whose limits differ from those in the target of their key.
    private var ownTimeouts: [WaiterID: SharedTimeouts] = [:]
    /// The key for which a target was set last, as the id of its record in the machine. Most consecutive waits are for
    /// one key, and comparing keys instead of ids would be much of the cost of a wait.
    private var latestTarget: SlotID<OriginKind>?
    /// The time limits in the target of the latest key. Compared by reference, because most requests share one object.
    private var latestTimeouts: SharedTimeouts?

    init(machine: ConnectionPool.Machine) {
        self.machine = machine
    }

    // MARK: Waiters

    /// Adds a waiter that the machine has queued; ``park(_:as:until:)`` follows.
    mutating func queue(_ id: WaiterID) {
        // Forgets the error once the shortage is over and no earlier waiter is left.
        if exhaustion != nil, unsafe parked.isEmpty, machine.exhaustionDeadline == nil { exhaustion = nil }
        unsafe parked.enter(id)
    }

    mutating func park(_ continuation: Continuation, as id: WaiterID, until deadline: MonotonicTime) -> Parked.Parking {
        unsafe parked.park(continuation, as: id, until: deadline)
    }

    /// Ends a wait with an outcome. The caller resumes the returned wait. Returns nil if the waiter is unknown, or if
    /// its task is not parked yet; ``park(_:as:until:)`` then returns the outcome.
    mutating func settle(_ id: WaiterID, _ outcome: PoolOutcome) -> FinishedPoolWait? {
        let continuation = unsafe parked.settle(id, outcome)
        if !ownTimeouts.isEmpty { ownTimeouts[id] = nil }
        if unsafe parked.isEmpty { forgetTargets() }
        return unsafe continuation.map { unsafe FinishedPoolWait(continuation: $0, outcome: outcome) }
    }

    /// Ends all waits with the same outcome. The caller resumes the waiters.
    mutating func settleAll(_ outcome: PoolOutcome) -> [FinishedPoolWait] {
        unsafe parked.waiters.compactMap { settle($0, outcome) }
    }

    /// Removes a waiter that stops waiting. The caller resumes it. No effect on a waiter that was served.
    mutating func abandon(_ id: WaiterID, _ outcome: PoolOutcome) -> FinishedPoolWait? {
        let key = targets.count > 1 ? machine.key(of: id) : nil
        guard machine.abandon(id) == .removed else { return nil }
        let wait = settle(id, outcome)
        if let key { forgetTarget(of: key) }
        return wait
    }

    /// Ends the wait of a waiter for which no timer could be made. The caller resumes the waiter, and makes a timer for
    /// `next`, the waiter whose deadline is now the earliest.
    mutating func timerFailed(
        for id: WaiterID, _ error: TransportError
    ) -> (failed: FinishedPoolWait?, next: (id: WaiterID, deadline: MonotonicTime)?) {
        let failed = abandon(id, .failed(SockeyeError(error, phase: .pool)))
        return unsafe (failed, parked.timerFailed())
    }

    /// Shuts a client down in the machine, and fails its waits unless the shutdown is graceful. The caller resumes the
    /// waiters.
    mutating func shutDown(
        _ owner: DialerID, graceful: Bool
    ) -> (decision: ConnectionPool.Machine.ShutdownDecision, failed: [FinishedPoolWait]) {
        let decision = machine.shutdown(owner, graceful: graceful)
        let failed = decision.waiters.compactMap { settle($0, .failed(.shutDown(.pool))) }
        if !decision.waiters.isEmpty {
            for key in targets.keys where key.owner == owner { forgetTarget(of: key) }
        }
        return (decision, failed)
    }

    /// Ends the waits that are past their deadline. The caller resumes the waiters and calls again at `next`.
    mutating func expire(at now: MonotonicTime) -> (ended: [FinishedPoolWait], next: MonotonicTime?) {
        let ended = unsafe parked.expired(at: now).compactMap { abandon($0, .timedOut) }
        return unsafe (ended, parked.wakeTime == .distantFuture ? nil : parked.wakeTime)
    }

    /// Carries out a decision inside the lock: gives the connection to the waiter that the decision names, if any.
    mutating func apply(_ decision: consuming ConnectionPool.Machine.ReleaseDecision) -> Step {
        switch decision {
        case .none: .kept(until: machine.nextDeadline)
        case .serve(let id, let lease): .resume(serve(id, lease))
        case .close(let closing, let dial): .close(closing.connection, dial: dial)
        }
    }

    private mutating func serve(_ id: WaiterID, _ lease: ConnectionPool.Lease) -> FinishedPoolWait? {
        let wait = settle(id, .lease(lease))
        if targets.count > 1, let key = machine.keyWithoutWaiters(of: lease.id) { forgetTarget(of: key) }
        return wait
    }

    // MARK: Closed by the peer

    /// Returns the earliest time at which an idle connection must have been used last to carry the request. A
    /// connection that has been idle for longer has probably been closed by its peer. `.zero`, which is no limit, for a
    /// request that can be sent again.
    @inline(__always)
    mutating func earliestUse(
        _ key: PoolKey, for request: borrowing PreparedRequest, now: MonotonicTime
    ) -> MonotonicTime {
        closes.isEmpty || request.isRepeatable ? .zero : closes.earliestUse(of: key.peer, now: now)
    }

    /// Releases a connection.
    mutating func release(
        _ id: ConnectionID, reusable: Bool, keepAliveTimeout: Duration?, remainingUses: Int?, now: MonotonicTime
    ) -> Step {
        if closes.isAwaitingProof, reusable { recordAnswer(of: id, now) }
        return apply(
            machine.release(
                id, reusable: reusable, keepAliveTimeout: keepAliveTimeout, remainingUses: remainingUses, now: now))
    }

    /// Releases a leased connection over which no request was sent. Without a response, the release does not prove to
    /// ``CloseHistory`` that the peer keeps connections open.
    mutating func giveBack(_ id: ConnectionID, now: MonotonicTime) -> Step {
        apply(machine.release(id, reusable: true, now: now))
    }

    /// Records that the peer kept a connection open until it brought another complete response. No effect for the first
    /// response on a connection.
    @inline(never)
    private mutating func recordAnswer(of id: ConnectionID, _ now: MonotonicTime) {
        guard let record = machine.record(of: id), record.uses > 1 else { return }
        closes.survived(record.key.peer, lastUse: record.lastUse, now: now)
    }

    /// Reports that the peer closed a leased connection before the first byte of a response.
    mutating func closedByPeer(_ id: ConnectionID, _ connection: OriginConnection, now: MonotonicTime) -> Step {
        recordClose(of: id, connection, now)
        return apply(machine.closedByPeer(id, now: now))
    }

    /// Removes an idle connection if it has received bytes or the end of the stream; the caller closes it. Nil if it is
    /// in use again or has received nothing.
    mutating func removeIfClosed(_ id: ConnectionID, now: MonotonicTime) -> OriginConnection? {
        guard let connection = machine.idleConnection(id), !connection.hasReceivedNothing() else { return nil }
        recordClose(of: id, connection, now)
        return machine.idleClosed(id)?.connection
    }

    private mutating func recordClose(of id: ConnectionID, _ connection: OriginConnection?, _ now: MonotonicTime) {
        guard let record = machine.record(of: id) else { return }
        closes.closed(
            record.key.peer, made: record.made, lastUse: record.lastUse, end: connection?.endTime, now: now)
    }

    mutating func forgetCloses(now: MonotonicTime) { closes.tick(now: now) }

    // MARK: Dials that fail

    /// The action to take outside the lock for a dial that failed.
    enum DialFailure {
        /// Close this connection, then dial again.
        case retry(after: OriginConnection)
        /// No wait has ended, but this waiter may have got an earlier deadline. If a time is given, the caller sets the
        /// timer to it.
        case wait(WaiterID, wakeTime: MonotonicTime?)
        /// Resume this waiter with the error, and start the next dial; each only if there is one.
        case end(FinishedPoolWait?, next: ConnectionPool.Dial?)
    }

    mutating func dialFailed(_ dial: ConnectionPool.Dial, _ error: SockeyeError, now: MonotonicTime) -> DialFailure {
        guard error.code == .outOfResources else { return end(machine.dialFailed(dial.id, now: now), error) }
        switch machine.dialExhausted(dial.id, now: now) {
        case .retry(let closing): return .retry(after: closing.connection)
        case .failed(let decision): return end(decision, error)
        case .wait(let id):
            exhaustion = error
            // While a dial runs, its waiter has no deadline for the wait in the pool (`PhaseLimits.pool`). The dial has
            // ended, so its waiter gets this deadline now. If the dial was started for no waiter, or if that waiter has
            // left, another waiter has relied on the dial. The machine returns its `id`, and it gets the deadline.
            let waiter = dial.waiter.flatMap { machine.waiters.index(of: $0) == nil ? nil : $0 } ?? id
            let deadline = now.deadline(after: limits(of: waiter, for: dial.key)?.pool)
            return .wait(waiter, wakeTime: unsafe parked.shortenWait(waiter, to: deadline))
        }
    }

    /// Ends the pause during which the pool starts no dials, because descriptors or memory were short. Returns the
    /// dials that the waiters now need.
    mutating func retryExhausted(now: MonotonicTime) -> [ConnectionPool.Dial] {
        let dials = machine.retryExhausted(now: now)
        if dials.isEmpty, machine.exhaustionDeadline == nil { exhaustion = nil }
        return dials
    }

    private mutating func end(_ decision: ConnectionPool.Machine.DialFailureDecision, _ error: SockeyeError)
        -> DialFailure
    {
        .end(decision.failed.flatMap { settle($0, .failed(error)) }, next: decision.dial)
    }

    /// The actions to take outside the lock for a dial that opened a connection.
    struct DialSuccess {
        let step: Step
        /// Another dial, if an older waiter got the connection; see ``PoolMachine/redial(after:now:)``.
        let next: ConnectionPool.Dial?
        /// If a time is given, the caller sets the timer to it.
        let wakeTime: MonotonicTime?
    }

    mutating func dialSucceeded(
        _ dial: ConnectionPool.Dial, _ connection: OriginConnection, now: MonotonicTime
    ) -> DialSuccess {
        exhaustion = nil
        let step = apply(machine.dialSucceeded(dial.id, connection: connection, now: now))
        return DialSuccess(
            step: step, next: machine.redial(after: dial, now: now), wakeTime: limitWait(after: dial, now))
    }

    /// If an older waiter got the connection of a dial, sets the pool deadline for the waiter that the dial was started
    /// for. Returns the new time for the timer; nil if the timer need not change.
    private mutating func limitWait(after dial: ConnectionPool.Dial, _ now: MonotonicTime) -> MonotonicTime? {
        guard let id = dial.waiter, let limit = limits(of: id, for: dial.key)?.pool else { return nil }
        return unsafe parked.shortenWait(id, to: now.advanced(by: limit))
    }

    // MARK: Targets

    /// Returns the target for a dial that is about to start, with the time limits of the dial's waiter. If the key no
    /// longer has waiters, drops the dial and returns nil as the target. `next` is then a dial for another key that
    /// takes the freed place within the connection limits, or nil.
    ///
    /// The check for waiters and the drop are one critical section. Otherwise a waiter that is added in between would
    /// wait in vain, because the machine would count on this dial and start no other.
    mutating func begin(
        _ dial: ConnectionPool.Dial, now: MonotonicTime
    ) -> (target: DialTarget?, next: ConnectionPool.Dial?) {
        if let target = targets[dial.key] {
            guard let id = dial.waiter, let own = ownTimeouts[id] else { return (target, nil) }
            return (target.with(own.limits), nil)
        }
        return (nil, machine.dialDropped(dial.id, now: now))
    }

    /// Records a dial target for the key of a waiter that the machine has just queued, if the key has none yet. If the
    /// key has a target, records only the waiter's time limits, and only if they differ from those in the target.
    mutating func setTarget(
        of key: PoolKey, for id: WaiterID, _ timeouts: SharedTimeouts, _ make: () -> DialTarget
    ) {
        let latest = machine.origins.latestID
        if latestTarget != nil, latestTarget == latest, latestTimeouts === timeouts { return }
        if let target = targets[key], target.limits != timeouts.limits {
            ownTimeouts[id] = timeouts
            return
        }
        if targets[key] == nil { targets[key] = make() }
        latestTarget = latest
        latestTimeouts = timeouts
    }

    private func limits(of id: WaiterID, for key: PoolKey) -> PhaseLimits? {
        ownTimeouts[id]?.limits ?? targets[key]?.limits
    }

    /// Removes the target of a key after the end of a dial or a wait, unless the key has waiters. Without this method,
    /// targets would accumulate until the pool has no waiters at all, which may never happen in a crawler.
    mutating func forgetTarget(of key: PoolKey) {
        if unsafe parked.isEmpty {
            forgetTargets()
        } else if !machine.isWaitedFor(key) {
            targets[key] = nil
            (latestTarget, latestTimeouts) = (nil, nil)
            if targets.isEmpty { forgetTargets() }
        }
    }

    private mutating func forgetTargets() {
        // Frees the memory of the table if many keys have enlarged it.
        targets.removeAll(keepingCapacity: targets.capacity <= 4 * SlotMemory.kept)
        (latestTarget, latestTimeouts) = (nil, nil)
    }
}

/// The result of waiting for a connection.
enum PoolOutcome: Sendable {
    case lease(ConnectionPool.Lease)
    case failed(SockeyeError)
    case timedOut
    case cancelled
}

/// A wait that has ended. The caller resumes its task outside the lock.
@safe struct FinishedPoolWait: Sendable {
    let continuation: PoolState.Continuation
    let outcome: PoolOutcome

    /// Resumes the task. Must be called exactly once.
    func resume() { unsafe continuation.resume(returning: outcome) }
}
