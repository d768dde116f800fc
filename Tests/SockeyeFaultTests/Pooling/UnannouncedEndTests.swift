import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Servers that close connections which they let one believe would stay open.
@Suite("A server that closes without a word", .serialized, .timeLimit(.minutes(1)))
struct UnannouncedEndTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("after each answer loses no POST once that is known, and GETs none at all")
    func afterEachAnswer() async throws {
        // It reads the second request before it closes, which is the worst moment.
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(Self.ok)
            _ = try await peer.connection.read(through: "\r\n\r\n")
        }
        let client = HTTPClient()
        #expect(try await client.get(server.url()).text() == "ok")
        #expect(try await client.get(server.url()).text() == "ok", "repeated, and noted")
        for _ in 0..<40 {
            #expect(try await client.post(server.url()).text() == "ok")
            #expect(try await client.get(server.url()).text() == "ok")
        }
        await client.expectAtRest()
    }

    @Test("is forgiven after a while, and others are not blamed for it")
    func forgiven() async throws {
        let clock = ManualClock()
        let server = try FaultServer { peer in
            if peer.index == 0 {
                _ = try await peer.connection.read(through: "\r\n\r\n")
                return try await peer.connection.write(Self.ok)
            }
            try await behaves(peer)
        }
        let other = try FaultServer(script: behaves)
        let client = HTTPClient(configuration: HTTPClient.Configuration(), clock: clock)
        #expect(try await client.get(server.url()).text() == "ok")
        await eventually("the end") { server.open == 0 }
        for _ in 0..<3 { #expect(try await client.post(server.url()).text() == "ok") }
        #expect(server.connections == 4, "one for each POST")
        for _ in 0..<3 { #expect(try await client.post(other.url()).text() == "ok") }
        #expect(other.connections == 1)
        clock.advance(by: .seconds(12))
        for _ in 0..<3 { #expect(try await client.post(server.url()).text() == "ok") }
        #expect(server.connections == 4)
    }
}
