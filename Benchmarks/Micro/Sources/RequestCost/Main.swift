import Sockeye

/// `RequestCost URL CONNECTIONS REQUESTS [loop]`: so many small GETs over so many connections and no more, for
/// Scripts/request-cost.py, which counts their instructions. With `loop` the tasks run on the client's own executor.
@main struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let connections = Int(arguments[2]), let requests = Int(arguments[3]) else {
            fatalError("usage: RequestCost URL CONNECTIONS REQUESTS [loop]")
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = connections
        configuration.pool.connections = connections
        let client = HTTPClient(configuration: configuration)
        let load = { @Sendable in try await send(requests, to: arguments[1], over: connections, by: client) }
        if arguments.dropFirst(4).first == "loop" {
            try await withTaskExecutorPreference(client.pool?.executor) { try await load() }
        } else {
            try await load()
        }
        await client.shutDown()
    }

    private static func send(_ requests: Int, to url: String, over connections: Int, by client: HTTPClient) async throws
    {
        try await withThrowingTaskGroup { group in
            for _ in 0..<connections {
                group.addTask { for _ in 0..<(requests / connections) { try await get(url, by: client) } }
            }
            try await group.waitForAll()
        }
    }

    private static func get(_ url: String, by client: HTTPClient) async throws {
        let response = try await client.get(url)
        var bytes = 0
        for try await chunk in response.body { bytes += chunk.count }
        guard response.status == .ok, bytes == 13 else { fatalError("\(response.status), \(bytes) bytes") }
    }
}
