import SockeyeCore
import SockeyeNet
import Synchronization

extension ConnectionPool {
    /// Waits for a connection. Returns nil if the connection obtained was unusable; the caller then asks again.
    ///
    /// Nonisolated: the actor is entered only to start a dial, to remove an unusable connection, or after a wait that
    /// failed. The wait has no asynchronous function of its own, because that would cost every waiting request an async
    /// stack frame.
    ///
    /// - Parameter admission: The result of ``leaseOrEnqueue(_:for:dialer:fresh:at:now:)``. If the result is a lease,
    ///   the caller has found the lease's connection unusable.
    @inline(__always)
    nonisolated(nonsending) func acquire(
        insteadOf admission: Admission, _ deadlines: RequestDeadlines
    ) async throws(SockeyeError) -> Lease? {
        let stale: Lease
        switch admission {
        case .refused(let error): throw error
        case .lease(let lease): stale = lease
        case .wait(let id, let dial, let place):
            var progress: DialProgress?
            if let dial { progress = await self.dial(dial) }
            // A dial that this request has started is limited by the deadlines of its phases. The pool deadline applies
            // only to a wait without such a dial.
            let limit = progress == nil ? deadlines.limits.pool : nil
            let deadline = MonotonicTime.earlier(deadlines.total, place.since.deadline(after: limit))
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
        await closedByPeer(stale)
        if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .pool) }
        return nil
    }

    /// The error of a wait that failed, timed out or was cancelled.
    private nonisolated(nonsending) func failure(
        _ outcome: PoolOutcome, _ deadlines: RequestDeadlines, in phase: SockeyeError.Phase
    ) async -> SockeyeError {
        switch outcome {
        case .failed(let error): return error
        case .lease(let lease):
            // This wait got a connection and was cancelled at the same moment, so the connection goes back to the pool.
            await giveBack(lease.id)
            return SockeyeError(.cancelled, phase: phase)
        case .timedOut, .cancelled:
            // A graceful shutdown of a client waits until the client has no waiters left. The waiter of this wait may
            // have been the last.
            if isAwaitingEnd { await perform(.noteEnds) }
            guard case .timedOut = outcome else { return SockeyeError(.cancelled, phase: phase) }
            if let error = deadlines.exceeded(in: phase) { return error }
            let limit = deadlines.limits.pool
            return state.withLock { $0.exhaustion }?.waited(limit)
                ?? .timeout(.pool, configured: limit, name: "pool")
        }
    }

    // MARK: The waiter queue

    /// Stores the continuation of the caller, which has just been suspended. If the caller's wait has already ended,
    /// resumes the caller at once.
    private nonisolated func park(
        _ continuation: PoolState.Continuation, as id: WaiterID, until deadline: MonotonicTime
    ) {
        switch unsafe state.withLock({ unsafe $0.park(continuation, as: id, until: deadline) }) {
        case .settled(let outcome): unsafe continuation.resume(returning: outcome ?? .failed(.shutDown(.pool)))
        case .parked(nil): break
        case .parked(let time?): setTimer(for: time, of: id)
        }
    }

    /// Removes a cancelled waiter from the queue. A waiter that was already served notices the cancellation itself.
    private nonisolated func abandon(_ id: WaiterID) {
        state.withLock { $0.abandon(id, .cancelled) }?.resume()
    }
}
