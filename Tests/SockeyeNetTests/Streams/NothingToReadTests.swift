import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Testing

/// The check before a connection is reused: a stray byte must never be missed.
@Suite("Connections with nothing to read", .timeLimit(.minutes(1)))
struct NothingToReadTests {
    private static let versions = TLSOptions.Version.allCases

    private func read(_ stream: any ByteStream, _ count: Int = 100) -> Transfer {
        var buffer = [UInt8](repeating: 0, count: count)
        return unsafe buffer.withUnsafeMutableBytes { unsafe stream.read(into: $0) }
    }

    /// Reads the TLS messages after the handshake.
    private func settle(_ stream: any ByteStream) throws {
        guard case .wouldBlock = read(stream) else { throw TransportError.closed }
    }

    @Test(
        "a socket has nothing to read until a byte arrives, the check keeps that byte, and an end is something to read",
        arguments: [false, true])
    func socket(isReset: Bool) async throws {
        let (stream, peer) = try await SocketStream.pair(poller: EventPoller())
        #expect(stream.hasNothingToRead)
        try await peer.sendAll([7])
        #expect(!stream.hasNothingToRead && !stream.hasNothingToRead)
        #expect(try await stream.receive(1) == [7])
        #expect(stream.hasNothingToRead)
        if isReset { peer.reset() } else { peer.close() }
        #expect(!stream.hasNothingToRead)
        stream.close()
        #expect(!stream.hasNothingToRead)
    }

    @Test("a socket that was found empty is woken by the next byte")
    func waiting() async throws {
        let (stream, peer) = try await SocketStream.pair(poller: EventPoller())
        #expect(stream.hasNothingToRead)
        async let wait: Void = stream.wait(for: .read, as: .reader, until: .distantFuture)
        try await peer.sendAll([7])
        try await wait
        #expect(try await stream.receive(1) == [7])
    }

    @Test("a TLS stream has nothing to read if neither it nor the stream below holds bytes", arguments: versions)
    func tls(version: TLSOptions.Version) async throws {
        let (client, server) = try await HandshakePair(Authority.trusting { $0.maximumVersion = version }).connect()
        // The tickets of TLS 1.3 arrive after the handshake, and only a read processes them.
        #expect(client.hasNothingToRead == (version == .v1_2))
        try settle(client)
        #expect(client.hasNothingToRead)
        try await server.sendAll([1, 2, 3])
        #expect(!client.hasNothingToRead)
        #expect(try await client.receive(2, piece: 2) == [1, 2])
        #expect(!client.hasNothingToRead, "one byte of a decrypted record is left")
        #expect(try await client.receive(1, piece: 1) == [3])
        #expect(client.hasNothingToRead)
    }

    @Test(
        "a TLS stream that has seen close_notify has an end to report, although the stream below is open",
        arguments: versions)
    func closeNotify(version: TLSOptions.Version) async throws {
        let (clientPipe, serverPipe) = try PipeStream.pair()
        let context = try TLSServerContext(Authority.serving())
        async let accepted = TLSStream.accept(
            over: OneWay(serverPipe), context: context, until: .distantFuture)
        let client = try await TLSStream.connect(
            over: clientPipe, serverName: "localhost",
            context: TLSContext(Authority.trusting { $0.maximumVersion = version }), sessions: nil, sessionKey: "",
            until: .distantFuture)
        let server = try await accepted
        try settle(client)
        try await server.sendAll([7])
        _ = server.closeWrite()
        // One read processes the byte and close_notify.
        guard case .bytes(1) = read(client) else { throw TransportError.closed }
        #expect(clientPipe.hasNothingToRead)
        #expect(!client.hasNothingToRead)
        guard case .end = read(client) else { throw TransportError.closed }
        #expect(!client.hasNothingToRead)
    }

    /// A stream whose end does not reach the peer.
    private final class OneWay: ByteStream {
        private let pipe: PipeStream
        init(_ pipe: PipeStream) { self.pipe = pipe }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer { unsafe pipe.read(into: buffer) }
        func write(_ buffer: UnsafeRawBufferPointer) -> Transfer { unsafe pipe.write(buffer) }
        func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer { unsafe pipe.write(vectors: vectors) }
        func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint {
            pipe.waitPoint(for: interest, as: role)
        }
        func closeWrite() -> Transfer { .bytes(0) }
        func abort() { pipe.abort() }
        func close() {}
    }

    @Test(
        "a TLS stream that was found empty waits on the stream below and is woken by the next byte",
        arguments: versions)
    func waitingOverTLS(version: TLSOptions.Version) async throws {
        let (client, server) = try await HandshakePair(Authority.trusting { $0.maximumVersion = version }).connect()
        try settle(client)
        #expect(client.hasNothingToRead)
        async let wait: Void = client.wait(for: .read, as: .reader, until: .distantFuture)
        try await server.sendAll([7])
        try await wait
        #expect(try await client.receive(1) == [7])
        // That read took a byte and did not look for more. Until a read or a check finds the stream empty, a wait ends
        // at once.
        try await client.wait(for: .read, as: .reader, until: .distantFuture)
        #expect(client.hasNothingToRead)
    }

    @Test("a part of a record counts as something to read", arguments: [1, 5, 20])
    func partialRecord(count: Int) async throws {
        var pair = try HandshakePair()
        pair.manner = PipeStream.Manner(fragment: count)
        let (client, server) = try await pair.connect()
        while case .bytes = read(client) {}
        while !client.hasNothingToRead { _ = read(client) }
        try await server.sendAll([UInt8](repeating: 7, count: 100))
        var received = 0
        while received < 100 {
            #expect(!client.hasNothingToRead)
            if case .bytes(let more) = read(client) { received += more }
        }
        #expect(client.hasNothingToRead)
    }

    @Test("a TLS stream that failed or is closed has something to report")
    func failed() async throws {
        let outcome = try await HandshakePair().run()
        let client = try outcome.client.get()
        try settle(client)
        outcome.serverPipe.close()
        #expect(!client.hasNothingToRead)
        guard case .failed = read(client) else { throw TransportError.closed }
        #expect(!client.hasNothingToRead)
        client.close()
        #expect(!client.hasNothingToRead)
    }
}
