/// What a pool decides together, under one lock: the machine, who waits for what it decides, and how to dial for them.
///
/// Whoever leaves the machine's queue leaves the table of waiters in the same moment, with its outcome or for good.
struct PoolState {
    var machine: ConnectionPool.Machine
    private var waiters = WaiterDirectory()
    /// Waiters whose wait is over, for the next ones.
    private var spares: [PoolWaiter] = []
    /// How to dial for a key, from a request that waits for it; kept while anybody waits.
    private var targets: [PoolKey: DialTarget] = [:]
    /// The key that a target was set for last; most waits in a row are for one key.
    private var latestTarget: PoolKey?

    private static let mostSpares = 64

    init(machine: ConnectionPool.Machine) {
        self.machine = machine
    }

    // MARK: Waiters

    mutating func queue(_ waiter: PoolWaiter, as id: WaiterID) {
        waiters.insert(waiter, as: id)
    }

    /// Takes a waiter out of the table. Nil when it is not there any more.
    @discardableResult
    mutating func remove(_ id: WaiterID) -> PoolWaiter? {
        let waiter = waiters.remove(id)
        if waiters.isEmpty { forgetTargets() }
        return waiter
    }

    /// Lets the waiter that a connection goes to have it. Whoever calls wakes it.
    mutating func serve(_ decision: ConnectionPool.Machine.ReleaseDecision) -> PoolWaiter? {
        guard case .serve(let id, let lease) = decision else { return nil }
        return settle(id, .lease(lease))
    }

    /// Gives a waiter its outcome. Whoever calls wakes it.
    mutating func settle(_ id: WaiterID, _ outcome: PoolWaiter.Outcome) -> PoolWaiter? {
        let waiter = remove(id)
        waiter?.settle(outcome)
        return waiter
    }

    /// Gives all waiters the same outcome. Whoever calls wakes them.
    mutating func settleAll(_ outcome: PoolWaiter.Outcome) -> [PoolWaiter] {
        let all = waiters.removeAll()
        for waiter in all { waiter.settle(outcome) }
        return all
    }

    mutating func takeSpare() -> PoolWaiter? { spares.popLast() }

    mutating func keepSpare(_ waiter: PoolWaiter) {
        if spares.count < Self.mostSpares { spares.append(waiter) }
    }

    // MARK: Targets

    func target(of key: PoolKey) -> DialTarget? { targets[key] }

    /// Notes how to dial for a key, unless it is known.
    mutating func setTarget(of key: PoolKey, _ make: () -> DialTarget) {
        if latestTarget == key { return }
        if targets[key] == nil { targets[key] = make() }
        latestTarget = key
    }

    /// A dial of the key has ended. There may always be a waiter for something; a crawler must not pile up targets
    /// meanwhile.
    mutating func forgetTarget(of key: PoolKey) {
        if waiters.isEmpty {
            forgetTargets()
        } else if !machine.isWaitedFor(key) {
            targets[key] = nil
            if latestTarget == key { latestTarget = nil }
        }
    }

    private mutating func forgetTargets() {
        targets.removeAll(keepingCapacity: true)
        latestTarget = nil
    }
}
