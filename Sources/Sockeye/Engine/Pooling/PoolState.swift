import SockeyeCore

/// What a pool decides together, under one lock: the machine, who waits for what it decides, and how to dial for them.
///
/// Whoever leaves the machine's queue leaves the line in the same moment, with its outcome.
@safe struct PoolState {
    typealias Continuation = UnsafeContinuation<PoolOutcome, Never>
    typealias Line = WaitingLine<Continuation, PoolOutcome>

    /// What is left to do, outside of the lock, for a connection that got free.
    enum Step {
        /// It is idle; the next one expires then.
        case kept(until: MonotonicTime?)
        case resume(EndedPoolWait?)
        case close(OriginConnection, dial: ConnectionPool.Dial?)
    }

    var machine: ConnectionPool.Machine
    private var line = unsafe Line()
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
    mutating func queue(_ id: WaiterID) { unsafe line.enter(id) }

    mutating func park(_ continuation: Continuation, as id: WaiterID, until deadline: MonotonicTime) -> Line.Parking {
        unsafe line.park(continuation, as: id, until: deadline)
    }

    /// Gives a waiter its outcome. Whoever calls resumes it.
    mutating func settle(_ id: WaiterID, _ outcome: PoolOutcome) -> EndedPoolWait? {
        let continuation = unsafe line.settle(id, outcome)
        if unsafe line.isEmpty { forgetTargets() }
        return unsafe continuation.map { unsafe EndedPoolWait(continuation: $0, outcome: outcome) }
    }

    /// Gives all waiters the same outcome. Whoever calls resumes them.
    mutating func settleAll(_ outcome: PoolOutcome) -> [EndedPoolWait] {
        unsafe line.waiters.compactMap { settle($0, outcome) }
    }

    /// Takes a waiter that gives up out of the queue. Whoever calls resumes it. Nothing happens to one that was served.
    mutating func abandon(_ id: WaiterID, _ outcome: PoolOutcome) -> EndedPoolWait? {
        guard machine.abandon(id) == .removed else { return nil }
        return settle(id, outcome)
    }

    /// Has those give up whose deadline has passed. Whoever calls resumes them, and comes back when the next one passes.
    mutating func expire(at now: MonotonicTime) -> (ended: [EndedPoolWait], next: MonotonicTime?) {
        let ended = unsafe line.expired(at: now).compactMap { abandon($0, .timedOut) }
        return unsafe (ended, line.alarm == .distantFuture ? nil : line.alarm)
    }

    /// Lets the waiter that a connection goes to have it.
    mutating func carryOut(_ decision: consuming ConnectionPool.Machine.ReleaseDecision) -> Step {
        switch decision {
        case .none: .kept(until: machine.nextDeadline)
        case .serve(let id, let lease): .resume(settle(id, .lease(lease)))
        case .close(let closing, let dial): .close(closing.connection, dial: dial)
        }
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
        if unsafe line.isEmpty {
            forgetTargets()
        } else if !machine.isWaitedFor(key) {
            targets[key] = nil
            latestTarget = nil
        }
    }

    private mutating func forgetTargets() {
        targets.removeAll(keepingCapacity: true)
        latestTarget = nil
    }
}
