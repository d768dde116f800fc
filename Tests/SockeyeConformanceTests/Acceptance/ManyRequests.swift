import Sockeye
import SockeyeTesting

/// Ten thousand requests on four tasks, in a process that runs only these and their server. They must not leave more
/// descriptors or much more memory in use than the two thousand requests before them.
enum ManyRequests {
    struct Growth: Error {
        let what: String
    }

    static func run() async throws {
        let server = try await TestServer.start { _ in .ok("hello") }
        let client = HTTPClient()
        try await send(2_000, to: server.url(), with: client)
        let (descriptors, heap) = (DescriptorCount.current(), HeapUsage.current())
        try await send(10_000, to: server.url(), with: client)
        guard DescriptorCount.current() <= descriptors else { throw Growth(what: "descriptors") }
        // Fifty bytes kept per request would be twice this limit.
        guard HeapUsage.current() - heap < 256 << 10 else { throw Growth(what: "\(HeapUsage.current() - heap) bytes") }
        guard server.activity.connections <= 4 else { throw Growth(what: "connections") }
    }

    private static func send(_ count: Int, to url: String, with client: HTTPClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<count / 4 { _ = try await client.get(url).bytes() }
                }
            }
            try await group.waitForAll()
        }
    }
}
