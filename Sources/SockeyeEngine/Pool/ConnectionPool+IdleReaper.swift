import SockeyeCore
import SockeyeNet
import Synchronization

/// The idle reaper: a timer that closes expired and dead idle connections. It runs only while there are idle
/// connections, or while the pool is limited by a shortage of descriptors or memory.
extension ConnectionPool {
    /// The interval at which ``closeEnded(_:)`` checks idle connections.
    private static let interval = Duration.seconds(1)

    /// Schedules the next round of the timer if a connection is idle, or if the pool is limited by a shortage of
    /// descriptors or memory.
    func watchIdle() {
        guard let next = nextRound(after: time.now) else { return }
        if let idleTimer {
            guard isWorthWaking(for: next) else { return }
            idleTimer.wake()
        } else {
            idleTimer = try? PoolTimer(poller: pollers.first(), first: next) { [weak self] in await self?.tick() }
            // Nil if creating the timer failed for lack of descriptors. The next connection that becomes idle causes
            // another attempt.
            guard idleTimer != nil else { return }
        }
        idleTimerFiresAt.store(next.nanoseconds, ordering: .relaxed)
    }

    private func nextRound(after now: MonotonicTime) -> MonotonicTime? {
        let (expiry, retry) = state.withLock { ($0.machine.nextDeadline, $0.machine.exhaustionDeadline) }
        let inspection = expiry.map { MonotonicTime.earlier($0, now.advanced(by: Self.interval)) }
        return [inspection, retry].compactMap(\.self).min()
    }

    /// Closes the connections that expired or that their peers closed. A second after a shortage of descriptors or
    /// memory, restores the pool's limits and dials for the waiters. Returns the time of the next round; nil ends the
    /// idle timer until ``watchIdle()`` starts it again.
    private func tick() -> MonotonicTime? {
        let now = time.now
        // Connections are released outside the actor, so a connection may become idle during this round. A release
        // that finds `.max` in `idleTimerFiresAt` (no wake-up is planned) causes a call of ``watchIdle()``. `.max` is
        // stored before the state is read. So a connection that is released after `nextRound` has read the state, and
        // before the time of the next round is stored, finds `.max`.
        idleTimerFiresAt.store(.max, ordering: .relaxed)
        let (expired, dials) = state.withLock { state in
            state.forgetCloses(now: now)
            return (state.machine.tick(now: now), state.retryExhausted(now: now))
        }
        for closing in expired { closing.connection.close() }
        closeEnded(now)
        for dial in dials { start(dial) }
        let next = nextRound(after: now)
        if let next {
            idleTimerFiresAt.store(next.nanoseconds, ordering: .relaxed)
        } else {
            idleTimer = nil
        }
        return next
    }

    /// Closes idle connections that cannot be reused, because the peer has closed them or has sent bytes without a
    /// request. If they stayed open until the next request, both sides would hold their descriptors until then.
    ///
    /// The poller's flags are checked outside the lock, so that leasing and releasing are not delayed. Only a
    /// connection with pending input is read, under the lock, so that it cannot be leased meanwhile.
    private func closeEnded(_ now: MonotonicTime) {
        for (id, connection) in state.withLock({ $0.machine.idleConnections }) where connection.hasPendingRead {
            state.withLock { $0.removeIfClosed(id, now: now) }?.close()
        }
    }

    /// Closes the least recently used idle connection; false if no connection is idle.
    func evictIdle() -> Bool {
        guard let closing = state.withLock({ $0.machine.evictIdle() }) else { return false }
        closing.connection.close()
        return true
    }
}
