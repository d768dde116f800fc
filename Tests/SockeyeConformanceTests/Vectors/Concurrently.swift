/// Runs `body` for each index below `count` in a few tasks, each of which makes a value to use for all of its indices.
func concurrently<Own: Sendable>(
    _ count: Int, width: Int = 6, making make: @escaping @Sendable () -> Own,
    _ body: @escaping @Sendable (Int, Own) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for start in 0..<width {
            group.addTask {
                let own = make()
                for index in stride(from: start, to: count, by: width) { try await body(index, own) }
            }
        }
        try await group.waitForAll()
    }
}
