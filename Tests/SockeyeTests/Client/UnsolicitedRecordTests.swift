import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyeTesting
import Testing

/// A server that sends many TLS records without content, and a response behind them, while no request is under way.
/// One read does not reach the response.
@Suite("Unsolicited TLS records", .timeLimit(.minutes(1))) struct UnsolicitedRecordTests {
    private static let stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"

    /// Sends 108 KB of records without content and a response: more records than one read processes, but too few to
    /// make the client close the connection.
    private func sendUnsolicited(_ scene: TLSPipe) async throws {
        for _ in 0..<4000 { guard case .bytes = scene.server.sendKeyUpdate() else { throw TransportError.closed } }
        try await scene.send(Self.stray)
    }

    @Test("an idle connection that receives unsolicited TLS records serves no further request")
    func idle() async throws {
        let scene = try await TLSPipe()
        let first = Task { try await scene.content(OutgoingRequest(url: "http://a.test/")) }
        _ = try await scene.receiveHead()
        try await scene.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(try await first.value == Bytes("ok"))
        #expect(scene.transport.pool.statistics.idle == 1)
        try await sendUnsolicited(scene)
        let second = try OutgoingRequest(method: .post, url: "http://a.test/", body: "x")
        #expect(try await scene.content(second) == Bytes(TLSPipe.laterAnswer))
    }

    @Test("a new connection that receives unsolicited TLS records before its first request serves no second request")
    func early() async throws {
        let scene = try await TLSPipe()
        try await sendUnsolicited(scene)
        #expect(try await scene.content(OutgoingRequest(url: "http://a.test/")) == Bytes("stray"))
        #expect(scene.transport.pool.statistics.idle == 0)
    }
}
