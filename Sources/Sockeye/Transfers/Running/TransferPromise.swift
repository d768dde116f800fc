package import SockeyeEngine
import Synchronization

/// The future outcome of a task, and the callers that wait for it.
package final class TransferPromise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, SockeyeError>?
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var result: Result<Value, SockeyeError>? { state.withLock(\.result) }

    /// Sets the outcome and resumes the waiters. Later calls have no effect.
    package func fulfill(_ result: Result<Value, SockeyeError>) {
        let waiters = state.withLock { state in
            guard state.result == nil else { return [CheckedContinuation<Void, Never>]() }
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for the outcome. A cancelled waiter stops waiting; the task continues.
    package func value() async throws(SockeyeError) -> Value {
        while true {
            if let result { return try result.get() }
            if Task.isCancelled { throw SockeyeError(.cancelled, phase: .prepare) }
            await wait()
        }
    }

    private func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.result == nil, !Task.isCancelled else { return true }
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
