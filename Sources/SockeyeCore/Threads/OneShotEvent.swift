import Synchronization

/// An event that happens once, and the tasks that wait for it.
///
/// It is for waits that need no deadline, such as a wait for a disk thread.
package final class OneShotEvent: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Resumes the waiting tasks. Later calls have no effect.
    package func happen() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the event has happened or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard !state.hasHappened, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
