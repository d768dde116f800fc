import SockeyeCore
import SockeyeNet
import Synchronization

/// The clients that use the pool, each identified by its dialer.
extension ConnectionPool {
    nonisolated func add(_ dialer: Dialer) {
        dialers.withLock { $0[dialer.id] = dialer }
    }

    /// Removes a client that was deallocated. Its idle connections close at once, the others after their exchanges.
    func remove(_ dialer: DialerID) {
        _ = dialers.withLock { $0.removeValue(forKey: dialer) }
        for closing in state.withLock({ $0.machine.remove(dialer) }) { closing.connection.close() }
    }

    /// Refuses further requests of a client. If graceful, the pool still serves running exchanges and waiting requests;
    /// otherwise they end at once.
    func shutDown(_ dialer: DialerID, graceful: Bool) {
        let (decision, failed) = state.withLock { $0.shutDown(dialer, graceful: graceful) }
        for closing in decision.closing { closing.connection.close() }
        for lease in decision.leased { lease.connection.shutDown() }
        for wait in failed { wait.resume() }
        noteEnds()
    }

    /// Suspends until the event `end` has happened. Returns false if the deadline passes or the task is cancelled
    /// first, or if no timer can be created.
    func wait(for end: PoolEnd<DialerID>, until deadline: MonotonicTime) async -> Bool {
        // `isAwaitedEnd` is set before the check. The task that causes the event after the check then sees the flag and
        // calls ``noteEnds()``, which wakes this task.
        isAwaitedEnd.store(true, ordering: .sequentiallyConsistent)
        defer { if endWaiters.isEmpty { isAwaitedEnd.store(false, ordering: .sequentiallyConsistent) } }
        guard !state.withLock({ $0.machine.hasEnded(end) }) else { return true }
        guard let timer = try? WaitTimer(poller: pollers.first()) else { return false }
        endWaiters.append((end, timer))
        let wake = await timer.sleep(until: deadline)
        endWaiters.removeAll { $0.timer === timer }
        return wake == .ready || state.withLock { $0.machine.hasEnded(end) }
    }

    /// Wakes the tasks that wait for an end that has happened.
    func noteEnds() {
        guard !endWaiters.isEmpty else { return }
        let ended = state.withLock { state in endWaiters.filter { state.machine.hasEnded($0.end) } }
        for (_, timer) in ended { timer.signal() }
    }
}
