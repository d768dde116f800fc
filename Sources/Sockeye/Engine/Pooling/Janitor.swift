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

    /// Something expires at `time`; wakes the sleeper if that is clearly earlier than it would wake.
    func expect(_ time: MonotonicTime) {
        let isEarlier = wakesAt.withLock { wakesAt in
            guard time.advanced(by: .milliseconds(500)) < wakesAt else { return false }
            wakesAt = time
            return true
        }
        if isEarlier { sleeper.signal() }
    }

    func stop() {
        sleeper.close()
    }
}
