import SockeyeCore
import SockeyeTestSupport

@testable import SockeyeEngine

/// Seeded random events for a machine and its model.
struct PoolModelRun {
    var pool: PoolFixture
    var model: PoolModel
    let keys: [String]
    private let shape: PoolModelTests.Shape
    var random: SplitMix
    var lastEvent = ""
    var served = 0
    private var connections = 0

    init(shape: PoolModelTests.Shape) {
        self.shape = shape
        var limits = PoolLimits()
        limits.perOrigin = shape.perOrigin
        limits.total = shape.total
        limits.maxAge = nil
        pool = PoolFixture { $0 = limits }
        model = PoolModel(limits: limits)
        keys = (0..<shape.keys).map { "key \($0)" }
        random = SplitMix(seed: shape.seed)
    }

    mutating func checkAll() throws {
        try model.checkInvariants(keys: keys)
        try model.checkStatistics(pool.statistics, pool.machine.holdings, keys: keys)
    }

    mutating func step() throws {
        // A busy step is more likely to request a connection than to release one, and any other step is less likely.
        // The queues of waiting requests thus grow and empty again.
        let busy = (random.next() >> 40) % 2 == 0 || model.waiters.count < 3
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<(busy ? 40 : 25): try lease()
        case ..<65: try release()
        case ..<80: try succeed()
        case ..<83: try fail()
        case ..<86: try exhaust()
        case ..<92: try abandon()
        case ..<94: try idleClosed()
        case ..<96: try stale()
        case ..<97: try tick()
        case 97: try setLimits()
        case 98: try prewarm()
        default: try closeIdle()
        }
    }

    private mutating func lease() throws {
        guard model.waiters.count < 40, let key = keys.randomElement(using: &random) else { return }
        let fresh = Int.random(in: 0..<8, using: &random) == 0
        let decision = pool.lease(key, fresh: fresh)
        lastEvent = "lease \(key), fresh \(fresh): \(decision)"
        if decision.lease != nil { served += 1 }
        try model.leased(decision, key: key, fresh: fresh, now: pool.now)
    }

    private mutating func release() throws {
        guard var held = model.leased.randomElement(using: &random) else { return }
        let reusable = Int.random(in: 0..<6, using: &random) > 0
        let timeout: Duration? = Bool.random(using: &random) ? .seconds(4) : nil
        let decision = pool.release(held.id, reusable: reusable, timeout: timeout)
        lastEvent = "release \(held.connection) of \(held.key), reusable \(reusable): \(decision)"
        if decision.served != nil { served += 1 }
        held.deadline = pool.now.advanced(by: timeout == nil ? .seconds(15) : .seconds(3))
        try model.freed(held, isNew: false, reusable: reusable, decision: decision)
    }

    private mutating func succeed() throws {
        guard let dial = model.dials.randomElement(using: &random) else { return }
        connections += 1
        let decision = pool.machine.dialSucceeded(dial.id, connection: connections, now: pool.now)
        lastEvent = "dial of \(dial.key) succeeded: \(decision)"
        model.end(dial)
        model.open.insert(connections)
        guard let id = decision.served?.lease.id ?? decision.closing?.id ?? pool.machine.newestIdle(of: dial.key) else {
            throw PoolModel.Violation(rule: "a new connection is leased, idle or closed")
        }
        let deadline = pool.now.advanced(by: .seconds(15))
        let held = PoolModel.Held(id: id, connection: connections, key: dial.key, deadline: deadline)
        model.leased.append(held)
        try model.freed(held, isNew: true, reusable: true, decision: decision)
        try model.redialled(after: dial, pool.machine.redial(after: dial, now: pool.now))
    }

    private mutating func fail() throws {
        guard let dial = model.dials.randomElement(using: &random) else { return }
        let decision = pool.machine.dialFailed(dial.id, now: pool.now)
        lastEvent = "dial of \(dial.key) failed: \(decision)"
        try model.failed(dial, decision: decision)
    }

    private mutating func exhaust() throws {
        guard let dial = model.dials.randomElement(using: &random) else { return }
        let decision = pool.machine.dialExhausted(dial.id, now: pool.now)
        lastEvent = "dial of \(dial.key) had no descriptor: \(decision)"
        try model.exhausted(dial, decision: decision)
        try model.check(
            (pool.machine.exhaustionDeadline == nil) == (model.ceiling == nil), "a time for the next attempt is set")
    }

    private mutating func abandon() throws {
        guard let waiter = model.waiters.randomElement(using: &random) else { return }
        lastEvent = "abandon \(waiter.key)"
        try model.check(pool.machine.abandon(waiter.id) == .removed, "a waiter may leave")
        try model.check(pool.machine.abandon(waiter.id) == .alreadyServed, "a waiter leaves once")
        model.waiters.removeAll { $0.id == waiter.id }
    }

    private mutating func idleClosed() throws {
        guard let idle = model.idle.randomElement(using: &random) else { return }
        lastEvent = "idle connection \(idle.connection) closed"
        guard let closing = pool.machine.idleClosed(idle.id) else {
            throw PoolModel.Violation(rule: "an idle connection may close")
        }
        try model.close(closing)
    }

    private mutating func stale() throws {
        guard let held = model.leased.randomElement(using: &random) else { return }
        let decision = pool.machine.closedByPeer(held.id, now: pool.now)
        lastEvent = "\(held.connection) of \(held.key) found stale: \(decision)"
        try model.freed(held, isNew: false, reusable: false, decision: decision)
    }

    private mutating func tick() throws {
        pool.advance(.milliseconds(Int.random(in: 0..<4_000, using: &random)))
        let expired = model.idle.filter { $0.deadline <= pool.now }.map(\.id)
        if let first = model.idle.map(\.deadline).min(), let next = pool.machine.nextDeadline {
            try model.check(next <= first.advanced(by: .milliseconds(250)), "the timer is not late")
        }
        try model.check(
            (pool.machine.nextDeadline == nil) == model.idle.isEmpty, "a timer is set while a connection is idle")
        let closing = pool.machine.tick(now: pool.now)
        lastEvent = "tick: \(closing)"
        try model.check(closing.map(\.id) == expired, "closes exactly the expired connections")
        for closing in closing { try model.close(closing) }
        if let deadline = pool.machine.exhaustionDeadline, deadline <= pool.now {
            let dials = pool.machine.retryExhausted(now: pool.now)
            lastEvent = "tried again: \(dials)"
            try model.retried(dials)
        }
    }

    private mutating func prewarm() throws {
        guard let key = keys.randomElement(using: &random) else { return }
        let dials = pool.machine.prewarm(key, count: 2, now: pool.now)
        lastEvent = "prewarm \(key): \(dials)"
        try model.check(dials.allSatisfy { $0.key == key && $0.waiter == nil }, "prewarms the key for no waiter")
        model.dials += dials
    }

    private mutating func setLimits() throws {
        var limits = model.limits
        limits.perOrigin = Int.random(in: 1...(2 * shape.perOrigin), using: &random)
        limits.total = Int.random(in: 1...(2 * shape.total), using: &random)
        model.setLimits(limits, keys: keys)
        let decision = pool.machine.setLimits(limits, now: pool.now)
        lastEvent = "limits \(limits.perOrigin) of \(limits.total): \(decision)"
        try model.limited(decision)
    }

    private mutating func closeIdle() throws {
        lastEvent = "close idle"
        for closing in pool.machine.closeIdle() { try model.close(closing) }
        try model.check(model.idle.isEmpty, "closes all idle connections")
    }

    /// Ends all dials and leases, without new requests.
    mutating func drain() throws {
        while !model.dials.isEmpty || !model.leased.isEmpty {
            try succeed()
            try release()
            try checkAll()
        }
        try model.check(model.waiters.isEmpty, "no request is left waiting")
        try closeIdle()
    }
}
