import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// If the stream below TLS would block, the TLS stream has already encrypted a record. Its next write must continue
/// with that record.
@Suite("Blocked writes over TLS", .timeLimit(.minutes(1))) struct BlockedTLSWriteTests {
    @Test(
        "a request whose first write is blocked arrives whole",
        arguments: [0, 100, 16 << 10, 40 << 10, 200_000], [0, 20_000])
    func firstWrite(count: Int, fieldLength: Int) async throws {
        // Every second write to the pipe would block, including the first one after the handshake.
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

    @Test("after a cancelled write, nothing more can be sent, and the peer has a prefix of that write")
    func interruptedWrite() async throws {
        let capacity = 64 << 10
        let scene = try await TLSPipe(PipeStream.Manner(capacity: capacity))
        let connection = try await scene.upgrade()
        let before = scene.pipe.bytesWritten
        let writing = Task { try await connection.write(Bytes([UInt8](repeating: 1, count: 1 << 20))) }
        await eventually("the pipe is full") { scene.pipe.bytesWritten - before == capacity }
        writing.cancel()
        let first = await #expect(throws: SockeyeError.self) { try await writing.value }
        #expect(first?.code == .cancelled)
        for count in [1, 17_000] {
            let later = await #expect(throws: SockeyeError.self) {
                try await connection.write(Bytes([UInt8](repeating: 2, count: count)))
            }
            #expect(later?.code == .connectionClosed && later?.blame == .caller)
            #expect(later?.message.contains("an earlier write was interrupted") == true)
        }
        let end = await #expect(throws: SockeyeError.self) { try await connection.closeWrite() }
        #expect(end?.message.contains("an earlier write was interrupted") == true)
        // The pipe holds three records and a part of the fourth.
        let received = try await scene.receive { $0.count >= 3 << 14 }
        #expect(received == [UInt8](repeating: 1, count: 3 << 14))
        // The other direction still works.
        try await scene.send("hello")
        #expect(try await connection.read() == Bytes("hello"))
    }
}
