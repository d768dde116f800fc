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

        guard let pool = client.pool else { return }
        try await pool.prewarm("https://api.example.com", count: 8, as: client)
        print(pool.statistics.waiting)
        for await statistics in pool.statisticsUpdates(every: .seconds(10)) {
            for origin in statistics.origins { print(origin.origin, origin.leased, origin.waiting) }
        }

        try await withTaskExecutorPreference(client.pool?.executor) {
            let response = try await client.get("https://api.example.com/")
            print(response.status)
        }
    }

    func sharedPool() async throws {
        let pool = ConnectionPool(configuration: PoolOptions(connections: 512))
        let api = HTTPClient(pool: pool, configuration: .init(tls: TLSOptions(roots: .file("internal.pem"))))
        let web = HTTPClient(pool: pool)
        await pool.update(PoolOptions(connections: 128))
        try await pool.drain("https://api.example.com")
        _ = (api, web)
    }
}
