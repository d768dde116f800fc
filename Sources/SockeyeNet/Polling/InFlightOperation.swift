package import SockeyeCore
import Synchronization

/// One piece of work that is under way, such as a look-up, and everybody who waits for it.
package final class InFlightOperation<Success: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Success, Failure>

    private struct State {
        var outcome: Outcome?
        var sleepers: [WaitTimer] = []
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for the end of the work, the deadline or cancellation, whichever comes first.
    package func outcome(
        until deadline: MonotonicTime, poller: any Poller
    ) async throws(TransportError) -> Outcome {
        let sleeper = try WaitTimer(poller: poller)
        let early = state.withLock { state in
            if state.outcome == nil { state.sleepers.append(sleeper) }
            return state.outcome
        }
        if let early { return early }
        let wake = await sleeper.sleep(until: deadline)
        let outcome = state.withLock { state in
            state.sleepers.removeAll { $0 === sleeper }
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

    /// Wakes everybody.
    package func finish(_ outcome: Outcome) {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [] }
            state.outcome = outcome
            state.task = nil
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.signal() }
    }

    /// Remembers who does it, so that work that hangs can be cancelled when another one takes its place.
    package func carriedOut(by task: Task<Void, Never>) {
        let isAbandoned = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    package func abandon() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }
}
