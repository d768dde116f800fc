import Synchronization

/// A blocking call for a thread of a ``ThreadPool``, and the task that waits for its result.
///
/// States: idle → waiting → done, or idle → waiting → working → done for a call whose work is waited for once it has begun.
/// Cancellation ends the wait of the first kind at once and leaves the work, if it has begun, to itself; of the second kind
/// only as long as the work has not begun.
final class ThreadPoolCall<Value: Sendable>: ThreadPoolWork {
    typealias Outcome = Result<Value, ThreadPoolRejection>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case working(CheckedContinuation<Outcome, Never>)
        case done
    }

    private let state = Mutex(State.idle)
    private let isAbandoned: Bool
    private let work: @Sendable () -> Value

    /// - Parameter isAbandoned: Whether a task that is cancelled leaves work that has begun to itself.
    init(isAbandoned: Bool, _ work: @escaping @Sendable () -> Value) {
        self.isAbandoned = isAbandoned
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
        let isWanted = state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            if !isAbandoned { state = .working(continuation) }
            return true
        }
        if isWanted { finish(.success(work())) }
    }

    /// The task that waits was cancelled.
    func cancel() {
        let isHeldUp = state.withLock { if case .working = $0 { true } else { false } }
        if !isHeldUp { finish(.failure(.cancelled)) }
    }

    func finish(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            defer { state = .done }
            switch state {
            case .waiting(let continuation), .working(let continuation): return continuation
            case .idle, .done: return nil
            }
        }
        continuation?.resume(returning: outcome)
    }
}

/// Work that nobody waits for.
final class ThreadPoolJob: ThreadPoolWork {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    func perform() { work() }
}

/// What a thread of the pool sees of a ``ThreadPoolCall``.
protocol ThreadPoolWork: AnyObject, Sendable {
    func perform()
}

/// Why a ``ThreadPool`` did not do some work.
package enum ThreadPoolRejection: Error, Sendable, Hashable {
    /// The queue is full.
    case overloaded(limit: Int)
    /// The waiting task was cancelled. Work that has begun goes on, and its result is dropped.
    case cancelled
    /// No thread could be started.
    case noThread(errno: Int32)
}
