import SockeyeCore
import SockeyeNet

/// A timer of the pool: one sleeping task, which ends after `stop()` or when `round` returns nil.
final class PoolTimer: Sendable {
    private let timer: WaitTimer

    /// - Parameters:
    ///   - first: The time of the first call of `round`.
    ///   - round: Called at each wake-up. Handles the deadlines that have passed, if any, and returns the time of its
    ///     next call; nil if nothing is left that could expire.
    init(
        poller: any Poller, first: MonotonicTime, round: @escaping @Sendable () async -> MonotonicTime?
    ) throws(TransportError) {
        timer = try WaitTimer(poller: poller)
        // Detached, because the task serves all requests. It must not inherit the priority and the task-local values of
        // the request that creates the timer.
        Task.detached { [timer] in
            var next: MonotonicTime? = first
            while let time = next, await timer.sleep(until: time) != .closed { next = await round() }
        }
    }

    /// Makes the timer check now, because an item was added that expires before the planned wake-up. The caller must
    /// first have stored the new expiry where `round` reads it.
    func wake() {
        timer.signal()
    }

    func stop() {
        timer.close()
    }
}
