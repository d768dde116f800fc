import Sockeye
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Fills a pool with idle connections and measures their memory.
enum IdleMemory {
    static func measure(_ url: String, connections: Int, roots: String?, limit: Int) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = connections
        configuration.pool.connections = connections
        if let roots { configuration.tls.roots = .pem(roots) }
        let client = HTTPClient(configuration: configuration)
        // Memory that the first request allocates belongs to no connection.
        try demand(try await client.get("\(url)first").text() == "ok", "a first answer")
        let before = HeapUsage.current()
        try await fill(client, url, connections)
        let pool = client.pool?.statistics
        try demand(pool?.idle == connections, "\(connections) idle connections, not \(String(describing: pool?.idle))")
        // The tasks that made the requests may not have ended yet.
        var each = Int.max
        for _ in 0..<1000 where each > limit {
            try await Task.sleep(for: .milliseconds(5))
            each = (HeapUsage.current() - before) / connections
        }
        try demand(each <= limit, "at most \(limit) bytes a connection, not \(each)")
    }

    /// Sends as many concurrent requests as there should be connections.
    private static func fill(_ client: HTTPClient, _ url: String, _ count: Int) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await client.get(url).bytes().count } }
            for try await received in group { try demand(received == 2, "a body") }
        }
    }
}
