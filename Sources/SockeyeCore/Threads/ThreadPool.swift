import Synchronization

/// A bounded thread pool for calls that block, such as `getaddrinfo`, which would otherwise hold up the cooperative pool.
///
/// Threads start with the first work, up to a maximum, and end after a while without any; the last reference to this
/// value ends the idle ones. Work waits in a bounded queue.
package final class ThreadPool: Sendable {
    private let queue: ThreadPoolQueue

    /// - Parameters:
    ///   - name: What debuggers call the threads; at most 15 bytes.
    ///   - threads: The most threads.
    ///   - queueLimit: How much work may wait for a thread.
    ///   - idleTime: How long a thread without work stays.
    package init(name: String, threads: Int, queueLimit: Int, idleTime: Duration) {
        queue = ThreadPoolQueue(name: name, maximumThreads: max(1, threads), queueLimit: queueLimit, idleTime: idleTime)
    }

    deinit {
        queue.close()
    }

    /// How many threads there are now.
    package var threadCount: Int { queue.threadCount }
    /// How much work waits for a thread.
    package var queueLength: Int { queue.queueLength }

    /// Runs `work` on one of the threads. Cancellation withdraws work that has not begun.
    ///
    /// - Parameter isAbandoned: Whether cancellation returns at once from work that has begun, too, which then goes on and
    ///   whose result is dropped. Else that work is waited for.
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

    /// Has one of the threads do `work`, soon, and returns at once; with the reason if none will.
    package func begin(_ work: @escaping @Sendable () -> Void) -> ThreadPoolRejection? {
        queue.submit(ThreadPoolJob(work))
    }
}

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
        // In one step with the look at the state: work that begins in between would go on behind the back of its task.
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

/// Work that nobody waits for.
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

/// Why a ``ThreadPool`` did not do some work.
package enum ThreadPoolRejection: Error, Sendable, Hashable {
    /// The queue is full.
    case overloaded(limit: Int)
    /// The waiting task was cancelled. Work that has begun goes on, and its result is dropped.
    case cancelled
    /// No thread could be started.
    case noThread(errno: Int32)
}
