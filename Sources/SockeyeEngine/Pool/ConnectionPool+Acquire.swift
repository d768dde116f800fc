import SockeyeCore
import SockeyeNet
import Synchronization

extension ConnectionPool {
    /// Waits for a connection where none was free. Nil where the one it got was unusable: ask again.
    ///
    /// Nonisolated: the actor is entered only where a dial is to be started. One asynchronous frame around the only
    /// suspension, with little in it: every further one is paid for by each request that waits.
    ///
    /// - Parameter admission: what ``admit(_:for:dialer:fresh:now:)`` said; a lease is one that was found unusable.
    @inline(__always)
    nonisolated(nonsending) func acquire(
        insteadOf admission: Admission, _ deadlines: RequestDeadlines
    ) async throws(SockeyeError) -> Lease? {
        let stale: Lease
        switch admission {
        case .refused(let error): throw error
        case .lease(let lease): stale = lease
        case .wait(let id, let dial, let start):
            var progress: DialProgress?
            if let dial { progress = await self.dial(dial) }
            // A dial of one's own ends by the deadlines of its phases; only who waits for others waits for the pool.
            let limit = progress == nil ? deadlines.limits.pool : nil
            let deadline = MonotonicTime.earlier(deadlines.total, start.deadline(after: limit))
            let outcome = await withTaskCancellationHandler {
                unsafe await withUnsafeContinuation { unsafe park($0, as: id, until: deadline) }
            } onCancel: {
                abandon(id)
            }
            guard case .lease(let lease) = outcome, !Task.isCancelled else {
                throw await failure(outcome, deadlines, in: progress?.phase ?? .pool)
            }
            if lease.isUsable() { return lease }
            stale = lease
        }
        await foundClosed(stale)
        if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .pool) }
        return nil
    }

    /// Why a wait did not lead to a connection.
    private nonisolated(nonsending) func failure(
        _ outcome: PoolOutcome, _ deadlines: RequestDeadlines, in phase: SockeyeError.Phase
    ) async -> SockeyeError {
        switch outcome {
        case .failed(let error): return error
        case .lease(let lease):
            // Served in the same moment. Who was cancelled does not want it any more, but the next one may.
            await release(lease.id, reusable: true, keepAliveTimeout: nil, remainingUses: nil)
            return SockeyeError(.cancelled, phase: phase)
        case .timedOut, .cancelled:
            if isAwaitingEnd { await finish(.noteEnds) }
            guard case .timedOut = outcome else { return SockeyeError(.cancelled, phase: phase) }
            if let error = deadlines.exceeded(in: phase) { return error }
            let limit = deadlines.limits.pool
            return state.withLock { $0.exhaustion }?.waited(limit)
                ?? .timeout(.pool, configured: limit, name: "pool")
        }
    }

    // MARK: The waiter queue

    /// Puts the caller, who has just been suspended, in its place, or resumes it if it has been served meanwhile.
    private nonisolated func park(
        _ continuation: PoolState.Continuation, as id: WaiterID, until deadline: MonotonicTime
    ) {
        switch unsafe state.withLock({ unsafe $0.park(continuation, as: id, until: deadline) }) {
        case .settled(let outcome): unsafe continuation.resume(returning: outcome ?? .failed(.shutDown(.pool)))
        case .parked(nil): break
        case .parked(let time?): setTimer(for: time, of: id)
        }
    }

    /// Takes a waiter that was cancelled out of the queue. One that was served before finds its connection, and out itself.
    private nonisolated func abandon(_ id: WaiterID) {
        state.withLock { $0.abandon(id, .cancelled) }?.resume()
    }
}

extension PoolLease<OriginConnection> {
    /// Whether nothing has happened on the connection since it was last used. To be asked once.
    func isUsable() -> Bool { !isReused || connection.isQuiet() }
}
