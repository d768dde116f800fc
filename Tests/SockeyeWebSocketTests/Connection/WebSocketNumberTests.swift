import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeWebSocket
import Testing

@Suite("Extreme frame lengths and options of a WebSocket", .serialized, .timeLimit(.minutes(2)))
struct WebSocketNumberTests {
    static let extremeLengths: [UInt64] = [
        0, 1, 125, 126, 127, 65_535, 65_536, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 53, 1 << 62, 1 << 62 + 1,
        1 << 63 - 65, 1 << 63 - 64, 1 << 63 - 1, 1 << 63, .max,
    ]

    private let client = HTTPClient()

    /// Sends the frames. The connection must end with an error of the library.
    private func run(
        _ frames: [UInt8], _ options: WebSocketConnection.Options = .init(),
        _ body: (WebSocketConnection) async throws -> Void = { socket in for try await _ in socket.messages {} }
    ) async throws {
        let server = try await RawPeer.start { connection in
            try await connection.write(frames)
            try await connection.closeWrite()
            _ = try await connection.discardToEnd()
        }
        do {
            try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options), body)
        } catch {
            #expect(error is WebSocketError || error is SockeyeError, "\(error)")
        }
        await server.stop()
    }

    @Test("An extreme length of the first or a later frame of a message causes no crash", arguments: extremeLengths)
    func lengths(length: UInt64) async throws {
        for form in [16, 64] where form == 64 || length < 65_536 {
            for opcode in [0, 1, 2, 8, 9, 10] as [UInt8] {
                let frame = Wire.frame(opcode, [65], length: length, form: form)
                try await run(frame)
                try await run(Wire.frame(2, [65], isFinal: false) + frame)
            }
            var options = WebSocketConnection.Options()
            options.limits = .init(frameBytes: .max, messageBytes: .max, streamedBytes: .max)
            try await run(
                Wire.frame(2, [65], isFinal: false) + Wire.frame(0, [65], length: length, form: form), options)
            try await run(Wire.frame(2, [65], length: length, form: form), options) { socket in
                while let message = try await socket.receive() { _ = try await message.bytes(upTo: .max) }
            }
        }
    }

    @Test(
        "Every option accepts any number", arguments: [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max])
    func options(count: Int) async throws {
        let frames = Wire.frame(1, Array("fine".utf8)) + Wire.close(1000)
        let durations: [Duration] = [
            Duration(attoseconds: .min), Duration(attoseconds: .max), .seconds(Int64.min), .seconds(Int64.max), .zero,
        ]
        var all: [WebSocketConnection.Options] = []
        for duration in durations {
            var options = WebSocketConnection.Options()
            options.closeTimeout = duration
            options.keepAlive = .init(interval: duration, timeout: duration)
            all.append(options)
        }
        var options = WebSocketConnection.Options()
        options.fragmentSize = count
        options.limits = .init(frameBytes: count, messageBytes: count, streamedBytes: count)
        options.compression = .init()
        options.compression?.minimumSize = count
        options.compression?.level = count
        options.compression?.ownWindowBits = count
        options.compression?.peerWindowBits = count
        all.append(options)
        for options in all {
            try await run(frames, options) { socket in
                try await socket.send("a message")
                for try await _ in socket.messages {}
            }
        }
    }
}
