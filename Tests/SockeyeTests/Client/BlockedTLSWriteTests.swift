import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// A TLS stream has encrypted a record when the stream below would block, and continues with that record.
@Suite("Blocked writes over TLS", .timeLimit(.minutes(1))) struct BlockedTLSWriteTests {
    @Test(
        "a request whose first write is blocked arrives whole",
        arguments: [0, 100, 16 << 10, 40 << 10, 200_000], [0, 20_000])
    func firstWrite(count: Int, fieldLength: Int) async throws {
        // Every second call would block: so does the first one after the handshake.
        let scene = try await TLSPipe(PipeStream.Manner(stutters: true))
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        var request = try OutgoingRequest(method: .post, url: "http://a.test/", body: .bytes(Bytes(content)))
        request.headers["X-Long"] = String(repeating: "x", count: fieldLength)
        let task = Task { [request] in try await scene.transport.send(request).status }
        let end = Array("\r\n\r\n".utf8)
        let received = try await scene.receive { bytes in
            bytes.firstRange(of: end).map { bytes.count - $0.upperBound >= count } ?? false
        }
        try await scene.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try await task.value == .ok)
        #expect(received.starts(with: "POST / HTTP/1.1\r\n".utf8))
        #expect(received.suffix(count).elementsEqual(content))
    }
}
