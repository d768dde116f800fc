import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Writes of upgraded connections", .timeLimit(.minutes(1))) struct UpgradedWriteTests {
    private static let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"

    @Test("after a failure in the middle of a message nothing more is sent; one that did not begin can be sent again")
    func failure() async throws {
        let shortage = ScriptedStream.Write.fail(.failed(.send, .noBuffers))
        let transport = SocketTransport(configuration: EngineConfiguration()) { _, _ throws(SockeyeError) in
            do throws(TransportError) {
                return try ScriptedStream(
                    Self.head, then: .silence, writes: [.take(.max), shortage, .take(.max), .take(2), shortage],
                    poller: EventPoller.shared())
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.upgrade = "x"
        let connection = try #require(try await transport.send(request).takeConnection())
        let unbegun = await #expect(throws: SockeyeError.self) { try await connection.write(Bytes("abcd")) }
        #expect(unbegun?.code == .outOfResources)
        try await connection.write(Bytes("abcd"))
        let cut = await #expect(throws: SockeyeError.self) { try await connection.write(Bytes("abcd")) }
        #expect(cut?.code == .outOfResources)
        let next = await #expect(throws: SockeyeError.self) { try await connection.write(Bytes("abcd")) }
        #expect(next?.message.contains("an earlier write was interrupted") == true)
        connection.close()
    }
}
