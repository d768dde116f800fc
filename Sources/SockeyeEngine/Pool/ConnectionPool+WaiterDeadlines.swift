import SockeyeCore
import SockeyeNet
import Synchronization

/// Deadlines of waiters: one timer for all of them, set to the earliest.
extension ConnectionPool {
    /// Sets the timer so that deadlines are looked at no later than at `time`.
    nonisolated func setAlarm(for time: MonotonicTime, of id: WaiterID) {
        do throws(TransportError) {
            try alarm.withLock { alarm throws(TransportError) in
                if let alarm { return alarm.wake() }
                alarm = try PoolTimer(poller: poller, first: time) { [weak self] in self?.expireWaits() }
            }
        } catch {
            state.withLock { $0.abandon(id, .failed(SockeyeError(error, phase: .pool))) }?.resume()
        }
    }

    /// Ends the waits whose deadline has passed. Returns when to come again; nil while nobody waits.
    private nonisolated func expireWaits() -> MonotonicTime? {
        let now = time.now
        // One look inside the other: whoever parks after this one finds no alarm, and sets a new one.
        let (ended, next) = alarm.withLock { alarm in
            let (ended, next) = state.withLock { $0.expire(at: now) }
            if next == nil { alarm = nil }
            return (ended, next)
        }
        for wait in ended { wait.resume() }
        return next
    }
}
