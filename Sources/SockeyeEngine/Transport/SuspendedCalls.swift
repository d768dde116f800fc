package import SockeyeCore
package import SockeyeNet
import Synchronization

/// The calls of a client that one of its policies suspends, for example until a retry is due or a token has arrived.
///
/// Such a call has no connection and waits for none, so the pool does not know of it.
package final class SuspendedCalls: Sendable {
    private struct State {
        var count = 0
        var waiters: [WaitTimer] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isEmpty: Bool { state.withLock { $0.count == 0 } }

    package func begin() { state.withLock { $0.count += 1 } }

    package func end() {
        let waiters = state.withLock { state -> [WaitTimer] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.signal() }
    }

    /// Suspends until no call is suspended.
    ///
    /// - Returns: False if a call is still suspended when the deadline passes or the task is cancelled.
    package func waitUntilEmpty(until deadline: MonotonicTime, on poller: (any Poller)?) async -> Bool {
        guard let poller, let timer = try? WaitTimer(poller: poller) else { return isEmpty }
        let isEmpty = state.withLock { state in
            if state.count > 0 { state.waiters.append(timer) }
            return state.count == 0
        }
        if isEmpty { return true }
        let wake = await timer.sleep(until: deadline)
        state.withLock { $0.waiters.removeAll { $0 === timer } }
        return wake == .ready
    }
}
