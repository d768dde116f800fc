import SockeyeCore
import SockeyeNet

/// A timer of the pool: one sleeping task, which ends when there is nothing left that could expire.
final class PoolTimer: Sendable {
    private let timer: WaitTimer

    /// - Parameter round: Does the work that is due, if any, and returns the time of the next round; nil ends the task.
    init(
        poller: any Poller, first: MonotonicTime, round: @escaping @Sendable () async -> MonotonicTime?
    ) throws(TransportError) {
        timer = try WaitTimer(poller: poller)
        // Detached: the task serves all requests, not only the one that happens to come first.
        Task.detached { [timer] in
            var next: MonotonicTime? = first
            while let time = next, await timer.sleep(until: time) != .closed { next = await round() }
        }
    }

    /// Makes the timer check now, because something expires before its planned wake-up. The caller must first have
    /// stored the new expiry where the round reads it.
    func wake() {
        timer.signal()
    }

    func stop() {
        timer.close()
    }
}
