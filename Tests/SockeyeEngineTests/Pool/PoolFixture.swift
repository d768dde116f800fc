import SockeyeCore
import Testing

@testable import SockeyeEngine

/// The key `one/a` belongs to the owner `one`; the key `a` belongs to the owner with the empty name.
extension String: PoolMachineKey {
    package var owner: Substring { firstIndex(of: "/").map { self[..<$0] } ?? "" }
}

typealias TestPool = PoolMachine<String, Int>

/// A pool whose connections are numbers, counted from 1 as dials succeed. The test moves its clock.
struct PoolFixture {
    var machine: TestPool
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private var lastConnection = 0

    init(_ configure: (inout PoolLimits) -> Void = { _ in }) {
        var limits = PoolLimits()
        limits.ageJitter = 0
        configure(&limits)
        machine = TestPool(limits: limits)
    }

    mutating func advance(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    mutating func lease(_ key: String = "a", fresh: Bool = false) -> TestPool.LeaseDecision {
        machine.lease(key, fresh: fresh, now: now)
    }

    mutating func succeed(_ dial: TestPool.Dial?) throws -> TestPool.ReleaseDecision {
        let dial = try #require(dial)
        lastConnection += 1
        return machine.dialSucceeded(dial.id, connection: lastConnection, now: now)
    }

    mutating func fail(_ dial: TestPool.Dial?) throws -> TestPool.DialFailureDecision {
        let dial = try #require(dial)
        return machine.dialFailed(dial.id, now: now)
    }

    mutating func abandon(_ waiter: WaiterID?) throws -> AbandonDecision {
        let waiter = try #require(waiter)
        return machine.abandon(waiter)
    }

    mutating func release(
        _ lease: TestPool.Lease, reusable: Bool = true, timeout: Duration? = nil, remaining: Int? = nil
    ) -> TestPool.ReleaseDecision {
        release(lease.id, reusable: reusable, timeout: timeout, remaining: remaining)
    }

    mutating func release(
        _ id: ConnectionID, reusable: Bool = true, timeout: Duration? = nil, remaining: Int? = nil
    ) -> TestPool.ReleaseDecision {
        machine.release(
            id, reusable: reusable, keepAliveTimeout: timeout, remainingUses: remaining, now: now)
    }

    /// Dials and returns a leased connection.
    mutating func open(_ key: String = "a") throws -> TestPool.Lease {
        let decision = lease(key, fresh: true)
        let dial = try #require(decision.dial)
        let served = try succeed(dial).served
        #expect(served?.waiter == decision.waiter)
        return try #require(served?.lease)
    }

    /// Dials and returns idle connections; released in the order of the result.
    mutating func openIdle(_ key: String = "a", count: Int = 1) throws -> [TestPool.Lease] {
        var leases: [TestPool.Lease] = []
        for _ in 0..<count { leases.append(try open(key)) }
        for lease in leases { #expect(release(lease).isIdle) }
        return leases
    }

    var statistics: PoolStatistics { machine.statistics }

    func holding(_ key: String = "a") -> PoolHolding<String>? {
        machine.holdings.first { $0.key == key }
    }

    /// True if no connection is open or being dialled and no request waits.
    var isDrained: Bool {
        let statistics = machine.statistics
        return statistics.idle + statistics.leased + statistics.dialling + statistics.waiting == 0
            && machine.holdings.isEmpty
    }
}

extension PoolLeaseDecision {
    var lease: PoolLease<Connection>? {
        if case .use(let lease, _) = self { lease } else { nil }
    }
    var waiter: WaiterID? {
        if case .wait(let waiter, _, _) = self { waiter } else { nil }
    }
    var dial: PoolDial<Key>? {
        if case .wait(_, let dial, _) = self { dial } else { nil }
    }
    var rejection: LeaseRejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
    var closing: [PoolClosing<Connection>] {
        switch self {
        case .use(_, let closing), .wait(_, _, let closing): Array(closing)
        case .rejected: []
        }
    }
}

extension PoolReleaseDecision {
    /// True if the connection is kept and the caller has nothing else to do.
    var isIdle: Bool {
        if case .none = self { true } else { false }
    }
    var served: (waiter: WaiterID, lease: PoolLease<Connection>)? {
        if case .serve(let waiter, let lease) = self { (waiter, lease) } else { nil }
    }
    var closing: PoolClosing<Connection>? {
        if case .close(let closing, _) = self { closing } else { nil }
    }
    var dial: PoolDial<Key>? {
        if case .close(_, let dial) = self { dial } else { nil }
    }
}

/// Counts the elements of all collections inside a value, to find leftovers.
func storedElements(in value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection?, .set?, .dictionary?:
        return mirror.children.count
    default:
        return mirror.children.reduce(0) { $0 + storedElements(in: $1.value) }
    }
}
