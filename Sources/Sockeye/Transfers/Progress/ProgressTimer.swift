package import SockeyeCore
package import SockeyeEngine
import Synchronization

/// Lets those who iterate progress rest between two values: one timer for all tasks of a client, so that a thousand
/// listeners do not set ten thousand timers a second.
///
/// It ticks only while somebody rests, and at most a hundred times a second; whoever is due by then is woken together.
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
            // All rest for as long, so that the order is this one, but for those who were slow to begin.
            state.rests.append(Rest(due: max(due, state.rests.last?.due ?? due), end: end))
            defer { state.isTicking = true }
            return !state.isTicking
        }
        // What the first listener's task has with it, such as its priority, is not the others'.
        if isFirst { Task.detached { await self.tick() } }
    }

    private func tick() async {
        var earliest = MonotonicTime.zero
        while let due = nextDue() {
            // Without a poller nobody rests.
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
