import Synchronization

/// Work for a thread that may block, and the task that waits for its result.
///
/// States: idle → waiting → done; cancellation ends a wait at once and leaves the work, if it has begun, to itself.
final class BlockingCall<Value: Sendable>: BlockingWork {
    typealias Outcome = Result<Value, BlockingRefusal>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case done
    }

    private let state = Mutex(State.idle)
    private let work: @Sendable () -> Value

    init(_ work: @escaping @Sendable () -> Value) {
        self.work = work
    }

    /// Begins the wait; false, with the continuation resumed, when the task was cancelled before.
    func park(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let isParked = state.withLock { state in
            guard case .idle = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isParked { continuation.resume(returning: .failure(.cancelled)) }
        return isParked
    }

    func perform() {
        let isWanted = state.withLock { if case .waiting = $0 { true } else { false } }
        if isWanted { finish(.success(work())) }
    }

    func finish(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            defer { state = .done }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(returning: outcome)
    }
}
