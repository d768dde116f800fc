import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Testing

@Suite("Bytes over TLS", .timeLimit(.minutes(1)))
struct TransferTests {
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt32 = 12345
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    private static let manners: [PipeStream.Manner] = [
        PipeStream.Manner(), PipeStream.Manner(capacity: 5000),
        PipeStream.Manner(capacity: 5000, fragment: 1000, stutters: true), PipeStream.Manner(capacity: 1 << 20),
    ]

    @Test("large bodies cross in both directions at once", arguments: [0, 1, 2, 3], TLSOptions.Version.allCases)
    func duplex(manner: Int, version: TLSOptions.Version) async throws {
        var pair = try HandshakePair(Authority.trusting { $0.maximumVersion = version })
        pair.manner = Self.manners[manner]
        let (client, server) = try await pair.connect()
        let up = Self.noise(400_001)
        let down = Array(up.reversed())
        async let sentUp: Void = client.sendAll(up, piece: 70_000)
        async let sentDown: Void = server.sendAll(down, piece: 33_333)
        async let receivedDown = client.receive(down.count, piece: 100_000)
        #expect(try await server.receive(up.count, piece: 3000) == up)
        #expect(try await receivedDown == down)
        try await sentUp
        try await sentDown
    }

    @Test("single bytes are written and read one at a time")
    func bytewise() async throws {
        var pair = try HandshakePair()
        pair.manner = PipeStream.Manner(capacity: 3000, fragment: 1, stutters: true)
        let (client, server) = try await pair.connect()
        let bytes = Self.noise(300)
        async let sent: Void = client.sendAll(bytes, piece: 1)
        #expect(try await server.receive(bytes.count, piece: 1) == bytes)
        try await sent
    }

    @Test(
        "a small head and body share one record, larger ones keep their order",
        arguments: [
            (10, 20), (0, 5), (5, 0), (300, 16 << 10), (300, 200_000), (16 << 10, 10), (20_000, 20_000), (1, 16383),
            (1, 16384),
        ] as [(Int, Int)])
    func vectors(head: Int, body: Int) async throws {
        var pair = try HandshakePair()
        pair.manner = PipeStream.Manner(capacity: 20_000)
        let outcome = try await pair.run()
        let (client, server) = (try outcome.client.get(), try outcome.server.get())
        let bytes = Self.noise(head + body)
        let before = outcome.clientPipe.bytesWritten
        async let sent: Void = client.sendAll(Array(bytes[..<head]), Array(bytes[head...]))
        #expect(try await server.receive(bytes.count) == bytes)
        try await sent
        let records = (bytes.count + 16383) / 16384
        // A record costs 5 bytes of header, 16 of tag and 1 of content type (RFC 8446 5.2).
        #expect(outcome.clientPipe.bytesWritten - before <= bytes.count + (records + 1) * 22)
        if bytes.count <= 16384 { #expect(outcome.clientPipe.bytesWritten - before == bytes.count + 22) }
    }

    @Test("empty reads and writes do nothing")
    func empty() async throws {
        let (client, server) = try await HandshakePair().connect()
        defer { server.close() }
        let none = [UInt8]()
        unsafe #expect(none.withUnsafeBytes { unsafe client.write($0) }.isBytes(0))
        #expect(client.readOnce(0).isBytes(0))
        let vectors = unsafe [IOVector(.init(start: nil, count: 0)), IOVector(.init(start: nil, count: 0))]
        unsafe #expect(vectors.withUnsafeBufferPointer { unsafe client.write(vectors: $0) }.isBytes(0))
    }

    @Test("reading an idle connection processes the session tickets and finds nothing")
    func idle() async throws {
        var pair = try HandshakePair()
        let sessions = TLSSessionCache()
        pair.sessions = sessions
        let (client, server) = try await pair.connect()
        #expect(sessions.count == 0)
        #expect(client.readOnce(1).isWouldBlock)
        #expect(sessions.count == 2)
        #expect(client.readOnce(1).isWouldBlock)
        server.close()
    }

    @Test("bytes that were read ahead end a wait, although nothing below becomes readable")
    func readAhead() async throws {
        let (client, server) = try await HandshakePair().connect()
        try await server.sendAll([1, 2])
        try await server.sendAll([3])
        #expect(try await client.receive(1) == [1])
        for byte in [2, 3] as [UInt8] {
            try await client.wait(for: .read, as: .reader, until: .distantFuture)
            #expect(try await client.receive(1) == [byte])
        }
    }

    @Test("a wait on an idle connection ends only when a byte arrives", .timeLimit(.minutes(1)))
    func idleWait() async throws {
        let (client, server) = try await HandshakePair().connect()
        #expect(client.readOnce().isWouldBlock)
        async let received = client.receive(1)
        try await server.sendAll([7])
        #expect(try await received == [7])
    }

    @Test("close_notify is a proper end, and the other direction continues", arguments: TLSOptions.Version.allCases)
    func halfClose(version: TLSOptions.Version) async throws {
        let (client, server) = try await HandshakePair(Authority.trusting { $0.maximumVersion = version }).connect()
        try await client.sendAll(Array("question".utf8))
        try await client.finishWriting()
        #expect(try await server.receiveToEnd() == Array("question".utf8))
        #expect(server.readOnce().isEnd)
        try await server.sendAll(Array("answer".utf8))
        server.close()
        #expect(try await client.receiveToEnd() == Array("answer".utf8))
        #expect(client.readOnce().isEnd)
        unsafe #expect([1].withUnsafeBytes { unsafe client.write($0) }.failure != nil)
        client.close()
    }

    @Test("closing sends close_notify")
    func close() async throws {
        let (client, server) = try await HandshakePair().connect()
        client.close()
        client.close()
        #expect(try await server.receiveToEnd() == [])
        #expect(client.readOnce().failure == .closed)
        unsafe #expect([1].withUnsafeBytes { unsafe client.write($0) }.failure == .closed)
        #expect(client.closeWrite().failure == .closed)
        await #expect(throws: TransportError.closed) {
            try await client.wait(for: .read, as: .reader, until: .distantFuture)
        }
    }

    @Test("an end without close_notify is a truncation, also after bytes and for all later reads")
    func truncation() async throws {
        let outcome = try await HandshakePair().run()
        let client = try outcome.client.get()
        let server = try outcome.server.get()
        try await server.sendAll(Array("half of".utf8))
        outcome.serverPipe.close()
        #expect(try await client.receive(7) == Array("half of".utf8))
        #expect(client.readOnce().failure == .truncated)
        #expect(client.readOnce().failure == .truncated)
    }

    @Test("a record cut in the middle is a truncation")
    func cutRecord() async throws {
        let outcome = try await HandshakePair().run()
        let client = try outcome.client.get()
        _ = client.readOnce()
        try await outcome.serverPipe.sendAll([23, 3, 3, 0, 100, 1, 2, 3])
        outcome.serverPipe.close()
        #expect(client.readOnce().failure == .truncated)
    }

    @Test("an abort is a truncation for the peer and ends this side's reads")
    func abort() async throws {
        let (client, server) = try await HandshakePair().connect()
        client.abort()
        await #expect(throws: TransportError.truncated) { try await server.receiveToEnd() }
        await #expect(throws: TransportError.truncated) { try await client.receiveToEnd() }
    }

    @Test("a broken connection keeps its own error, and reading continues after a failed write")
    func broken() async throws {
        let outcome = try await HandshakePair().run()
        let client = try outcome.client.get()
        let server = try outcome.server.get()
        try await server.sendAll(Array("last words".utf8))
        server.close()
        await #expect(throws: TransportError.system(call: .send, error: .brokenPipe)) { try await client.sendAll([1]) }
        #expect(try await client.receiveToEnd() == Array("last words".utf8))
        let reset = try await HandshakePair().run()
        reset.serverPipe.breakOff()
        let error = TransportError.system(call: .recv, error: .connectionReset)
        #expect(try reset.client.get().readOnce().failure == error)
        unsafe #expect([1].withUnsafeBytes { try! unsafe reset.client.get().write($0) }.failure == error)
    }

    @Test("bytes that are not TLS records, or are forged, fail permanently and are never delivered")
    func garbage() async throws {
        for bytes in [Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [23, 3, 3, 0, 20] + [UInt8](repeating: 7, count: 20)] {
            let outcome = try await HandshakePair().run()
            let client = try outcome.client.get()
            _ = client.readOnce()
            try await outcome.serverPipe.sendAll(bytes)
            let failure = try #require(client.readOnce().failure)
            guard case .tls(let tls) = failure else {
                Issue.record("\(failure)")
                continue
            }
            #expect(tls.reason == .other)
            #expect(client.readOnce().failure == failure)
            // An alert tells the peer.
            let server = try outcome.server.get()
            let answer = server.readOnce().failure
            #expect(answer?.tlsMessage.contains("alert") == true)
        }
    }

    @Test("a read fails after an unencrypted HelloRequest")
    func renegotiation() async throws {
        // A TLS 1.2 server requests renegotiation with an encrypted HelloRequest. This one is not encrypted, and so is
        // forged.
        let outcome = try await HandshakePair(Authority.trusting { $0.maximumVersion = .v1_2 }).run()
        try await outcome.serverPipe.sendAll([22, 3, 3, 0, 4, 0, 0, 0, 0])
        #expect(try outcome.client.get().readOnce().failure != nil)
    }
}

extension Transfer {
    func isBytes(_ count: Int) -> Bool { if case .bytes(count) = self { true } else { false } }
}
