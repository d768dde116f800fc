import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Upgrade and CONNECT", .timeLimit(.minutes(1)))
struct UpgradeTests {
    private let client = HTTPClient()

    private func text(_ connection: UpgradedConnection, count: Int) async throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < count, let chunk = try await connection.read() { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a 101 response hands over the stream, with the bytes that followed the head")
    func upgrade() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead,
            .send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nhello"),
            .readBytes(4), .send("pong"), .readToEnd,
        ])
        let request = try OutgoingRequest(url: server.url("/chat"))
        let (response, connection) = try await client.upgrade(request, to: "echo")
        #expect(response.status.code == 101)
        #expect(try await text(connection, count: 5) == "hello")
        try await connection.write("ping".bytes)
        #expect(try await text(connection, count: 4) == "pong")
        try await connection.closeWrite()
        #expect(try await connection.read() == nil)
        let head = server.receivedText()
        #expect(head.contains("\r\nConnection: upgrade\r\n"))
        #expect(head.contains("\r\nUpgrade: echo\r\n"))
    }

    @Test("a response other than 101 is an error with the response as evidence, and the connection is reused")
    func refused() async throws {
        try await withTestServer { _ in
            .text("no", status: 426)
        } run: { server in
            let client = HTTPClient()
            let error = await #expect(throws: SockeyeError.self) {
                try await client.upgrade(OutgoingRequest(url: server.url()), to: "websocket")
            }
            #expect(error?.code == .upgradeRefused)
            #expect(error?.response?.status.code == 426)
            _ = try await client.get(server.url()).text()
            #expect(server.activity.connections == 1)
        }
    }

    @Test("an unrequested 101 response is an error")
    func unasked() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
        ])
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
        #expect(error?.code == .malformedResponse)
        #expect(error?.blame == .peer)
    }

    @Test(
        "a 101 response with another protocol than requested is an error that names the mismatch",
        arguments: [
            ("Connection: upgrade\r\n", "does not name the new protocol in an Upgrade field"),
            ("Connection: upgrade\r\nUpgrade:\r\n", "does not name the new protocol in an Upgrade field"),
            ("Upgrade: echo\r\n", "has no field 'Connection: upgrade'"),
            ("Connection: upgrade\r\nUpgrade: other\r\n", "the request does not offer"),
            ("Connection: upgrade\r\nUpgrade: echo/2\r\n", "the request does not offer"),
            ("Connection: upgrade\r\nUpgrade: ECHO\r\nUpgrade: other\r\n", "the request does not offer"),
        ])
    func another(fields: String, message: String) async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\n"),
        ])
        let error = await #expect(throws: SockeyeError.self) {
            try await client.upgrade(OutgoingRequest(url: server.url()), to: "echo")
        }
        #expect(error?.code == .malformedResponse && error?.blame == .peer)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test("a request for another protocol with the method CONNECT fails before anything is sent")
    func upgradeOfTunnel() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .readToEnd,
        ])
        let request = try OutgoingRequest(method: .connect, url: server.url())
        let error = await #expect(throws: SockeyeError.self) { try await client.upgrade(request, to: "echo") }
        #expect(error?.code == .invalidRequest && error?.blame == .caller && error?.method == "CONNECT")
        #expect(server.connectionCount == 0)
        await server.stop()
    }

    @Test("CONNECT opens a tunnel, and its target and Host are the authority")
    func tunnel() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nraw"), .readBytes(1), .close,
        ])
        let (_, connection) = try await client.connect(server.url())
        #expect(try await text(connection, count: 3) == "raw")
        try await connection.write("x".bytes)
        #expect(try await connection.read() == nil)
        let authority = "127.0.0.1:\(server.port)"
        #expect(server.receivedText().hasPrefix("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"))
    }

    @Test("CONNECT has the fields of the call, but not those of the scope, which are not meant for a proxy")
    func tunnelFields() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .readToEnd,
        ])
        let scope = client.scoped(
            baseURL: server.url(), headers: [.authorization: "Bearer s3cret", "X-API-Key": "s3cret", "X-A": "s3cret"])
        let (_, connection) = try await scope.connect("/", headers: ["X-Own": "1"])
        #expect(server.receivedText().contains("\r\nX-Own: 1\r\n"))
        #expect(!server.receivedText().contains("s3cret"))
        connection.close()
        await server.stop()
    }
}
