package import SockeyeCore
package import SockeyeEngine
import Synchronization

/// A coalescing timer for the pauses of all iterators of progress: a thousand of them do not set ten thousand timers a
/// second.
///
/// It runs only while an iterator pauses, and fires at most a hundred times a second, for all that are due.
package final class ProgressTimer: Sendable {
    private struct Rest {
        let due: MonotonicTime
        let end: @Sendable () -> Void
    }

    private struct State {
        /// The earliest first.
        var rests: [Rest] = []
        var isTicking = false
    }

    private static let shortest = Duration.milliseconds(10)

    private let state = Mutex(State())
    private let clock: CallClock

    package init(clock: CallClock) {
        self.clock = clock
    }

    package var now: MonotonicTime { clock.time.now }

    /// Calls `end` once `due` has come: not before it, and not long after all that began to rest earlier.
    func rest(until due: MonotonicTime, _ end: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            // All pause for the same time, so the list stays in order; one that came late waits for the last before it.
            state.rests.append(Rest(due: max(due, state.rests.last?.due ?? due), end: end))
            defer { state.isTicking = true }
            return !state.isTicking
        }
        // Detached, since the timer serves others, too: it inherits neither priority nor task-local values.
        if isFirst { Task.detached { await self.tick() } }
    }

    private func tick() async {
        var earliest = MonotonicTime.zero
        while let due = nextDue() {
            // Without a poller all are woken at once.
            let hasRested = (try? await clock.sleep(until: max(due, earliest))) != nil
            earliest = clock.time.now.advanced(by: Self.shortest)
            for rest in takeDue(hasRested ? clock.time.now : .distantFuture) { rest.end() }
        }
    }

    private func nextDue() -> MonotonicTime? {
        state.withLock { state in
            if state.rests.isEmpty { state.isTicking = false }
            return state.rests.first?.due
        }
    }

    private func takeDue(_ now: MonotonicTime) -> [Rest] {
        state.withLock { state in
            let due = Array(state.rests.prefix { $0.due <= now })
            state.rests.removeFirst(due.count)
            return due
        }
    }
}
