#if DiskCache
/// Work of a thread for the disk that goes on while its owner does something else, and is waited for later. Who is cancelled
/// while waiting waits no longer.
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
