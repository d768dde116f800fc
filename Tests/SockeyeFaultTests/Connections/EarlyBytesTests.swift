import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// A server may answer before it has read the request. It is random whether the answer arrives before the request is
/// sent.
@Suite("Bytes before the first request", .timeLimit(.minutes(1)))
struct EarlyBytesTests {
    private static let answer = "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno"

    /// A SOCKS proxy that sends its grant and the first bytes of the server behind it in one packet, so these bytes are
    /// certainly early.
    private static func proxy(saying early: String, then rest: [RawStep]) async throws -> RawServer {
        let granted = Bytes([5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Array(early.utf8))
        return try await RawServer.start(
            script: [.readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(granted)] + rest)
    }

    @Test(
        "bytes before the request become its answer, whole or in part, and the connection is not reused",
        arguments: [answer.utf8.count, 30, 1], [HTTPRequest.Method.get, .post])
    func answered(length: Int, method: HTTPRequest.Method) async throws {
        let (early, late) = (String(Self.answer.prefix(length)), String(Self.answer.dropFirst(length)))
        let proxy = try await Self.proxy(saying: early, then: [.readRequestHead, .send(late), .readToEnd])
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        for count in 1...2 {
            let response = try await client.request(method, "http://10.0.0.1/")
            #expect(response.statusCode == 503)
            #expect(try await response.text() == "no")
            #expect(proxy.connectionCount == count)
        }
        await client.expectAtRest()
        await proxy.stop()
    }

    @Test(
        "an answer that the server sends without waiting for the request is accepted",
        arguments: 0..<40)
    func closing(_: Int) async throws {
        let server = try FaultServer { peer in
            // Closing without reading the request would reset the connection.
            try await peer.connection.write(Self.answer)
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        #expect(try await client.get(server.url()).text() == "no")
        await client.expectAtRest()
    }

    @Test(
        "bytes that cannot begin a response are refused, and no request is sent",
        arguments: ["220 mail.example ESMTP\r\n", "x"])
    func garbage(early: String) async throws {
        let proxy = try await Self.proxy(saying: early, then: [.readToEnd])
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        let error = await failure { _ = try await client.post("http://10.0.0.1/", .body("x")) }
        #expect(error?.code == .malformedResponse && error?.blame == .peer, "\(String(describing: error))")
        #expect(error?.message.contains("status line") == true && error?.attempt == 1)
        await client.expectAtRest()
        #expect(proxy.received().count == 13)
        await proxy.stop()
    }

    @Test("bytes between a TLS handshake and the request become the answer")
    func overTLS() async throws {
        let server = try FaultServer(tls: try Credentials.server()) { peer in
            try await peer.connection.write(Self.answer)
            try await peer.connection.discardToEnd()
        }
        let port = try #require(server.address.port)
        let proxy = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\n\r\n"),
            // Passes on the server's last flight, which ends a TLS 1.2 handshake, together with the following content.
            // So the content has certainly arrived when the handshake completes.
            .run { try await Tunnel.relay($0, to: port) { held, flights in flights > 1 && !Self.hasContent(held) } },
        ])
        var configuration = try Credentials.configuration()
        configuration.tls.maximumVersion = .v1_2
        configuration.proxy = .http("http://127.0.0.1:\(proxy.port)")
        let client = HTTPClient(configuration: configuration)
        #expect(try await client.post("https://localhost:\(port)/", .body("x")).text() == "no")
        await client.expectAtRest()
        await proxy.stop()
    }

    /// Returns true if a record of application data (RFC 5246 6.2.1) has begun in these bytes.
    private static func hasContent(_ records: [UInt8]) -> Bool {
        var start = 0
        while start + 5 <= records.count {
            if records[start] == 23 { return true }
            start += 5 + Int(records[start + 3]) << 8 + Int(records[start + 4])
        }
        return false
    }
}
