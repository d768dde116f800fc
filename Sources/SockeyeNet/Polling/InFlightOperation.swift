package import SockeyeCore
import Synchronization

/// An operation in flight, such as a look-up, with one result for all waiters (single flight).
package final class InFlightOperation<Success: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Success, Failure>

    private struct State {
        var outcome: Outcome?
        var waiters: [WaitTimer] = []
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for the result, the deadline or cancellation.
    package func outcome(
        until deadline: MonotonicTime, poller: any Poller
    ) async throws(TransportError) -> Outcome {
        let timer = try WaitTimer(poller: poller)
        let early = state.withLock { state in
            if state.outcome == nil { state.waiters.append(timer) }
            return state.outcome
        }
        if let early { return early }
        let wake = await timer.sleep(until: deadline)
        let outcome = state.withLock { state in
            state.waiters.removeAll { $0 === timer }
            return state.outcome
        }
        switch wake {
        case .cancelled, .closed: throw .cancelled
        case .timedOut: throw .timedOut
        case .ready:
            guard let outcome else { throw .cancelled }
            return outcome
        }
    }

    /// Stores the result and wakes all waiters, unless the operation has a result already.
    package func finish(_ outcome: Outcome) {
        let waiters: [WaitTimer] = state.withLock { state in
            guard state.outcome == nil else { return [] }
            defer { state.waiters = [] }
            state.outcome = outcome
            state.task = nil
            return state.waiters
        }
        for timer in waiters { timer.signal() }
    }

    /// Stores the task that performs the operation, so that ``abandon()`` can cancel the task.
    package func carriedOut(by task: Task<Void, Never>) {
        let isAbandoned = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Cancels the operation's task. If the task has not been stored yet, ``carriedOut(by:)`` cancels it.
    package func abandon() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    /// Cancels the task and wakes all waiters with this result, without waiting for the task's end.
    package func abandon(with outcome: Outcome) {
        abandon()
        finish(outcome)
    }
}
