import Sockeye
import SockeyeTesting
import Testing

@Suite("A TLS session from a connection that was closed at once", .timeLimit(.minutes(1)))
struct ResumptionTests {
    @Test("serves the next connection", arguments: 0..<4)
    func resumption(_ seed: Int) async throws {
        for _ in 0..<25 {
            let server = try FaultServer(tls: try Credentials.server()) { peer in
                guard peer.index == 0 else { return try await behaves(peer) }
                try await peer.connection.closeWrite()
            }
            let client = HTTPClient(configuration: try Credentials.configuration())
            _ = await failure { _ = try await client.get(server.url()).text() }
            #expect(try await client.get(server.url()).text() == "ok")
        }
    }
}
