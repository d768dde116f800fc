import Sockeye

/// 6: a body is read as it comes, no faster than it is used.
struct StreamDown: Job {
    let title = "stream down"

    func run(_ client: HTTPClient) async throws -> String {
        var count = 0
        for try await chunk in try await client.get("log").body { count += chunk.count }
        return "\(count) bytes"
    }
}
