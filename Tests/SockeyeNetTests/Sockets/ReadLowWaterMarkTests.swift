import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

/// The effect of SO_RCVLOWAT on waits at an edge-triggered epoll.
@Suite("A stream with a read low-water mark", .timeLimit(.minutes(1)))
struct ReadLowWaterMarkTests {
    /// Far below the size of the receive window, because the kernel reports a nearly full window even below the mark.
    private static let mark = 16_000

    private let time = ManualTime()
    private let poller: EventPoller
    private let deadline: MonotonicTime

    init() throws {
        poller = try EventPoller(time: TimeSource(manual: time))
        deadline = time.now.advanced(by: .seconds(1))
    }

    /// Returns both ends of a connection. When `send` on the second one returns, the bytes have reached the first.
    private func pair() async throws -> (SocketStream, SocketStream) {
        try await SocketStream.pair(poller: poller)
    }

    /// Returns true if a wait ends with readiness, and not at its deadline, which passes after all bytes were sent.
    private func wakes(_ stream: any ByteStream) async throws -> Bool {
        async let wait: Void = stream.wait(for: .read, as: .reader, until: deadline)
        time.advance(by: .seconds(2))
        do {
            try await wait
            return true
        } catch TransportError.timedOut {
            return false
        }
    }

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

    @Test("a reader is woken when the mark is reached, not before, and by any byte if the mark is 1")
    func mark() async throws {
        let (stream, peer) = try await pair()
        stream.setReadLowWaterMark(Self.mark)
        try await peer.sendAll(bytes(Self.mark - 1))
        #expect(try await !wakes(stream))
        #expect(try await stream.receive(10).count == 10, "buffered bytes below the mark can still be read")
        try await peer.sendAll(bytes(11))
        try await stream.wait(for: .read, as: .reader, until: .distantFuture)
        _ = try await stream.receive(Self.mark)
        stream.setReadLowWaterMark(1)
        try await peer.sendAll(bytes(1))
        try await stream.wait(for: .read, as: .reader, until: .distantFuture)
    }

    @Test(
        "a reader is resumed for buffered bytes when the mark is lowered to their number or less",
        arguments: [1, 5, 1000])
    func lowered(to count: Int) async throws {
        let (stream, peer) = try await pair()
        stream.setReadLowWaterMark(Self.mark)
        try await peer.sendAll(bytes(1000))
        #expect(try await !wakes(stream))
        stream.setReadLowWaterMark(count)
        try await stream.wait(for: .read, as: .reader, until: .distantFuture)
    }

    @Test(
        "a reader is resumed by an end or a reset below the mark, and reads the bytes before it",
        arguments: [false, true])
    func end(isReset: Bool) async throws {
        let (stream, peer) = try await pair()
        stream.setReadLowWaterMark(Self.mark)
        try await peer.sendAll(bytes(1000))
        #expect(try await !wakes(stream))
        if isReset { peer.reset() } else { peer.close() }
        try await stream.wait(for: .read, as: .reader, until: .distantFuture)
        #expect(try await stream.receive(1000).count == 1000)
        var buffer = [UInt8](repeating: 0, count: 1)
        switch unsafe buffer.withUnsafeMutableBytes({ unsafe stream.read(into: $0) }) {
        case .end: #expect(!isReset)
        case .failed: #expect(isReset)
        case let other: Issue.record("\(other)")
        }
    }

    @Test("a reader is resumed if the peer cannot send more, even below the mark")
    func smallWindow() async throws {
        let wanted = EndpointAddress(literal: "127.0.0.1", port: 0)
        let listener = try Listener(address: #require(wanted), poller: poller)
        defer { listener.close() }
        async let accepted = listener.accept()
        var options = SocketOptions()
        options.receiveBufferSize = 32 << 10
        let stream = try await SocketStream.connect(
            to: #require(listener.address), options: options, poller: poller, until: .distantFuture)
        let peer = try await accepted
        stream.setReadLowWaterMark(10 << 20)
        async let sent: Void = peer.sendAll(bytes(1 << 20))
        var count = 0
        while count < 1 << 20 {
            try await stream.wait(for: .read, as: .reader, until: .distantFuture)
            count += try await drain(stream)
        }
        #expect(count == 1 << 20)
        try await sent
    }

    private func drain(_ stream: SocketStream) async throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        while true {
            switch unsafe buffer.withUnsafeMutableBytes({ unsafe stream.read(into: $0) }) {
            case .bytes(let more): count += more
            case .wouldBlock: return count
            case let other: throw DrainFault(transfer: other)
            }
        }
    }

    private struct DrainFault: Error {
        let transfer: Transfer
    }

    @Test("a mark on a TLS stream applies to the stream below")
    func tls() async throws {
        let (lower, peerBelow) = try await pair()
        let (client, server) = (try TLSContext(Authority.trusting()), try TLSServerContext(Authority.serving()))
        async let accepted = TLSStream.accept(over: peerBelow, context: server, until: .distantFuture)
        let stream = try await TLSStream.connect(
            over: lower, serverName: "127.0.0.1", context: client, sessions: nil, sessionKey: "", until: .distantFuture
        )
        let peer = try await accepted
        // Reads the byte together with the session tickets, if they have arrived.
        try await peer.sendAll(bytes(1))
        _ = try await stream.receive(1)
        var buffer = [UInt8](repeating: 0, count: 1)
        guard case .wouldBlock = unsafe buffer.withUnsafeMutableBytes({ unsafe stream.read(into: $0) }) else {
            Issue.record("there was more to read")
            return
        }
        // Consumes the edges of the handshake and of that byte.
        while try await wakes(stream) {}
        stream.setReadLowWaterMark(Self.mark)
        try await peer.sendAll(bytes(1000))
        #expect(try await !wakes(stream))
        try await peer.sendAll(bytes(Self.mark))
        try await stream.wait(for: .read, as: .reader, until: .distantFuture)
        #expect(try await stream.receive(1000 + Self.mark).count == 1000 + Self.mark)
    }

    @Test("a closed stream ignores the mark")
    func closed() async throws {
        let (stream, peer) = try await pair()
        stream.close()
        stream.setReadLowWaterMark(Self.mark)
        stream.setReadLowWaterMark(1)
        peer.close()
    }
}
