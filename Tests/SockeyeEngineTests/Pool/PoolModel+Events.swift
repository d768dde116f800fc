import SockeyeCore

@testable import SockeyeEngine

extension PoolModel {
    mutating func leased(_ decision: TestPool.LeaseDecision, key: String, fresh: Bool, now: MonotonicTime) throws {
        let own = idle.filter { $0.key == key }
        switch decision {
        case .use(let lease, let closing):
            try check(!fresh, "fresh requests get no idle connection")
            try check(
                own.last { $0.deadline > now }?.id == lease.id,
                "leases the most recently used connection that is not expired")
            for closing in closing {
                try check(own.contains { $0.id == closing.id && $0.deadline <= now }, "closes expired only")
                try close(closing)
            }
            idle.removeAll { $0.id == lease.id }
            leased.append(Held(id: lease.id, connection: lease.connection, key: key))
        case .wait(let waiter, let dial, let closing):
            try check(fresh || !own.contains { $0.deadline > now }, "waits only if no connection is idle")
            for closing in closing { try checkEviction(closing, key: key, fresh: fresh, now: now) }
            let surplus = attached(of: key).count - waiters.count { $0.key == key }
            detached.formUnion(slowDials(of: key, at: now).prefix(max(0, surplus)).map(\.id))
            waiters.append(Waiter(id: waiter, key: key, fresh: fresh))
            if let dial {
                try check(dial.key == key, "dials for the requested key")
                try start(dial)
            }
        case .rejected:
            throw Violation(rule: "no request is rejected")
        }
    }

    private mutating func checkEviction(
        _ closing: TestPool.Closing, key: String, fresh: Bool, now: MonotonicTime
    ) throws {
        if closing.reason == .evicted {
            let own = fresh ? idle.first { $0.key == key } : nil
            try check(
                connections >= capacity || connections(of: key) >= limits.perOrigin, "evicts at a limit only")
            try check((own ?? idle.first)?.id == closing.id, "evicts the least recently used")
        } else {
            try check(idle.contains { $0.id == closing.id && $0.deadline <= now }, "closes expired only")
        }
        try close(closing)
    }

    /// Follows a connection that was released or newly made. `held.deadline` is its expiry if it is kept.
    mutating func freed(
        _ held: Held, isNew: Bool, reusable: Bool, decision: TestPool.ReleaseDecision
    ) throws {
        let key = held.key
        switch decision {
        case .none:
            try check(reusable, "keeps only reusable connections")
            try check(!isOver(key), "keeps no connection beyond lowered limits")
            leased.removeAll { $0.id == held.id }
            idle.append(held)
        case .serve(let waiter, let next):
            try check(reusable, "leases only reusable connections")
            try check(isNew || !isOver(key), "leases no connection beyond lowered limits")
            try check(
                next.connection == held.connection && next.id == held.id && next.isReused == !isNew,
                "leases the released connection")
            let oldest = waiters.first { $0.key == key && (isNew || !$0.fresh) }
            try check(oldest?.id == waiter, "serves the oldest waiter that may have it")
            try check(isNew || !isOvertaken(by: waiter, of: key), "no waiter for a fresh connection starves")
            waiters.removeAll { $0.id == waiter }
        case .close(let closing, let dial):
            try check(closing.connection == held.connection, "closes the released connection")
            let starving = waiters.contains { $0.key != key } || uncovered(of: key).contains { $0.fresh }
            try check(closing.reason != .evicted || starving, "evicts only for a waiting request")
            try close(closing)
            try startLongestWaiting(dial)
        }
    }

    mutating func failed(_ dial: TestPool.Dial, decision: TestPool.DialFailureDecision) throws {
        end(dial)
        let waiter = waiters.first { $0.id == dial.waiter }
        try check(decision.failed == waiter?.id, "fails the waiter that the dial was started for")
        waiters.removeAll { $0.id == decision.failed }
        try startLongestWaiting(decision.dial)
    }

    mutating func exhausted(_ dial: TestPool.Dial, decision: TestPool.ExhaustionDecision) throws {
        let isWanted =
            !detached.contains(dial.id)
            && attached(of: dial.key).count <= waiters.count { $0.key == dial.key }
        switch decision {
        case .retry(let closing):
            try check(isWanted, "evicts nothing for an unwanted dial")
            try check(idle.first?.id == closing.id, "evicts the least recently used")
            try close(closing)
        case .wait(let waiter):
            try check(isWanted && idle.isEmpty && connections > 1, "waits only if a connection may be released")
            end(dial)
            try check(uncovered(of: dial.key).first?.id == waiter, "the youngest waiter with a dial loses it")
            ceiling = connections
        case .failed(let decision):
            try check(!isWanted || connections == 1, "fails only if no connection can be released")
            if isWanted { ceiling = 1 }
            try failed(dial, decision: decision)
            if isWanted, decision.dial == nil { ceiling = nil }
        }
    }

    mutating func retried(_ started: [TestPool.Dial]) throws(Violation) {
        ceiling = nil
        for dial in started {
            try check(dial.key == longestWaiting, "dials again for the longest waiting request")
            try start(dial)
        }
        try check(longestWaiting == nil, "dials again for all waiting requests")
    }

    mutating func limited(_ decision: TestPool.LimitsDecision) throws(Violation) {
        let (lowered, evicted) = (
            decision.closing.filter { $0.reason == .limitsLowered },
            decision.closing.filter { $0.reason == .evicted }
        )
        try check(lowered.count + evicted.count == decision.closing.count, "closes for the limits only")
        for closing in lowered {
            let key = idle.first { $0.id == closing.id }?.key
            try check(key.map(isOver) == true, "closes only connections beyond a limit")
            try close(closing)
        }
        for key in Set(idle.map(\.key)) { try check(!isOver(key), "leaves no idle connection beyond the limits") }
        var places = evicted[...]
        for dial in decision.dials {
            while connections >= capacity {
                try check(places.first.map { $0.id == idle.first?.id } == true, "evicts the least recently used")
                if let place = places.popFirst() { try close(place) }
            }
            try check(dial.key == longestWaiting, "dials for the longest waiting request")
            try start(dial)
        }
        try check(places.isEmpty && longestWaiting == nil, "serves all requests that it can")
    }

    mutating func close(_ closing: TestPool.Closing) throws(Violation) {
        try check(open.remove(closing.connection) != nil, "closes each connection once")
        idle.removeAll { $0.id == closing.id }
        leased.removeAll { $0.id == closing.id }
    }

    mutating func start(_ dial: TestPool.Dial) throws(Violation) {
        let waiter = uncovered(of: dial.key).first
        try check(waiter != nil && waiter?.id == dial.waiter, "dials only for the first waiter without a dial")
        dials.append(dial)
    }

    mutating func end(_ dial: TestPool.Dial) {
        dials.removeAll { $0.id == dial.id }
        detached.remove(dial.id)
    }

    /// Follows the pool after a dial that may have served an older waiter than its own. `dial` is the new dial, if any.
    mutating func redialled(after ended: TestPool.Dial, _ dial: TestPool.Dial?) throws(Violation) {
        let isWaiting = waiters.contains { $0.id == ended.waiter }
        let hasRoom = connections < capacity && connections(of: ended.key) < limits.perOrigin
        if isWaiting, hasRoom, let slow = slowDials(of: ended.key, at: ended.started).first { detached.insert(slow.id) }
        try startLongestWaiting(dial)
    }

    /// The key whose waiter gets the next dial; nil if there is no room for one.
    private var longestWaiting: String? {
        guard connections < capacity else { return nil }
        return waiters.first { waiter in
            connections(of: waiter.key) < limits.perOrigin
                && uncovered(of: waiter.key).contains { $0.id == waiter.id }
        }?.key
    }

    /// True if another waiter of the key has waited longer, has no dial, and would be the first to get a freed place.
    private func isOvertaken(by waiter: WaiterID, of key: String) -> Bool {
        guard let first = uncovered(of: key).first?.id else { return false }
        let earlier = waiters.prefix { $0.id != waiter && $0.id != first }
        let starved = earlier.filter { other in
            connections(of: other.key) < limits.perOrigin && uncovered(of: other.key).contains { $0.id == other.id }
        }
        return first != waiter && waiters.first { $0.id == first || $0.id == waiter }?.id == first && starved.isEmpty
    }

    /// Checks that an event that freed a place started this dial.
    private mutating func startLongestWaiting(_ dial: TestPool.Dial?) throws(Violation) {
        try check(dial?.key == longestWaiting, "a freed place goes to the longest waiting request")
        if let dial { try start(dial) }
    }
}
