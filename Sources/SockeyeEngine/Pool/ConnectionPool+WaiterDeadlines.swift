import SockeyeCore
import SockeyeNet
import Synchronization

/// The deadlines of waiters: one timer for all of them, set to the earliest.
extension ConnectionPool {
    /// Sets the timer so that deadlines are checked no later than `time`. If no timer can be created, the wait of `id`
    /// fails. Other waiters may rely on the same timer, so the next of them gets another attempt.
    nonisolated func setTimer(for time: MonotonicTime, of id: WaiterID) {
        var next: (id: WaiterID, deadline: MonotonicTime)? = (id, time)
        while let waiter = next {
            do throws(TransportError) {
                try waiterTimer.withLock { waiterTimer throws(TransportError) in
                    if let waiterTimer { return waiterTimer.wake() }
                    waiterTimer = try PoolTimer(poller: pollers.first(), first: waiter.deadline) { [weak self] in
                        self?.expireWaits()
                    }
                }
                return
            } catch {
                let (failed, other) = state.withLock { $0.timerFailed(for: waiter.id, error) }
                failed?.resume()
                next = other
            }
        }
    }

    /// Ends the waits that are past their deadline. Returns the time of the next check; nil if no waiter is left.
    private nonisolated func expireWaits() -> MonotonicTime? {
        let now = time.now
        // The timer's lock is held during both the check and the removal of the timer. If a waiter begins to wait in
        // between, its call of `setTimer` waits for the lock, finds no timer and makes a new one.
        let (ended, next) = waiterTimer.withLock { waiterTimer in
            let (ended, next) = state.withLock { $0.expire(at: now) }
            if next == nil { waiterTimer = nil }
            return (ended, next)
        }
        for wait in ended { wait.resume() }
        return next
    }
}
