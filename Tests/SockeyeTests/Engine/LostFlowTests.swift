import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Testing

@Suite("Requests lost by the network", .timeLimit(.minutes(1))) struct LostFlowTests {
    /// A stream whose peer never answers.
    private final class Silent: ByteStream {
        let isUnacknowledged: Bool
        private let ends: (own: PipeStream, peer: PipeStream)

        init(isUnacknowledged: Bool) throws(TransportError) {
            self.isUnacknowledged = isUnacknowledged
            ends = try PipeStream.pair()
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer { unsafe ends.own.read(into: buffer) }
        func write(_ buffer: UnsafeRawBufferPointer) -> Transfer { unsafe ends.own.write(buffer) }
        func write(vectors: UnsafeBufferPointer<IOVector>) -> Transfer { unsafe ends.own.write(vectors: vectors) }
        func waitPoint(for interest: Interest, as role: StreamRole) -> WaitPoint {
            ends.own.waitPoint(for: interest, as: role)
        }
        func closeWrite() -> Transfer { ends.own.closeWrite() }
        func abort() { ends.own.abort() }
        func close() { ends.own.close() }
    }

    @Test(
        "a head timeout is the network's fault if no request byte was acknowledged, else the peer's",
        arguments: [true, false])
    func blame(isLost: Bool) async throws {
        let transport = SocketTransport(configuration: EngineConfiguration()) { _, _ throws(SockeyeError) in
            do throws(TransportError) {
                return try Silent(isUnacknowledged: isLost)
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.timeouts = Timeouts(head: .milliseconds(50))
        let sent = request
        let error = await #expect(throws: SockeyeError.self) { _ = try await transport.perform(sent) }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.head")
        #expect(error?.blame == (isLost ? .network : .peer), "\(String(describing: error))")
        #expect(error?.message.contains("the network did not deliver the request") == isLost)
    }
}
