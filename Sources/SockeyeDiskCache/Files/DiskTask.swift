#if DiskCache
/// Work on a disk thread. The owner of this value starts the work by creating it, and awaits the result later.
/// Cancelling the task that waits ends the wait.
struct DiskTask<Value: Sendable>: Sendable {
    private let task: Task<Value, any Error>

    init(_ work: @escaping @Sendable () async throws -> Value) {
        task = Task { try await work() }
    }

    var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
#endif
