import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// An early answer takes precedence over a later failure of the upload.
@Suite("Answers before the end of an upload", .serialized, .timeLimit(.minutes(1)))
struct EarlyAnswerTests {
    private struct ProducerError: Error {}

    /// The server's action after its answer.
    enum End: String, CaseIterable, Sendable {
        case resets, closes, closesUnread

        func act(on peer: FaultServer.Peer) async throws {
            switch self {
            case .resets: peer.connection.reset()
            // Closing with unread bytes makes the kernel send a reset.
            case .closesUnread: peer.connection.close()
            case .closes:
                try await peer.connection.closeWrite()
                // Reads the upload to its end.
                try await peer.connection.discardToEnd()
            }
        }
    }

    /// Answers as soon as the head of the request has arrived.
    private func server(_ answer: String, then end: End, overTLS: Bool = false) throws -> FaultServer {
        try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write(answer)
            try await end.act(on: peer)
        }
    }

    @Test("an early answer is returned, however the connection ends", arguments: End.allCases, [413, 200])
    func answerWins(end: End, status: Int) async throws {
        let server = try server("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nno", then: end)
        let client = HTTPClient()
        for _ in 0..<5 {
            let response = try await client.post(server.url(), .bytes(Large.body(8 << 20)))
            #expect(response.status.code == status)
            #expect(try await response.text() == "no")
        }
        await client.expectAtRest()
    }

    @Test(
        "an early answer whose body breaks off is returned, and reading the body fails",
        arguments: [End.resets, .closesUnread])
    func bodyBreaksOff(end: End) async throws {
        let server = try server("HTTP/1.1 503 X\r\nContent-Length: 9\r\nX-Why: a\r\n\r\nhalf", then: end)
        let client = HTTPClient()
        for _ in 0..<5 {
            let response = try await client.post(server.url(), .bytes(Large.body(8 << 20)))
            #expect(response.status.code == 503 && response["X-Why"] == "a")
            let error = await failure { _ = try await response.bytes() }
            #expect(error?.code == .connectionClosed && error?.phase == .body, "\(String(describing: error))")
        }
        await client.expectAtRest()
    }

    @Test("an early answer is returned if the producer of the body fails after it")
    func producerFails() async throws {
        let answered = TestSignal()
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno")
            answered.fire()
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let body = OutgoingRequest.Body.stream(
            AsyncThrowingStream<Bytes, any Error> { continuation in
                continuation.yield(Bytes("some"))
                Task {
                    try await answered.wait()
                    continuation.finish(throwing: ProducerError())
                }
            })
        let response = try await client.post(server.url(), .body(body))
        #expect(response.status.code == 403)
        #expect(try await response.text() == "no")
        await client.expectAtRest()
    }

    @Test(
        "an early answer to Expect: 100-continue is returned, and no byte of the body is sent", arguments: [401, 200])
    func expectation(status: Int) async throws {
        let seen = Shared("")
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nno")
            while let more = try await peer.connection.read() {
                seen.value.withLock { $0 += String(decoding: more, as: UTF8.self) }
            }
        }
        let client = HTTPClient()
        var options = OutgoingRequest.Options()
        options.expectContinue = .seconds(30)
        let response = try await client.post(server.url(), .body("content"), options: options)
        #expect(response.status.code == status)
        #expect(try await response.text() == "no")
        await client.expectAtRest()
        await eventually("a closed connection") { server.open == 0 }
        #expect(seen.value.withLock { $0 } == "")
    }
}
