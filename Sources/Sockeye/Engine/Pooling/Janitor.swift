import SockeyeCore
import SockeyeTransport
import Synchronization

/// Comes back when idle connections expire. One sleeping task per pool, and none while nothing is idle.
final class Janitor: Sendable {
    private let sleeper: Sleeper
    private let wakesAt: Mutex<MonotonicTime>

    /// - Parameter tick: does the round and says when the next is due; nil ends the task.
    init(
        poller: any Poller, first: MonotonicTime, tick: @escaping @Sendable () async -> MonotonicTime??
    ) throws(TransportError) {
        sleeper = try Sleeper(poller: poller)
        wakesAt = Mutex(first)
        Task { [sleeper, weak self] in
            var next = first
            while true {
                let wake = await sleeper.sleep(until: next)
                if wake == .closed { return }
                if wake == .ready, let earlier = self?.wakesAt.withLock({ $0 }) {
                    next = earlier
                    continue
                }
                guard case .some(.some(let following)) = await tick(), let self else { return }
                self.wakesAt.withLock { $0 = following }
                next = following
            }
        }
    }

    /// Whether something that expires at `time` is a reason to come clearly earlier than planned.
    static func isWorthWaking(for time: MonotonicTime, insteadOf planned: borrowing Atomic<Int64>) -> Bool {
        time.advanced(by: .milliseconds(500)).nanoseconds < planned.load(ordering: .relaxed)
    }

    /// Something expires at `time`, earlier than the sleeper would wake.
    func expect(_ time: MonotonicTime) {
        wakesAt.withLock { $0 = time }
        sleeper.signal()
    }

    func stop() {
        sleeper.close()
    }
}
