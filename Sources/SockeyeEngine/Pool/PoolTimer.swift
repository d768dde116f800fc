import SockeyeCore
import SockeyeNet
import Synchronization

/// A timer of the pool: one sleeping task, which ends when there is nothing left that could expire.
final class PoolTimer: Sendable {
    private let timer: WaitTimer

    /// - Parameter round: does the work that is due, if any, and returns the time of the next round; nil ends the task.
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

    /// True if no wake-up is planned, or if something expires at `time`, clearly earlier than the planned one. Even if
    /// nothing expires, a wake-up is needed to find the connections that their peers have closed.
    static func isWorthWaking(for time: MonotonicTime, insteadOf planned: borrowing Atomic<Int64>) -> Bool {
        let planned = planned.load(ordering: .relaxed)
        return planned == .max || time.advanced(by: .milliseconds(500)).nanoseconds < planned
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
