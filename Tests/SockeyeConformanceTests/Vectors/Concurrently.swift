import Sockeye

/// Runs `body` for each index below `count` in a few tasks. Each task makes one client for all of its indices. The
/// default client does not follow redirects, because the tests check the answers.
func concurrently(
    _ count: Int, width: Int = 6,
    making make: @escaping @Sendable () -> HTTPClient = { HTTPClient().adding(.redirects(.manual)) },
    _ body: @escaping @Sendable (Int, HTTPClient) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for start in 0..<width {
            group.addTask {
                let client = make()
                for index in stride(from: start, to: count, by: width) { try await body(index, client) }
            }
        }
        try await group.waitForAll()
    }
}
