import Synchronization

/// A clock that stands still until it is moved. It notifies its observers, such as the event loops of pollers, of each
/// move.
package final class ManualTime: Sendable {
    private struct State {
        var now = ManualTime.start
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private let state = Mutex(State())
    private let firstUnixTime: Int64

    /// - Parameter unixTime: The wall-clock time at the beginning. Default 2026-01-01T00:00:00Z.
    package init(unixTime: Int64 = 1_767_225_600) {
        firstUnixTime = unixTime
    }

    /// The wall-clock time, which moves with this clock: seconds since 1970-01-01T00:00:00Z.
    package var unixTime: Int64 {
        firstUnixTime + now.since(Self.start).components.seconds
    }

    package var now: MonotonicTime {
        state.withLock { $0.now }
    }

    /// Moves the clock and calls every observer after the lock is released.
    package func advance(by duration: Duration) {
        let observers = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Registers a callback for every move of the clock. Returns the id for ``removeObserver(_:)``.
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
