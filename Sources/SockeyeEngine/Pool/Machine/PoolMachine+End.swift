extension PoolMachine {
    /// A waiter gives up, cancelled or past its deadline. O(1); dials under way go on.
    package mutating func abandon(_ id: WaiterID) -> AbandonDecision {
        guard let waiter = waiters.index(of: id) else { return .alreadyServed }
        let origin = waiters[waiter].origin
        dequeue(waiter, of: origin)
        origins.removeIfUnused(origin)
        counters.abandoned += 1
        return .removed
    }

    /// Takes no more requests and closes what is idle, now and later.
    ///
    /// - Parameters:
    ///   - graceful: leased connections finish and queued requests are still served. Otherwise both end now: released
    ///     connections and finished dials are closed. A graceful shutdown may be cut short by another, not undone.
    package mutating func shutdown(graceful: Bool) -> ShutdownDecision {
        guard phase != .closed else { return ShutdownDecision() }
        phase = graceful ? .draining : .closed
        var decision = ShutdownDecision(closing: closeAllIdle(.shutDown))
        guard !graceful else { return decision }
        decision.waiters = waiters.all
        for id in decision.waiters {
            guard let waiter = waiters.index(of: id) else { continue }
            let origin = waiters[waiter].origin
            dequeue(waiter, of: origin)
            origins.removeIfUnused(origin)
        }
        decision.leased = connections.indices.map { describe($0) }
        return decision
    }
}
