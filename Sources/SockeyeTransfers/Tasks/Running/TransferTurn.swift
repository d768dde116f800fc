import Synchronization

/// The turn of one task: the permission of the client's task queue to start.
///
/// A task that is paused before its work begins loses its turn; later the queue gives it another one. The queue calls
/// ``give()`` outside of its lock, so the call may come after ``withdraw()`` for the same turn. Hence a count.
final class TransferTurn: Sendable {
    private struct State {
        /// The number of turns given minus the number withdrawn, at most 1.
        var count = 0
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// True if the task may start.
    var isGiven: Bool { state.withLock { $0.count > 0 } }

    /// Adds a turn, and resumes the waiting Swift task if the turn was not withdrawn before.
    func give() {
        let waiter = state.withLock { state in
            state.count += 1
            return state.count > 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Takes a turn away that the queue has given, or is about to give.
    func withdraw() {
        state.withLock { $0.count -= 1 }
    }

    /// Ends all waits, because the task has ended.
    func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits until a turn is given or ``close()`` is called. Only one Swift task may wait. Cancelling it has no effect.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.count <= 0, !state.isClosed else { return true }
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
