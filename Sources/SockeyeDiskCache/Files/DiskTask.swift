#if DiskCache
/// Work in a task of its own, such as a call of ``CacheFolder/perform(_:)``. Creating this value starts the work; its
/// owner awaits the result later. If the waiting task is cancelled, the work is cancelled as well, which ends the wait.
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
