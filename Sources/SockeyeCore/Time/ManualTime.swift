import Synchronization

/// A clock that stands still until it is told to move; whoever sleeps on it is told when it does.
package final class ManualTime: Sendable {
    private struct State {
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var now: MonotonicTime {
        state.withLock { $0.now }
    }

    /// Moves the clock and tells every observer, after the lock is released.
    package func advance(by duration: Duration) {
        let observers = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Registers a callback for every move of the clock.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
    }

    package func removeObserver(_ id: Int) {
        state.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
}
