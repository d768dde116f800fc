import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// What comes before the first request of a connection is no answer to it (RFC 9112 9.2).
@Suite("Bytes before the first request", .timeLimit(.minutes(1)))
struct EarlyBytesTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno"

    @Test("are refused, and nothing is sent", arguments: [answer, "220 mail.example ESMTP\r\n", "x"])
    func plain(early: String) async throws {
        // In one packet with what the proxy has to say, so that they are surely there.
        let granted = Bytes([5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Array(early.utf8))
        let proxy = try await RawServer.start(script: [
            .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(granted), .readToEnd,
        ])
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        let error = await failure { _ = try await client.post("http://10.0.0.1/", .body("x")) }
        #expect(error?.code == .malformedResponse && error?.blame == .peer, "\(String(describing: error))")
        #expect(error?.phase == .send && error?.attempt == 1)
        #expect(error?.message.contains("before it was asked") == true)
        await client.expectAtRest()
        #expect(proxy.received().count == 13)
        await proxy.stop()
    }

    @Test("are refused behind a handshake, too")
    func overTLS() async throws {
        let server = try FaultServer(tls: try Credentials.server()) { peer in
            try await peer.connection.write(Self.answer)
            try await peer.connection.discardToEnd()
        }
        let port = try #require(server.address.port)
        let proxy = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\n\r\n"),
            // The server's last flight, with which a handshake of TLS 1.2 ends, together with the content behind it: so that
            // this is surely there when the handshake is over.
            .run { try await Tunnel.relay($0, to: port) { held, flights in flights > 1 && !Self.hasContent(held) } },
        ])
        var configuration = try Credentials.configuration()
        configuration.tls.maximumVersion = .v1_2
        configuration.proxy = .http("http://127.0.0.1:\(proxy.port)")
        let client = HTTPClient(configuration: configuration)
        let error = await failure { _ = try await client.post("https://localhost:\(port)/", .body("x")) }
        #expect(error?.code == .malformedResponse && error?.phase == .send, "\(String(describing: error))")
        #expect(error?.message.contains("before it was asked") == true)
        await client.expectAtRest()
        await proxy.stop()
    }

    /// Whether a record of content (RFC 5246 6.2.1) has begun among these.
    private static func hasContent(_ records: [UInt8]) -> Bool {
        var start = 0
        while start + 5 <= records.count {
            if records[start] == 23 { return true }
            start += 5 + Int(records[start + 3]) << 8 + Int(records[start + 4])
        }
        return false
    }
}
