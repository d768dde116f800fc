import SockeyeEngine
import SockeyeNet
import Synchronization

/// The end of a call's wait for an operation of a store, which may hang: the total deadline of the call, if it has one,
/// or its cancellation.
struct StoreDeadline: Sendable {
    private let context: CallContext

    init(of context: CallContext) {
        self.context = context
    }

    /// Runs an operation in a task of its own. At the deadline, or if the calling task is cancelled, the operation's
    /// task is cancelled and not awaited, and this function throws.
    func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await context.run(in: .body, operation)
    }
}

/// A store whose operations end their waits when their task is cancelled. A call without a total deadline runs them in
/// its own task, which saves a task and a timer for each operation.
package protocol InterruptibleStore: CachePolicy.Store {}

extension CachePolicy {
    /// Returns the deadline for operations of the store in a call. Nil for the memory store, which never makes its
    /// caller wait, and for a ``InterruptibleStore`` in a call without a total deadline.
    func storeDeadline(in context: CallContext) -> StoreDeadline? {
        if memory != nil || isStoreInterruptible && context.deadline == .distantFuture { return nil }
        return StoreDeadline(of: context)
    }
}

extension StoreDeadline? {
    /// Runs an operation of a store, up to the deadline. If the deadline is nil, runs it in the caller's task.
    func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let deadline = self else { return try await operation() }
        return try await deadline.run(operation)
    }
}

/// Hands a new writer from the task that creates it to the call that waits for it. If the wait has ended before the
/// writer comes, the writer is abandoned.
final class WriterHandover: Sendable {
    private let state = Mutex<(writer: (any CachePolicy.Writer)?, isOver: Bool)>((nil, false))

    func put(_ writer: any CachePolicy.Writer) {
        let isOver = state.withLock { state in
            if !state.isOver { state.writer = writer }
            return state.isOver
        }
        if isOver { writer.abandon() }
    }

    /// Ends the wait and returns the writer; nil if no writer has come.
    func take() -> (any CachePolicy.Writer)? {
        state.withLock { state in
            state.isOver = true
            return state.writer.take()
        }
    }
}
