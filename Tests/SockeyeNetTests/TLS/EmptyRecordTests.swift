import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Synchronization
import Testing

/// OpenSSL reads successive records without content in one call. This must not delay deadlines or cancellation.
@Suite("TLS records without content", .timeLimit(.minutes(1)))
struct EmptyRecordTests {
    /// A stream that always has a message to read.
    private final class Endless: ByteStream {
        let point: WaitPoint
        private let record: [UInt8]
        private let piece: Int
        private let onRead: @Sendable () -> Void
        private let taken = Atomic(0)

        /// - Parameter piece: The most bytes of one read.
        init(
            _ record: [UInt8], piece: Int = .max, poller: any Poller, onRead: @escaping @Sendable () -> Void
        ) throws {
            self.record = record
            self.piece = piece
            self.onRead = onRead
            point = try poller.makeWaitPoint(descriptor: nil)
        }

        deinit { point.close() }

        var bytesTaken: Int { taken.load(ordering: .relaxed) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
            onRead()
            let start = bytesTaken
            let count = min(buffer.count, record.count * 100, piece)
            for index in 0..<count { unsafe buffer[index] = record[(start + index) % record.count] }
            taken.wrappingAdd(count, ordering: .relaxed)
            return .bytes(count)
        }

        func write(_ buffer: UnsafeRawBufferPointer) -> Transfer { .bytes(buffer.count) }
        func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer { .bytes(0) }
        func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint { point }
        func closeWrite() -> Transfer { .bytes(0) }
        func abort() {}
        func close() {}
    }

    private func shakeHands(over stream: Endless, until deadline: MonotonicTime) async throws -> TransportError? {
        let context = try TLSContext(Authority.trusting())
        return await #expect(throws: TransportError.self) {
            try await TLSStream.connect(
                over: stream, serverName: "localhost", context: context, sessions: nil, sessionKey: "", until: deadline)
        }
    }

    @Test("endless HelloRequests end a handshake after some hundred KiB with an error that names the peer")
    func helloRequests() async throws {
        let stream = try Endless(TLSStream.plainHelloRequest, poller: EventPoller.shared()) {}
        let error = try await shakeHands(over: stream, until: .distantFuture)
        #expect(error?.tlsReason == .flood, "\(String(describing: error))")
        #expect(stream.bytesTaken < 1 << 20)
    }

    @Test("endless empty records do not outlast the deadline of a handshake")
    func deadline() async throws {
        let time = ManualTime()
        let stream = try Endless(TLSStream.plainHelloRequest, poller: EventPoller(time: TimeSource(manual: time))) {
            time.advance(by: .milliseconds(1))
        }
        let error = try await shakeHands(over: stream, until: time.now.advanced(by: .milliseconds(10)))
        #expect(error == .timedOut)
        #expect(stream.bytesTaken <= 200 << 10, "at most the bytes that two OpenSSL calls may read, and one more read")
    }

    @Test("if a peer's bytes arrive one by one, at most 64 reads precede the check of the deadline")
    func singleBytes() async throws {
        let time = ManualTime()
        let poller = try EventPoller(time: TimeSource(manual: time))
        let stream = try Endless(TLSStream.plainHelloRequest, piece: 1, poller: poller) {
            time.advance(by: .milliseconds(1))
        }
        let error = try await shakeHands(over: stream, until: time.now.advanced(by: .milliseconds(10)))
        #expect(error == .timedOut && stream.bytesTaken <= 64)
    }

    @Test("endless empty records do not outlast the cancellation of a handshake")
    func cancellation() async throws {
        let task = Mutex<Task<TransportError?, any Error>?>(nil)
        let stream = try Endless(TLSStream.plainHelloRequest, poller: EventPoller.shared()) {
            task.withLock { $0?.cancel() }
        }
        let started = task.withLock { task in
            let started = Task { try await shakeHands(over: stream, until: .distantFuture) }
            task = started
            return started
        }
        #expect(try await started.value == .cancelled)
    }

    /// Returns a client, its server, and the pipe into which the server has put this many KeyUpdates.
    private func flooded(_ count: Int, wantsAnswers: Bool = false) async throws -> (TLSStream, TLSStream, PipeStream) {
        var pair = try HandshakePair()
        pair.manner = PipeStream.Manner(capacity: 8 << 20)
        let outcome = try await pair.run()
        let server = try outcome.server.get()
        let before = outcome.serverPipe.bytesWritten
        for _ in 0..<count {
            guard case .bytes = server.sendKeyUpdate(wantsAnswer: wantsAnswers) else { throw TransportError.closed }
        }
        #expect(outcome.serverPipe.bytesWritten - before == count * Self.keyUpdate)
        return (try outcome.client.get(), server, outcome.clientPipe)
    }

    /// The length of a KeyUpdate's record: header, message, content type, tag.
    private static let keyUpdate = 5 + 5 + 1 + 16

    @Test("one read processes a limited number of empty records")
    func boundedRead() async throws {
        let (client, server, pipe) = try await flooded(8000)
        #expect(client.readOnce().isWouldBlock)
        #expect(!pipe.hasNothingToRead, "one call read all 216 KB of records, which arrived at once")
        #expect(!client.hasReadAll)
        // A wait ends at once, but only after a check of its deadline.
        try await client.wait(for: .read, as: .reader, until: .distantFuture)
        await #expect(throws: TransportError.timedOut) {
            try await client.wait(for: .read, as: .reader, until: .zero)
        }
        try await server.sendAll([1, 2, 3])
        #expect(try await client.receive(3) == [1, 2, 3])
        #expect(client.readOnce().isWouldBlock && client.hasReadAll)
    }

    @Test("empty records with content between them are harmless, and without content they end the connection")
    func keyUpdates() async throws {
        let (client, server, _) = try await flooded(5000)
        for byte: UInt8 in 0..<4 {
            try await server.sendAll([byte])
            #expect(try await client.receive(1) == [byte])
            for _ in 0..<5000 { guard case .bytes = server.sendKeyUpdate() else { throw TransportError.closed } }
        }
        for _ in 0..<10_000 { guard case .bytes = server.sendKeyUpdate() else { throw TransportError.closed } }
        let error = await #expect(throws: TransportError.self) { try await client.receive(1) }
        #expect(error?.tlsReason == .flood, "\(String(describing: error))")
    }

    @Test("requested KeyUpdates neither fill memory nor delay a deadline if the peer does not read them")
    func unreadAnswers() async throws {
        var pair = try HandshakePair()
        pair.manner = PipeStream.Manner(capacity: 100_000)
        let (client, server) = try await pair.connect()
        for _ in 0..<3000 { guard case .bytes = server.sendKeyUpdate(wantsAnswer: true) else { break } }
        await #expect(throws: TransportError.timedOut) {
            while true {
                guard case .wouldBlock(let interest) = client.readOnce() else { return }
                for _ in 0..<3000 { guard case .bytes = server.sendKeyUpdate(wantsAnswer: true) else { break } }
                try await client.wait(for: interest, as: .reader, until: .zero)
            }
        }
    }

    @Test(
        "a renegotiation of TLS 1.2 is refused, and the connection continues", arguments: [1, 3])
    func renegotiation(count: Int) async throws {
        let configuration = Authority.trusting { $0.maximumVersion = .v1_2 }
        let (client, server) = try await HandshakePair(configuration).connect()
        for _ in 0..<count { guard case .bytes = server.askToRenegotiate() else { throw TransportError.closed } }
        try await server.sendAll([7])
        #expect(try await client.receive(1) == [7])
        let error = await #expect(throws: TransportError.self) { try await server.receive(1) }
        #expect(error?.tlsMessage.contains("no renegotiation") == true, "\(String(describing: error))")
    }

    @Test("a passed deadline takes precedence over readiness")
    func expired() async throws {
        let time = ManualTime()
        let timer = try WaitTimer(poller: EventPoller(time: TimeSource(manual: time)))
        timer.signal()
        #expect(await timer.sleep(until: time.now) == .timedOut)
        #expect(await timer.sleep(until: time.now.advanced(by: .seconds(1))) == .ready, "the signal is still pending")
    }
}

extension TransportError {
    fileprivate var tlsReason: TLSError.Reason? { if case .tls(let failure) = self { failure.reason } else { nil } }
}
