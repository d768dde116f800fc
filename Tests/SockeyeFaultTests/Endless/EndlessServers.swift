import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting

/// Servers that send an endless answer, each on its own thread and to one client.
///
/// They stop after 75 seconds, so a client that cannot stop them fails its test instead of hanging.
struct EndlessServers: Sendable {
    let servers: [RawServer]

    private static let longest = Duration.seconds(75)

    init(_ answer: EndlessAnswer, count: Int, tls: TestTLS? = nil) async throws {
        let clock = ContinuousClock()
        let end = clock.now + Self.longest
        let sending = RawStep.run { connection in
            while clock.now < end {
                try Task.checkCancellation()
                try await connection.write(answer.block)
                await Task.yield()
            }
        }
        var servers: [RawServer] = []
        for _ in 0..<count {
            let reading: RawStep = answer.followsHead ? .readRequestHead : .readBytes(1)
            servers.append(
                try await RawServer.start(tls: tls, script: [reading, .send(answer.start), sending, .reset]))
        }
        self.servers = servers
    }

    func stop() async {
        for server in servers { await server.stop() }
    }
}
