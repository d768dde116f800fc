import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeWebSocket

@Suite("Messages in pieces, and several tasks on one WebSocket", .timeLimit(.minutes(3)))
struct StreamingTests {
    let client = HTTPClient()

    /// Pieces of one content, each made on demand.
    struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let piece: Bytes
        var count: Int

        func makeAsyncIterator() -> Pieces { self }

        mutating func next() async -> Bytes? {
            guard count > 0 else { return nil }
            count -= 1
            return piece
        }
    }

    @Test("a large message passes both ways in pieces, in a fraction of its size", arguments: [false, true])
    func large(isCompressed: Bool) async throws {
        let options = isCompressed ? ExchangeTests.compressed : .init()
        let piece = Bytes((0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0 >> 4) })
        // 16 MiB or 4 MiB, because a debug build masks and compresses slowly.
        let count = isCompressed ? 64 : 256
        let total = piece.count * count
        let server = try await TestServer.start { _, responder in
            try await responder.webSocket(options: options) { socket in
                while let message = try await socket.receive() {
                    #expect(message.kind == .binary)
                    try await socket.send(binary: message)
                }
            }
        }
        let before = HeapUsage.current()
        var peak = 0
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { socket in
            async let sent: Void = socket.send(binary: Pieces(piece: piece, count: count))
            var received = 0
            let message = try #require(try await socket.receive())
            for try await part in message {
                #expect(part.count <= 256 << 10)
                received += part.count
                if received >> 20 != (received - part.count) >> 20 { peak = max(peak, HeapUsage.current()) }
            }
            try await sent
            #expect(received == total)
        }
        #expect(peak - before < total / 2)
    }

    @Test("receiving the next message discards the unread rest of the previous one")
    func skipped() async throws {
        let server = try await ExchangeTests.echo()
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            for text in [String(repeating: "x", count: 1 << 20), "second", "third"] { try await socket.send(text) }
            let first = try #require(try await socket.receive())
            var pieces = first.makeAsyncIterator()
            do {
                let value = try await pieces.next()
                #expect(value != nil)
            }
            let second = try #require(try await socket.receive())
            #expect(second.kind == .text)
            let error = await #expect(throws: WebSocketError.self) { try await pieces.next() }
            #expect(error?.code == .invalidUse)
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("third"))
            }
        }
    }

    @Test("a text is sent in pieces of strings")
    func strings() async throws {
        let server = try await ExchangeTests.echo()
        let words = AsyncStream { stream in
            for word in ["ä", "", "😀", "z"] { stream.yield(word) }
            stream.finish()
        }
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            try await socket.send(text: words)
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("ä😀z"))
            }
        }
    }

    @Test("messages of several tasks arrive complete")
    func several() async throws {
        let server = try await ExchangeTests.echo()
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for letter in "abcdefgh" {
                    group.addTask {
                        for size in [10, 300_000, 1_500_000] {
                            try await socket.send(String(repeating: letter, count: size))
                        }
                    }
                }
                var messages = socket.messages.makeAsyncIterator()
                var sizes: [Int] = []
                for _ in 0..<24 {
                    guard case .text(let text)? = try await messages.next() else { continue }
                    let count = text.utf8.count
                    #expect(text == String(repeating: String(text.prefix(1)), count: count))
                    sizes.append(count)
                }
                #expect(
                    sizes.sorted() == [Int](repeating: 10, count: 8) + .init(repeating: 300_000, count: 8)
                        + .init(repeating: 1_500_000, count: 8))
                try await group.waitForAll()
            }
        }
    }

    // MARK: Cancellation

    @Test("a message whose collection was cancelled is read in pieces of at most 256 KiB")
    func collected() async throws {
        let release = TestSignal()
        let server = try await TestServer.start { _, responder in
            try await responder.webSocket { socket in
                let (pieces, input) = AsyncStream<Bytes>.makeStream()
                for _ in 0..<16 { input.yield(Bytes([UInt8](repeating: 7, count: 64 << 10))) }
                async let sent: Void = socket.send(binary: pieces)
                try await release.wait(timeout: .seconds(60))
                input.finish()
                try await sent
                _ = try await socket.receive()
            }
        }
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            let collecting = Task { for try await _ in socket.messages {} }
            await eventually("the collection of the whole message but its end") {
                socket.receiving.withLock { $0.received } >= 1 << 20
            }
            collecting.cancel()
            _ = await collecting.result
            let message = try #require(try await socket.receive())
            release.fire()
            var received = 0
            for try await piece in message {
                #expect(piece.count <= 256 << 10)
                received += piece.count
            }
            #expect(received == 1 << 20)
        }
    }

    @Test("a cancelled close that has discarded a part of a message leaves no hole in it", arguments: [false, true])
    func discardedByClose(endsMessage: Bool) async throws {
        let (begun, closing, cancelled) = (TestSignal(), TestSignal(), TestSignal())
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.frame(2, [65], isFinal: false))
            try await closing.wait()
            try await connection.write(Wire.frame(0, [66], isFinal: endsMessage))
            if endsMessage { try await connection.write(Wire.frame(2, [68], isFinal: false)) }
            begun.fire()
            try await cancelled.wait()
            try await connection.write(Wire.frame(0, [67]) + Wire.frame(2, [69]) + Wire.close(1000))
            _ = try await connection.closeCode()
        }
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            let message = try #require(try await socket.receive())
            var pieces = message.makeAsyncIterator()
            let start = try await pieces.next()
            #expect(start == Bytes([65]))
            let close = Task { try await socket.close() }
            let parsed = socket.receiving.withLock { $0.parsed }
            closing.fire()
            try await begun.wait()
            await eventually("discarded frames") {
                socket.receiving.withLock { $0.parsed } >= parsed + (endsMessage ? 6 : 3)
            }
            close.cancel()
            _ = await close.result
            cancelled.fire()
            let error = await #expect(throws: WebSocketError.self) { try await pieces.next() }
            #expect(error?.code == .invalidUse)
            let next = try await socket.receive()?.bytes()
            #expect(next == Bytes([69]))
        }
    }

    @Test("cancelling a receiver does not affect the connection")
    func cancelledReceiver() async throws {
        let server = try await ExchangeTests.echo()
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            let task = Task { try await socket.receive() }
            task.cancel()
            let error = await #expect(throws: WebSocketError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            try await socket.send("still there")
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("still there"))
            }
        }
    }

    @Test("cancelling a waiting sender truncates no message")
    func cancelledSender() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = try await TestServer.start { _, responder in
            try await responder.webSocket { socket in
                for await _ in gate { break }
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        let large = String(repeating: "l", count: 12 << 20)
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            // The peer does not read, so the sender waits.
            let task = Task { try await socket.send(large) }
            await eventually("a message being sent") { socket.isSending }
            let waiting = Task { try await socket.send("second") }
            await eventually("a sender in line") { socket.waitingSenders == 1 }
            waiting.cancel()
            let error = await #expect(throws: WebSocketError.self) { try await waiting.value }
            #expect(error?.code == .cancelled)
            task.cancel()
            _ = await task.result
            open.finish()
            let third = Task { try await socket.send("third") }
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text(large))
            }
            do {
                let value = try await messages.next()
                #expect(value == .text("third"))
            }
            try await third.value
        }
    }

    @Test("cancelling the task closes the connection at once, whatever the task waits for", arguments: [0, 1, 2])
    func cancelled(point: Int) async throws {
        let (codes, seen) = AsyncStream.makeStream(of: UInt16?.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let server = try await RawPeer.start { connection in
            seen.yield(try? await connection.closeCode())
            // Close stays unanswered, so that closing would last until one side gives up.
            try await connection.discardToEnd()
        }
        let (client, url) = (client, ExchangeTests.webSocketURL(server))
        var options = WebSocketConnection.Options()
        options.closeTimeout = .seconds(60)
        let task = Task { [options] in
            try await client.webSocket(url, options: .webSocket(options)) { socket in
                start.yield()
                switch point {
                case 0: for try await _ in socket.messages {}
                case 1: _ = try await socket.ping(timeout: .seconds(60))
                default: try await socket.close()
                }
            }
        }
        for await _ in started { break }
        task.cancel()
        let error = await #expect(throws: WebSocketError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        var iterator = codes.makeAsyncIterator()
        #expect([1001, 1000].contains(await iterator.next() ?? nil))
        await client.expectAtRest()
    }

    @Test("a closure that throws closes with 1011, and its error reaches the caller")
    func throwing() async throws {
        struct Broken: Error {}
        let server = try await TestServer.start { _, responder in
            let error = await #expect(throws: WebSocketError.self) {
                try await responder.webSocket { socket in for try await _ in socket.messages {} }
            }
            #expect(error?.closeStatus?.code == .internalError)
        }
        await #expect(throws: Broken.self) {
            try await client.webSocket(ExchangeTests.webSocketURL(server)) { _ in throw Broken() }
        }
        try await server.wait { $0.openConnections == 0 }
    }

    @Test("if a sequence throws after its first piece, the connection fails, and if it throws before, only its send")
    func failingSequence() async throws {
        struct Broken: Error {}
        let server = try await ExchangeTests.echo()
        try? await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            let none = AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: Broken()) }
            await #expect(throws: Broken.self) { try await socket.send(binary: none) }
            try await socket.send("fine")
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("fine"))
            }
            let some = AsyncThrowingStream<Bytes, any Error> {
                $0.yield("x".bytes)
                $0.finish(throwing: Broken())
            }
            await #expect(throws: Broken.self) { try await socket.send(binary: some) }
            let error = await #expect(throws: WebSocketError.self) { try await socket.send("more") }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test("a peer that does not read blocks the sender, which fails after the stall timeout")
    func stalled() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        defer { open.finish() }
        let server = try await RawPeer.start { _ in for await _ in gate { break } }
        let url = ExchangeTests.webSocketURL(server)
        let error = await #expect(throws: WebSocketError.self) {
            try await client.webSocket(url, options: .timeout(stall: .milliseconds(100))) { socket in
                try await socket.send(Bytes([UInt8](repeating: 0, count: 32 << 20)))
            }
        }
        #expect(error?.code == .timeout)
        await client.expectAtRest()
    }

    @Test("close ends the iteration over the messages in another task")
    func closedElsewhere() async throws {
        let server = try await ExchangeTests.echo()
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            async let end: WebSocketConnection.Message? = {
                var messages = socket.messages.makeAsyncIterator()
                return try await messages.next()
            }()
            try await socket.close()
            do {
                let value = try await end
                #expect(value == nil)
            }
        }
    }
}
