import Sockeye

/// The snippets of Performance.md, which would need the hosts that they name: compiled, not run.
struct PerformanceArticle {
    func pool() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 64
        configuration.pool.connections = 512
        configuration.pool.waiters = 1_000
        configuration.timeouts.pool = .seconds(2)
        let client = HTTPClient(configuration: configuration)

        try await client.connections.prewarm("https://api.example.com", count: 8)
        let statistics = await client.connections.statistics()
        print(statistics as Any)

        try await withTaskExecutorPreference(client.executor) {
            let response = try await client.get("https://api.example.com/")
            print(response.status)
        }
    }
}
