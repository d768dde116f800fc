#if DiskCache
/// Work on a disk thread that continues while its owner does something else. The owner awaits the result later.
/// Cancelling the waiting task ends the wait.
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
