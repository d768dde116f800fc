package import SockeyePlatform
import Synchronization

/// A bounded thread pool for blocking calls such as `getaddrinfo`, which would otherwise block the cooperative pool.
///
/// If no idle thread can take new work, another thread starts. At the maximum number of threads, work waits in a
/// bounded queue. A thread ends after a while without work. The release of the last reference to this object ends the
/// idle threads.
package final class ThreadPool: Sendable {
    private let queue: ThreadPoolQueue

    /// - Parameters:
    ///   - name: The name of the threads in debuggers; at most 15 bytes.
    ///   - threads: The largest number of threads, at least 1.
    ///   - queueLimit: The number of units of work that may wait for a thread.
    ///   - idleTime: The time after which a thread without work ends.
    package init(name: String, threads: Int, queueLimit: Int, idleTime: Duration) {
        queue = ThreadPoolQueue(name: name, maximumThreads: max(1, threads), queueLimit: queueLimit, idleTime: idleTime)
    }

    deinit {
        queue.close()
    }

    package var threadCount: Int { queue.threadCount }
    /// The number of units of work that wait for a thread.
    package var queueLength: Int { queue.queueLength }

    /// Runs `work` on one of the threads. If the task is cancelled before the work has begun, withdraws the work and
    /// throws ``ThreadPoolRejection/cancelled``.
    ///
    /// - Parameter isAbandoned: If true, a cancelled call throws at once even if the work has begun; the work continues
    ///   and its result is dropped. If false, the call waits for work that has begun.
    package func run<Value: Sendable>(
        isAbandoned: Bool = true, _ work: @escaping @Sendable () -> Value
    ) async throws(ThreadPoolRejection) -> Value {
        let call = ThreadPoolCall(isAbandoned: isAbandoned, work)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard call.park(continuation) else { return }
                if let refusal = queue.submit(call) { call.finish(.failure(refusal)) }
            }
        } onCancel: {
            call.cancel()
            queue.withdraw(call)
        }.get()
    }

    /// Starts `work` on one of the threads and returns at once. Returns the reason if no thread will run it.
    package func begin(_ work: @escaping @Sendable () -> Void) -> ThreadPoolRejection? {
        queue.submit(ThreadPoolJob(work))
    }
}

/// A blocking call for a thread of a ``ThreadPool``, and the task that waits for its result.
///
/// States of work that may be abandoned: idle → waiting → done. Cancellation ends the wait at once; work that has begun
/// continues without a waiting task. States of work that is never abandoned: idle → waiting → working → done.
/// Cancellation ends the wait only if the work has not begun.
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

    /// - Parameter isAbandoned: True if cancelling the task abandons work that has begun.
    init(isAbandoned: Bool, _ work: @escaping @Sendable () -> Value) {
        self.isAbandoned = isAbandoned
        self.work = work
    }

    /// Begins the wait. If the task was already cancelled, resumes the continuation and returns false.
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

    /// Handles the cancellation of the waiting task.
    func cancel() {
        // The state is checked and changed in one critical section. Otherwise work that is never abandoned could begin
        // in between and continue without its task.
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            if case .working = state { return nil }
            return Self.end(&state)
        }
        continuation?.resume(returning: .failure(.cancelled))
    }

    func finish(_ outcome: Outcome) {
        state.withLock { Self.end(&$0) }?.resume(returning: outcome)
    }

    private static func end(_ state: inout State) -> CheckedContinuation<Outcome, Never>? {
        defer { state = .done }
        switch state {
        case .waiting(let continuation), .working(let continuation): return continuation
        case .idle, .done: return nil
        }
    }
}

/// Work without a waiting task.
final class ThreadPoolJob: ThreadPoolWork {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    func perform() { work() }
}

/// A unit of work of a ``ThreadPool``.
protocol ThreadPoolWork: AnyObject, Sendable {
    func perform()
}

/// The reason why a ``ThreadPool`` did not run some work.
package enum ThreadPoolRejection: Error, Sendable, Hashable {
    /// The queue is full.
    case overloaded(limit: Int)
    /// The waiting task was cancelled.
    case cancelled
    /// No thread could be started, and no other thread was alive to take the work.
    case noThread(SystemError)
}
