import SockeyeCore
import SockeyeTransport

extension ConnectionPool {
    /// Gets a connection, waiting in line where that is due.
    ///
    /// Nonisolated: the actor is entered only where a dial is to be started.
    nonisolated(nonsending) func acquire(
        _ key: PoolKey, for request: PreparedRequest, dialer: Dialer, fresh: Bool
    ) async throws(SockeyeError) -> Lease {
        if !fresh, let lease = leaseIdle(key) { return lease }
        switch admit(key, for: request, dialer: dialer, fresh: fresh) {
        case .lease(let lease): return lease
        case .refused(let error): throw error
        case .wait(let waiter, let id): return try await wait(waiter, id, deadlines: request.deadlines)
        case .dial(let dial, let waiter, let id):
            await self.dial(dial, for: waiter)
            return try await wait(waiter, id, deadlines: request.deadlines)
        }
    }

    private nonisolated(nonsending) func wait(
        _ waiter: PoolWaiter, _ id: WaiterID, deadlines: Deadlines
    ) async throws(SockeyeError) -> Lease {
        // A dial of one's own ends by the deadlines of its phases; only who waits for others waits for the pool.
        let progress = waiter.progress
        let limit = progress == nil ? deadlines.timeouts.pool : nil
        let deadline = deadlines.next(limit)
        var wake = await waiter.wait(until: deadline)
        var outcome = waiter.takeOutcome()
        // Woken for an earlier wait, whose news came late.
        while wake == .ready, outcome == nil {
            wake = await waiter.wait(until: deadline)
            outcome = waiter.takeOutcome()
        }
        if outcome == nil, !abandon(id) { outcome = waiter.takeOutcome() }
        recycle(waiter)
        if let outcome {
            guard wake == .cancelled, case .lease(let lease) = outcome else { return try outcome.get() }
            // Served in the same moment. Who was cancelled does not want it any more.
            await release(lease.id, reusable: true, keepAliveTimeout: nil, remainingUses: nil)
        } else if isAwaitingEnd {
            await finish(.noteDrained)
        }
        let phase = progress?.phase ?? .pool
        if wake == .cancelled { throw SockeyeError(.cancelled, phase: phase) }
        throw deadlines.error(phase, limit: limit, name: "pool")
    }
}

extension PoolWaiter.Outcome {
    fileprivate func get() throws(SockeyeError) -> ConnectionPool.Lease {
        switch self {
        case .lease(let lease): return lease
        case .failed(let error): throw error
        }
    }
}
