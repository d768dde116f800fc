import SockeyeCore
import Testing

@testable import SockeyeEngine

/// A second, obvious implementation of the pool: plain arrays with linear searches. It repeats each action of the
/// pool's state machine (`PoolMachine`), checks the action against the rules, and checks the invariants between events.
struct PoolModel {
    struct Waiter {
        let id: WaiterID
        let key: String
        let fresh: Bool
    }

    struct Held {
        let id: ConnectionID
        let connection: Int
        let key: String
        /// The time after which an idle connection may not be leased.
        var deadline = MonotonicTime.distantFuture
    }

    struct Violation: Error {
        let rule: String
    }

    private(set) var limits: PoolLimits
    /// The number of connections that existed when the limits were lowered and are not closed yet.
    private var tolerated = 0
    private var toleratedByKey: [String: Int] = [:]
    /// The total limit that was learned from running out of descriptors.
    var ceiling: Int?
    /// In order of arrival.
    var waiters: [Waiter] = []
    /// Least recently used first.
    var idle: [Held] = []
    var leased: [Held] = []
    /// In order of their start.
    var dials: [TestPool.Dial] = []
    /// Slow dials whose requesters are gone. No waiter relies on them.
    var detached: Set<DialID> = []
    /// Every connection made so far that is not closed.
    var open: Set<Int> = []

    func check(_ condition: Bool, _ rule: String) throws(Violation) {
        if !condition { throw Violation(rule: rule) }
    }

    func connections(of key: String) -> Int {
        idle.count { $0.key == key } + leased.count { $0.key == key } + dials.count { $0.key == key }
    }

    var connections: Int { idle.count + leased.count + dials.count }
    var capacity: Int { min(limits.total, ceiling ?? .max) }

    /// Returns the dials of a key on which waiters rely.
    func attached(of key: String) -> [TestPool.Dial] {
        dials.filter { $0.key == key && !detached.contains($0.id) }
    }

    /// Returns the waiters of a key that have no dial.
    func uncovered(of key: String) -> ArraySlice<Waiter> {
        waiters.filter { $0.key == key }.dropFirst(attached(of: key).count)
    }

    /// Returns the attached dials of a key that are slow at the given time and whose requesters are gone.
    func slowDials(of key: String, at time: MonotonicTime) -> [TestPool.Dial] {
        attached(of: key).filter { dial in
            let patience: Duration = dial.waiter == nil ? .seconds(1) : .milliseconds(250)
            return !waiters.contains { $0.id == dial.waiter } && dial.started.advanced(by: patience) <= time
        }
    }

    init(limits: PoolLimits) {
        self.limits = limits
    }

    mutating func setLimits(_ limits: PoolLimits, keys: [String]) {
        self.limits = limits
        tolerated = connections
        for key in keys { toleratedByKey[key] = connections(of: key) }
    }

    /// True if there are more connections than lowered limits allow.
    func isOver(_ key: String) -> Bool { connections > limits.total || connections(of: key) > limits.perOrigin }

    mutating func checkInvariants(keys: [String]) throws(Violation) {
        try check(connections <= max(limits.total, tolerated), "the total limit holds")
        tolerated = min(tolerated, connections)
        try check(open.count == idle.count + leased.count, "no connection is lost or doubled")
        for key in keys {
            let before = toleratedByKey[key] ?? 0
            try check(connections(of: key) <= max(limits.perOrigin, before), "the limit of the key holds")
            toleratedByKey[key] = min(before, connections(of: key))
            let hasIdle = idle.contains { $0.key == key }
            try check(
                !hasIdle || !waiters.contains { $0.key == key && !$0.fresh },
                "no request waits for a reused connection while one is idle")
            guard !uncovered(of: key).isEmpty else { continue }
            let held = connections(of: key) >= limits.perOrigin && !hasIdle
            try check(
                held || (connections >= capacity && idle.isEmpty), "no request waits while capacity exists")
        }
    }

    func checkStatistics(
        _ statistics: PoolStatistics, _ holdings: [PoolHolding<String>], keys: [String]
    ) throws(Violation) {
        try check(statistics.idle == idle.count, "idle is counted")
        try check(statistics.leased == leased.count, "leased is counted")
        try check(statistics.dialling == dials.count, "dialling is counted")
        try check(statistics.waiting == waiters.count, "waiting is counted")
        try check(statistics.created == statistics.closed.total + open.count, "created less closed is open")
        for key in keys {
            let origin = holdings.first { $0.key == key }
            try check(origin?.idle ?? 0 == idle.count { $0.key == key }, "idle is counted by key")
            try check(origin?.leased ?? 0 == leased.count { $0.key == key }, "leased is counted by key")
            try check(origin?.dialling ?? 0 == dials.count { $0.key == key }, "dialling is counted by key")
            try check(origin?.waiting ?? 0 == waiters.count { $0.key == key }, "waiting is counted by key")
            let used = connections(of: key) + waiters.count { $0.key == key }
            try check((origin == nil) == (used == 0), "only keys in use have a record")
        }
    }
}
