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
