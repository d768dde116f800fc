import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeWebSocket
import Testing

@Suite("A WebSocket with a hostile peer", .timeLimit(.minutes(1)))
struct HostilePeerTests {
    let client = HTTPClient()

    private func failure(
        _ server: TestServer, options: WebSocketConnection.Options = .init(),
        _ body: (WebSocketConnection) async throws -> Void = { socket in for try await _ in socket.messages {} }
    ) async -> WebSocketError? {
        do {
            try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options), body)
            return nil
        } catch {
            return error as? WebSocketError
        }
    }

    static let faults: [(name: String, frames: [UInt8], code: WebSocketError.Code, close: UInt16)] = [
        ("reserved bits", Wire.frame(1, reserved: 2), .protocolViolation, 1002),
        ("a masked frame", Wire.frame(1, [65], masked: true), .protocolViolation, 1002),
        ("invalid text", Wire.frame(1, [0xFF]), .protocolViolation, 1007),
        ("a bad close code", Wire.close(1005), .protocolViolation, 1002),
        ("a message of a gigabyte", Wire.frame(2, [0], length: 1 << 30), .limitExceeded, 1009),
        ("the header of a message of a gigabyte", Wire.frame(2, length: 1 << 30), .limitExceeded, 1009),
        ("the largest length", Wire.frame(2, length: 1 << 63 - 1), .limitExceeded, 1009),
        ("frames without payload", emptyFrames, .protocolViolation, 1008),
    ]

    private static let emptyFrames =
        Wire.frame(1, [65], isFinal: false)
        + (0..<300).flatMap { _ in Wire.frame(0, isFinal: false) }

    @Test("a fault of the peer is an error, and the Close frame has the code of the fault", arguments: faults.indices)
    func tells(index: Int) async throws {
        let fault = Self.faults[index]
        let (codes, seen) = AsyncStream.makeStream(of: UInt16?.self)
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.frame(1, Array("fine".utf8)) + fault.frames)
            seen.yield(try await connection.closeCode())
        }
        let error = await failure(server) { socket in
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("fine"))
            }
            _ = try await messages.next()
        }
        #expect(error?.code == fault.code, "\(fault.name)")
        var iterator = codes.makeAsyncIterator()
        #expect(await iterator.next() == fault.close, "\(fault.name)")
        await client.expectAtRest()
    }

    @Test("a frame of the largest length is refused at once, even if messages may have any size")
    func largestLength() async throws {
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.frame(2, length: 1 << 63 - 1))
            #expect(try await connection.closeCode() == 1009)
        }
        let error = await failure(server) { socket in
            while let message = try await socket.receive() { for try await _ in message {} }
        }
        #expect(error?.code == .limitExceeded && error?.limit == 1 << 62, "\(String(describing: error))")
    }

    @Test("the rest of an unread message is discarded up to the limit", arguments: [true, false])
    func discarded(isBelow: Bool) async throws {
        let server = try await RawPeer.start { connection in
            let rest = [UInt8](repeating: 66, count: isBelow ? 1000 : 1001)
            try await connection.write(Wire.frame(2, [65], isFinal: false))
            try await connection.write(Wire.frame(0, rest) + Wire.frame(1, [67]) + Wire.close(1000))
            #expect(try await connection.closeCode() == (isBelow ? 1000 : 1009))
        }
        let options = WebSocketConnection.Options(limits: .init(messageBytes: 900, discardedBytes: 1000))
        let read: (WebSocketConnection) async throws -> Void = { socket in
            var first = try await socket.receive()?.makeAsyncIterator()
            let start = try await first?.next()
            #expect(start == Bytes([65]))
            let next = try await socket.receive()?.bytes()
            #expect(next == Bytes([67]))
        }
        guard isBelow else {
            let error = await failure(server, options: options, read)
            #expect(error?.code == .limitExceeded && error?.limit == 1000, "\(String(describing: error))")
            return
        }
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options), read)
    }

    @Test("frames that arrive while the client waits for Close are discarded up to the limit")
    func discardedBeforeClose() async throws {
        let server = try await RawPeer.start { connection in
            _ = try await connection.closeCode()
            let frame = Wire.frame(2, [UInt8](repeating: 66, count: 100))
            try? await connection.write((0..<32).flatMap { _ in frame })
            _ = try? await connection.discardToEnd()
        }
        let options = WebSocketConnection.Options(limits: .init(discardedBytes: 1000))
        let error = await failure(server, options: options) { try await $0.close() }
        #expect(error?.code == .limitExceeded && error?.limit == 1000, "\(String(describing: error))")
    }

    @Test("bytes after the peer's Close are discarded up to the limit of bytes, even if no time passes")
    func discardedBehindClose() async throws {
        let (ends, seen) = AsyncStream.makeStream(of: Bool.self)
        let server = try await RawPeer.start { connection in
            _ = try await connection.closeCode()
            try await connection.write(Wire.close(1000))
            let block = [UInt8](repeating: 66, count: 1 << 16)
            do {
                for _ in 0..<1024 { try await connection.write(block) }
                seen.yield(false)
            } catch {
                seen.yield(true)
            }
        }
        // The clock stands still, so that only the limit of bytes can end the wait.
        let options = WebSocketConnection.Options(limits: .init(discardedBytes: 1000))
        let client = HTTPClient(clock: ManualClock())
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { _ in }
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true, "64 MiB were discarded")
    }

    @Test("an end or a reset without Close is a lost connection")
    func ends() async throws {
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.frame(1, Array("a".utf8)))
            connection.close()
        }
        let error = await failure(server)
        #expect(error?.code == .connectionLost && error?.closeStatus == nil)
        let reset = try await RawPeer.start { $0.reset() }
        #expect(await failure(reset)?.code == .connectionLost)
    }

    @Test("nothing is sent or received after the peer's Close")
    func afterClose() async throws {
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.close(1000) + Wire.frame(1, [65]))
            _ = try await connection.closeCode()
        }
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == nil)
            }
            do {
                let value = try await messages.next()
                #expect(value == nil)
            }
            do {
                let value = try await socket.receive()
                #expect(value == nil)
            }
            let error = await #expect(throws: WebSocketError.self) { try await socket.send("late") }
            #expect(error?.code == .closed)
        }
    }

    @Test("the message after a flood of pings arrives")
    func pings() async throws {
        let flood = [[UInt8]](repeating: Wire.frame(9, [UInt8](repeating: 1, count: 125)), count: 1000).flatMap { $0 }
        let server = try await RawPeer.start { connection in
            // The peer does not read the pongs meanwhile, so that they pile up.
            for _ in 0..<100 { try await connection.write(flood) }
            try await connection.write(Wire.frame(1, [65]))
            _ = try await connection.closeCode()
        }
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("A"))
            }
        }
    }

    @Test("a connection is closed if its peer does not answer Close")
    func deafPeer() async throws {
        let server = try await RawPeer.start { try await $0.discardToEnd() }
        var options = WebSocketConnection.Options()
        options.closeTimeout = .milliseconds(50)
        let error = await failure(server, options: options) { try await $0.close() }
        #expect(error?.code == .timeout)
        // If the closure returns by itself, a peer that does not answer Close is no error.
        #expect(await failure(server, options: options) { _ in } == nil)
        await client.expectAtRest()
    }

    @Test("a connection is closed if its peer is silent for longer than the keep-alive allows")
    func silentPeer() async throws {
        let server = try await RawPeer.start { try await $0.discardToEnd() }
        let keepAlive = WebSocketConnection.KeepAlive(interval: .milliseconds(20), timeout: .milliseconds(50))
        let options = WebSocketConnection.Options(keepAlive: keepAlive)
        #expect(await failure(server, options: options)?.code == .timeout)
        // If no task receives meanwhile, the next call reports the failure.
        let error = await failure(server, options: options) { socket in
            await eventually("a failing send") { (try? await socket.send("x")) == nil }
            try await socket.send("x")
        }
        #expect(error?.code == .timeout)
    }

    @Test("the keep-alive answers pings while no task receives")
    func unattended() async throws {
        let (pongs, seen) = AsyncStream.makeStream(of: Bytes.self)
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.frame(9, Array("are you there".utf8)))
            var machine = InboundMachine(role: .server)
            while let bytes = try await connection.read() {
                machine.push(bytes)
                while let event = try machine.next() {
                    if case .pong(let payload) = event { seen.yield(payload) }
                    if case .close = event { return }
                }
            }
        }
        let keepAlive = WebSocketConnection.KeepAlive(interval: .milliseconds(20), timeout: .seconds(30))
        var options = WebSocketConnection.Options(keepAlive: keepAlive)
        options.closeTimeout = .milliseconds(50)
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { _ in
            var iterator = pongs.makeAsyncIterator()
            #expect(await iterator.next() == "are you there".bytes)
        }
    }

    @Test("a ping returns the time until the pong, and fails if the peer does not answer")
    func measures() async throws {
        let server = try await ExchangeTests.echo()
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { socket in
            async let message = socket.receive()
            let time = try await socket.ping()
            #expect(time > .zero && time < .seconds(30))
            try await socket.send("x")
            do {
                let value = try await message?.bytes()
                #expect(value == "x".bytes)
            }
        }
        let deaf = try await RawPeer.start { try await $0.discardToEnd() }
        var options = WebSocketConnection.Options()
        options.closeTimeout = .milliseconds(50)
        let error = await failure(deaf, options: options) { _ = try await $0.ping(timeout: .milliseconds(20)) }
        #expect(error?.code == .timeout)
    }

    @Test("pings return the time until their pongs while no task receives")
    func measuresUnattended() async throws {
        let server = try await ExchangeTests.echo()
        // Without the keep-alive no other task reads the pong.
        let options = WebSocketConnection.Options(keepAlive: nil)
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { socket in
            try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 0..<4 { group.addTask { try await socket.ping(timeout: .seconds(50)) } }
                for try await time in group { #expect(time > .zero && time < .seconds(30)) }
            }
            try await socket.send("x")
            let echo = try await socket.receive()?.bytes()
            #expect(echo == "x".bytes)
        }
    }

    @Test("while a ping waits, another task can receive messages and close the connection")
    func givesWay() async throws {
        let isPinged = TestSignal()
        let server = try await RawPeer.start { connection in
            var machine = InboundMachine(role: .server)
            var ping: Bytes?
            reading: while let bytes = try await connection.read() {
                machine.push(bytes)
                while let event = try machine.next() {
                    if case .ping(let payload) = event {
                        ping = payload
                        break reading
                    }
                }
            }
            isPinged.fire()
            try await connection.write(Wire.frame(1, [65]))
            try await connection.write(Wire.frame(10, Array(ping ?? Bytes())) + Wire.frame(1, [66]))
            _ = try await connection.closeCode()
        }
        var options = WebSocketConnection.Options(keepAlive: nil)
        options.closeTimeout = .milliseconds(50)
        try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { socket in
            let time = Task { try await socket.ping(timeout: .seconds(50)) }
            try await isPinged.wait()
            let first = try await socket.receive()?.bytes()
            #expect(first == Bytes([65]))
            // The pong follows the message and is read although no task receives.
            #expect(try await time.value < .seconds(30))
            let second = try await socket.receive()?.bytes()
            #expect(second == Bytes([66]))
            let deaf = Task { try await socket.ping(timeout: .seconds(50)) }
            try? await socket.close()
            await #expect(throws: WebSocketError.self) { try await deaf.value }
        }
    }

    @Test("while no task receives, the next ping follows soon after the interval")
    func countsUnattended() async throws {
        let (first, second) = (TestSignal(), TestSignal())
        let server = try await RawPeer.start { connection in
            var machine = InboundMachine(role: .server)
            var isFirst = true
            while let bytes = try await connection.read() {
                machine.push(bytes)
                while let event = try machine.next() {
                    if case .close = event { return }
                    guard case .ping(let payload) = event else { continue }
                    try await connection.write(Wire.frame(10, Array(payload)))
                    (isFirst ? first : second).fire()
                    isFirst = false
                }
            }
        }
        let clock = ManualClock()
        let options = WebSocketConnection.Options(keepAlive: .init(interval: .seconds(4), timeout: .seconds(60)))
        try await HTTPClient(clock: clock).webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) {
            _ in
            try await clock.advancing(by: .milliseconds(5)) { try await first.wait() }
            let start = clock.now
            try await clock.advancing(by: .milliseconds(2)) { try await second.wait() }
            let elapsed = start.duration(to: clock.now)
            #expect(elapsed < .milliseconds(6500), "4 s and one check that finds the pong, not \(elapsed)")
        }
    }

    @Test("the keep-alive's time starts at the last received byte, not at its detection")
    func countsFromLastByte() async throws {
        let server = try await RawPeer.start { connection in
            try await connection.write(Wire.frame(1, [65]))
            try await connection.discardToEnd()
        }
        let clock = ManualClock()
        let keepAlive = WebSocketConnection.KeepAlive(interval: .seconds(3), timeout: .seconds(3))
        let client = HTTPClient(clock: clock)
        let start = clock.now
        let error = await #expect(throws: WebSocketError.self) {
            try await clock.advancing(by: .milliseconds(5)) {
                let options = WebSocketConnection.Options(keepAlive: keepAlive)
                try await client.webSocket(ExchangeTests.webSocketURL(server), options: .webSocket(options)) { socket in
                    for try await _ in socket.messages {}
                }
            }
        }
        #expect(error?.code == .timeout)
        let elapsed = start.duration(to: clock.now)
        #expect(elapsed >= .seconds(6) && elapsed < .seconds(8), "\(elapsed)")
    }
}
