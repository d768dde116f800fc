import SockeyeCore
import SockeyeNet
import Synchronization

/// A timer of the pool: one sleeping task, which ends when there is nothing left that could expire.
final class PoolTimer: Sendable {
    private let sleeper: WaitTimer

    /// - Parameter round: does the round, or finds that it is too early, and says when the next is due; nil ends the task.
    init(
        poller: any Poller, first: MonotonicTime, round: @escaping @Sendable () async -> MonotonicTime?
    ) throws(TransportError) {
        sleeper = try WaitTimer(poller: poller)
        // Detached: it is there for all, not for the task that happens to come first.
        Task.detached { [sleeper] in
            var next: MonotonicTime? = first
            while let time = next, await sleeper.sleep(until: time) != .closed { next = await round() }
        }
    }

    /// Whether something that expires at `time` is a reason to come clearly earlier than planned.
    static func isWorthWaking(for time: MonotonicTime, insteadOf planned: borrowing Atomic<Int64>) -> Bool {
        time.advanced(by: .milliseconds(500)).nanoseconds < planned.load(ordering: .relaxed)
    }

    /// Has it look now, since something expires earlier than it would have come. Called after that can be seen.
    func wake() {
        sleeper.signal()
    }

    func stop() {
        sleeper.close()
    }
}
