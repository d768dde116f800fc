import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeWebSocket

/// Tasks that claim the receiving half just after another task has read the peer's Close or a pong.
@Suite("A WebSocket whose end overlaps other tasks", .timeLimit(.minutes(1)))
struct OverlappingEndTests {
    private static func socket(_ stream: PipeStream) -> WebSocketConnection {
        var options = WebSocketConnection.Options(keepAlive: nil)
        options.closeTimeout = .milliseconds(50)
        return WebSocketConnection(
            over: stream, early: Bytes(), owner: stream, role: .client, options: options, agreement: .init(), stall: nil
        )
    }

    /// Sets the state of a socket that has read the peer's Close, but has not yet resumed its waiters.
    private static func noteClose(of socket: WebSocketConnection) {
        socket.status.withLock { $0.received = WebSocketConnection.CloseStatus(.normal) }
    }

    @Test("a ping is refused as soon as the peer's Close has been read")
    func latePing() throws {
        let (near, far) = try PipeStream.pair()
        defer { far.close() }
        let socket = Self.socket(near)
        Self.noteClose(of: socket)
        let timer = try WaitTimer(poller: socket.poller)
        let error = #expect(throws: TransportError.self) { try socket.register(timer) }
        #expect(error == .closed)
        let waiters = socket.status.withLock { $0.pings.count }
        #expect(waiters == 0)
    }

    @Test("a receiver that claims the half after Close has been read does not wait for more input")
    func lateReceiver() async throws {
        let (near, far) = try PipeStream.pair()
        defer { far.close() }
        let socket = Self.socket(near)
        Self.noteClose(of: socket)
        let continues = try await socket.continues(after: .wait(.read))
        #expect(!continues)
    }

    @Test("a connection ends without waiting for the stream if another task holds the receiving half")
    func besideReader() async throws {
        let (near, far) = try PipeStream.pair()
        defer { far.close() }
        let socket = Self.socket(near)
        Self.noteClose(of: socket)
        let previous = socket.receiving.withLock { $0.claims.takeToReceive() }
        #expect(previous == .free)
        let reader = Task { try await near.wait(for: .read, as: .reader, until: .distantFuture) }
        await socket.end(.normal)
        // The end wakes the reader.
        _ = await reader.result
    }

    @Test("a receiver that waits already fails if the peer does not answer Close in time")
    func silentPeer() async throws {
        let (near, far) = try PipeStream.pair()
        defer { far.close() }
        let socket = Self.socket(near)
        let receiver = Task { try await socket.receive()?.bytes() }
        await eventually("a receiver") { socket.receiving.withLock { $0.claims.holder == .receiver } }
        let closeError = await #expect(throws: WebSocketError.self) { try await socket.close() }
        #expect(closeError?.code == .timeout)
        let receiveError = await #expect(throws: WebSocketError.self) { try await receiver.value }
        #expect(receiveError?.code == .timeout)
    }

    @Test("a ping returns although another task has read its pong")
    func foreignPong() async throws {
        let (near, far) = try PipeStream.pair()
        defer { far.close() }
        let socket = Self.socket(near)
        let ping = Task { try await socket.ping(timeout: .seconds(50)) }
        await eventually("a ping that reads") { socket.receiving.withLock { $0.claims.holder == .pinger } }
        socket.handle([.event(.pong(PingPayload.bytes(1)))], isPinger: false)
        let time = try await ping.value
        #expect(time < .seconds(30))
    }
}
