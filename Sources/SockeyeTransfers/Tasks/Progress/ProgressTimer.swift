package import SockeyeCore
package import SockeyeEngine
import Synchronization

/// A coalescing timer for the pauses of all progress iterators, which pause after each value. Without it, a thousand
/// iterators with pauses of 100 ms would set ten thousand timers a second.
///
/// The timer runs only while an iterator pauses. It fires at most a hundred times a second, for all pauses that are
/// over.
package final class ProgressTimer: Sendable {
    private struct Pause {
        let due: MonotonicTime
        let end: @Sendable () -> Void
    }

    private struct State {
        /// The pauses, the earliest end first.
        var rests: [Pause] = []
        var isTicking = false
        /// The earliest time of the next firing.
        var earliest = MonotonicTime.zero
    }

    /// The minimum time between two firings.
    private static let shortest = Duration.milliseconds(10)

    private let state = Mutex(State())
    private let clock: CallClock

    package init(clock: CallClock) {
        self.clock = clock
    }

    package var now: MonotonicTime { clock.time.now }

    /// Calls `end` soon after `due`, but not before the pauses that were scheduled earlier have ended.
    func schedule(until due: MonotonicTime, _ end: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            // All pauses have the same length, so they are usually added in the order of their ends. If another thread
            // has already added a pause that ends later, this pause is extended to that end, which keeps the list in
            // order.
            state.rests.append(Pause(due: max(due, state.rests.last?.due ?? due), end: end))
            defer { state.isTicking = true }
            return !state.isTicking
        }
        // Detached, because the timer serves other tasks, too: it must not inherit priority and task-local values.
        if isFirst { Task.detached { await self.tick() } }
    }

    private func tick() async {
        while let due = nextDue() {
            // If the clock cannot set a timer, for example for lack of descriptors, the sleep fails. Then all pauses
            // end without delay.
            let hasRested = (try? await clock.sleep(until: due)) != nil
            for rest in takeDue(hasRested ? now : .distantFuture) { rest.end() }
        }
    }

    private func nextDue() -> MonotonicTime? {
        state.withLock { state in
            if state.rests.isEmpty { state.isTicking = false }
            return state.rests.first.map { max($0.due, state.earliest) }
        }
    }

    /// Removes and returns the pauses that end by `limit`, and sets the earliest time of the next firing.
    private func takeDue(_ limit: MonotonicTime) -> [Pause] {
        state.withLock { [now] state in
            state.earliest = now.advanced(by: Self.shortest)
            let due = Array(state.rests.prefix { $0.due <= limit })
            state.rests.removeFirst(due.count)
            return due
        }
    }
}
