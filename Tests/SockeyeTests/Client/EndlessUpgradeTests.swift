import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Synchronization
import Testing

@Suite("Upgraded connections with endless input", .timeLimit(.minutes(1))) struct EndlessUpgradeTests {
    /// A stream that switches protocols at the first write and returns a byte for each read afterwards.
    private final class Endless: ByteStream {
        private let ends: (own: PipeStream, peer: PipeStream)
        private let hasSwitched = Atomic(false)
        private let reads = Atomic(0)

        init() throws(TransportError) { ends = try PipeStream.pair() }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
            let head = unsafe ends.own.read(into: buffer)
            guard case .wouldBlock = head, hasSwitched.load(ordering: .relaxed), buffer.count > 0 else {
                return head
            }
            // The stream ends after 100,000 reads, so that a reader that ignores cancellation fails its test and does
            // not hang.
            guard reads.wrappingAdd(1, ordering: .relaxed).newValue < 100_000 else { return .end }
            unsafe buffer[0] = 0
            return .bytes(1)
        }

        func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
            answer()
            return unsafe ends.own.write(buffer)
        }

        func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer {
            answer()
            return unsafe ends.own.write(vectors: vectors)
        }

        private func answer() {
            guard !hasSwitched.exchange(true, ordering: .relaxed) else { return }
            let head = Array("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n".utf8)
            _ = unsafe head.withUnsafeBytes { unsafe ends.peer.write($0) }
        }

        func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint {
            ends.own.waitPoint(for: interest, as: role)
        }
        func closeWrite() -> Transfer { ends.own.closeWrite() }
        func abort() { ends.own.abort() }
        func close() { ends.own.close() }
    }

    @Test("a reader of endless input yields its thread between reads and fails at the next read after cancellation")
    func cancelled() async throws {
        let transport = SocketTransport(configuration: EngineConfiguration()) { _, _ throws(SockeyeError) in
            do throws(TransportError) {
                return try Endless()
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.upgrade = "x"
        let sent = request
        let response = try await transport.send(sent)
        let connection = try #require(response.takeConnection())
        // One thread runs both tasks.
        let poller = try EventPoller()
        let reading = Task(executorPreference: poller) {
            while try await connection.read() != nil {}
        }
        let ending = Task(executorPreference: poller) { reading.cancel() }
        let error = await #expect(throws: SockeyeError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
        await ending.value
        withExtendedLifetime(poller) {}
    }
}
