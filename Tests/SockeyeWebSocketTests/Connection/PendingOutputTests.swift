import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeWebSocket

/// Output that the stream does not accept at once.
@Suite("Pending output of a WebSocket", .timeLimit(.minutes(1)))
struct PendingOutputTests {
    private static func socket(
        _ stream: PipeStream, _ role: Role, fragmentSize: Int = 1 << 20
    ) -> WebSocketConnection {
        var options = WebSocketConnection.Options(keepAlive: nil)
        options.fragmentSize = fragmentSize
        return WebSocketConnection(
            over: stream, early: Bytes(), owner: stream, role: role, options: options, agreement: .init(), stall: nil)
    }

    /// Two connected sockets, and a task of the client that waits for a message.
    private struct Pair {
        let client: WebSocketConnection
        let server: WebSocketConnection
        let receiver: Task<Bytes?, any Error>

        init(capacity: Int) async throws {
            let (near, far) = try PipeStream.pair(.init(capacity: capacity))
            let client = PendingOutputTests.socket(near, .client)
            self.client = client
            server = PendingOutputTests.socket(far, .server)
            receiver = Task { try await client.receive()?.bytes() }
            await eventually("a receiver") { client.receiving.withLock { $0.claims.holder == .receiver } }
        }
    }

    @Test("a receiver that waits already sends the rest of a message whose sender was cancelled")
    func cancelledSender() async throws {
        let pair = try await Pair(capacity: 64 << 10)
        let client = pair.client
        let large = Bytes([UInt8](repeating: 7, count: 1 << 20))
        let sender = Task { try await client.send(large) }
        await eventually("a message being sent") { client.isSending }
        sender.cancel()
        let error = await #expect(throws: WebSocketError.self) { try await sender.value }
        #expect(error?.code == .cancelled)
        let message = try await pair.server.receive()?.bytes()
        #expect(message == large)
        try await pair.server.send("answer")
        #expect(try await pair.receiver.value == "answer".bytes)
    }

    @Test("a receiver that waits already sends the rest of a ping and of a Close frame")
    func controlFrames() async throws {
        // Less than the size of either frame.
        let pair = try await Pair(capacity: 5)
        let (client, server) = (pair.client, pair.server)
        let echo = Task { try await server.receive() }
        try await client.ping(timeout: .seconds(50))
        try await client.close()
        #expect(try await echo.value == nil)
        #expect(try await pair.receiver.value == nil)
    }

    @Test("if a pong waits to be sent when the turn of a message comes, the message is sent after the pong")
    func behindPong() throws {
        let (near, far) = try PipeStream.pair()
        var half = SendingHalf(OutboundMachine(role: .server, fragmentSize: 1 << 20))
        half.machine.pong("pong".bytes)
        let step = half.begin(.text, "message".bytes, compressing: false, to: near)
        guard case .done = step else {
            Issue.record("\(step)")
            return
        }
        var room = [UInt8](repeating: 0, count: 64)
        let transfer = unsafe room.withUnsafeMutableBytes { unsafe far.read(into: $0) }
        guard case .bytes(let count) = transfer else {
            Issue.record("\(transfer)")
            return
        }
        #expect(Array(room[..<count]) == Wire.frame(10, Array("pong".utf8)) + Wire.frame(1, Array("message".utf8)))
    }

    /// Reads up to `count` bytes without waiting.
    private static func read(_ count: Int, from stream: PipeStream) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: count)
        let transfer = unsafe room.withUnsafeMutableBytes { unsafe stream.read(into: $0) }
        guard case .bytes(let count) = transfer else { return [] }
        return Array(room[..<count])
    }

    @Test("without keep-alive a ping is answered after a message, also if the message had to wait for the stream")
    func pingBeforeMessage() async throws {
        let (near, far) = try PipeStream.pair(.init(capacity: 1000))
        let server = Self.socket(near, .server)
        let ping = Wire.frame(9, Array("are you there".utf8), masked: true)
        let written = unsafe ping.withUnsafeBytes { unsafe far.write($0) }
        guard case .bytes(ping.count) = written else {
            Issue.record("\(written)")
            return
        }
        let message = [UInt8](repeating: 7, count: 1500)
        let sender = Task { try await server.send(message) }
        await eventually("a full pipe") { server.isSending && near.bytesWritten == 1000 }
        // Makes room for the rest of the message and for the pong.
        var received = Self.read(1000, from: far)
        try await sender.value
        received += Self.read(1000, from: far)
        #expect(received == Wire.frame(2, message) + Wire.frame(10, Array("are you there".utf8)))
    }

    @Test("a send fails if either side closes in the middle of its message", arguments: [Role.client, .server])
    func cutOff(closing: Role) async throws {
        let (near, far) = try PipeStream.pair(.init(capacity: 16 << 10))
        let client = Self.socket(near, .client, fragmentSize: 32 << 10)
        let server = Self.socket(far, .server)
        let sender = Task { try await client.send(Bytes([UInt8](repeating: 7, count: 1 << 20))) }
        await eventually("a message being sent") { client.isSending }
        (closing == .client ? client : server).sendClose(WebSocketConnection.CloseStatus(.normal))
        if closing == .server {
            let message = try await client.receive()
            #expect(message == nil)
        }
        // The server reads only now, so Close follows one of the first frames.
        _ = try? await server.receive()?.bytes()
        let error = await #expect(throws: WebSocketError.self) { try await sender.value }
        #expect(error?.code == .closed)
    }

    @Test("the keep-alive spares a connection whose large message is accepted steadily")
    func steadily() async throws {
        let time = ManualTime()
        let poller = try EventPoller(time: TimeSource(manual: time))
        let (near, far) = try PipeStream.pair(.init(capacity: 16 << 10), poller: poller)
        let options = WebSocketConnection.Options(keepAlive: .init(interval: .seconds(4), timeout: .seconds(4)))
        let client = WebSocketConnection(
            over: near, early: Bytes(), owner: near, role: .client, options: options, agreement: .init(), stall: nil)
        try await client.run { client in
            let sender = Task { try await client.send([UInt8](repeating: 7, count: 1 << 20)) }
            var room = [UInt8](repeating: 0, count: 16 << 10)
            var received = 0
            while received < 1 << 20 {
                switch unsafe room.withUnsafeMutableBytes({ unsafe far.read(into: $0) }) {
                case .bytes(let count):
                    received += count
                    time.advance(by: .seconds(1))
                    await Task.yield()
                case .wouldBlock(let interest): try await far.wait(for: interest, as: .reader, until: .distantFuture)
                case .end, .failed: received = .max
                }
            }
            #expect(received != .max)
            try await sender.value
            far.close()
        }
    }

    @Test("the keep-alive sends the rest of a message whose sender was cancelled")
    func unattended() async throws {
        let (near, far) = try PipeStream.pair()
        let options = WebSocketConnection.Options(
            keepAlive: .init(interval: .milliseconds(20), timeout: .seconds(50)))
        let client = WebSocketConnection(
            over: near, early: Bytes(), owner: near, role: .client, options: options, agreement: .init(), stall: nil)
        let server = Self.socket(far, .server)
        let large = Bytes([UInt8](repeating: 7, count: 1 << 20))
        try await client.run { client in
            let sender = Task { try await client.send(large) }
            await eventually("a message being sent") { client.isSending }
            sender.cancel()
            _ = await sender.result
            let message = try await server.receive()?.bytes()
            #expect(message == large)
            let closing = Task { try await server.close() }
            _ = try await client.receive()
            _ = await closing.result
            far.close()
        }
    }
}
