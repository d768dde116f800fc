package import SockeyeCore
package import SockeyeNet
import Synchronization

/// A count of a client's calls that are, or may be, suspended outside of the connection pool, for example before a
/// retry or while a closure chooses a proxy.
///
/// A suspended call has no connection and waits for none, so the pool does not know of it. A graceful shutdown
/// therefore uses this count to wait for the suspended calls.
package final class SuspendedCalls: Sendable {
    private let count = Atomic(0)
    /// True if a task waits for the last call to end. While it is false, the end of a call takes no lock.
    private let isAwaited = Atomic(false)
    private let waiters = Mutex<[WaitTimer]>([])

    package init() {}

    package var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }
    /// True if a task waits for the last call to end. For tests.
    var hasWaiters: Bool { isAwaited.load(ordering: .sequentiallyConsistent) }

    package func begin() { count.add(1, ordering: .sequentiallyConsistent) }

    package func end() {
        let rest = count.subtract(1, ordering: .sequentiallyConsistent).newValue
        guard rest == 0, isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        for waiter in waiters.withLock({ $0 }) { waiter.signal() }
    }

    /// Suspends until no call is left. Without a poller, or if no timer can be created, only checks the count and
    /// returns at once.
    ///
    /// - Returns: True if no call is left. False if calls are left when the deadline passes, the task is cancelled, or
    ///   the count is only checked.
    package func waitUntilEmpty(until deadline: MonotonicTime, on poller: (any Poller)?) async -> Bool {
        guard let poller, let timer = try? WaitTimer(poller: poller) else { return isEmpty }
        waiters.withLock { waiters in
            waiters.append(timer)
            isAwaited.store(true, ordering: .sequentiallyConsistent)
        }
        // The count is checked after the timer was added to `waiters`. If the last call ends later than this check,
        // `end` wakes the timer.
        let wake = isEmpty ? .ready : await timer.sleep(until: deadline)
        waiters.withLock { waiters in
            waiters.removeAll { $0 === timer }
            isAwaited.store(!waiters.isEmpty, ordering: .sequentiallyConsistent)
        }
        return wake == .ready
    }
}
