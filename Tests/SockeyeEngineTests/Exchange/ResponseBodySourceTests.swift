import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The source of a response body", .timeLimit(.minutes(1))) struct ResponseBodySourceTests {
    private static let head = "HTTP/1.1 200 OK\r\n"
    private static let reset = TransportError.failed(.recv, .connectionReset)

    /// A response whose body has not arrived completely, and its connection.
    private struct Scene {
        let response: IncomingResponse
        let stream: ScriptedStream
        let transport: SocketTransport

        init(
            _ text: String, then ending: ScriptedStream.Ending = .silence, time: TimeSource = .system,
            _ configure: (inout EngineConfiguration) -> Void = { _ in }
        ) async throws {
            var configuration = EngineConfiguration()
            configure(&configuration)
            let server = ScriptedServer(text, then: ending)
            transport = server.transport(configuration, time: time)
            response = try await transport.send(OutgoingRequest(url: "http://a.test/"))
            stream = try #require(server.streams.first)
            #expect(transport.pool.statistics.leased == 1)
        }

        /// Reads to the end.
        func read() async -> (content: String, error: SockeyeError?) {
            var content: [UInt8] = []
            do throws(SockeyeError) {
                for try await piece in response.body { content += piece }
                return (String(decoding: content, as: UTF8.self), nil)
            } catch {
                return (String(decoding: content, as: UTF8.self), error)
            }
        }

        func expectReturned(idle: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
            let statistics = transport.pool.statistics
            #expect(
                statistics.leased == 0 && statistics.idle == (idle ? 1 : 0) && stream.isClosed != idle,
                sourceLocation: sourceLocation)
        }
    }

    private static let bodies:
        [(text: String, rest: String, ending: ScriptedStream.Ending, content: String, isIdle: Bool)] = [
            ("Content-Length: 10\r\n\r\n01234", "56789", .silence, "0123456789", true),
            ("Content-Length: 10\r\n\r\n01234", "56789HTTP", .silence, "0123456789", false),
            (
                "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n", "5\r\n56789\r\n0\r\n\r\n", .silence, "0123456789",
                true
            ),
            ("Content-Length: 5\r\nConnection: close\r\n\r\n012", "34", .silence, "01234", false),
            ("\r\n01234", "", .end, "01234", false),
        ]

    @Test("the end of the body returns the connection to the pool, idle if it can be reused", arguments: bodies.indices)
    func end(index: Int) async throws {
        let row = Self.bodies[index]
        let scene = try await Scene(Self.head + row.text, then: row.ending)
        if !row.rest.isEmpty { scene.stream.send(row.rest) }
        let (content, error) = await scene.read()
        #expect(content == row.content && error == nil)
        scene.expectReturned(idle: row.isIdle)
    }

    private static let faults: [(String, ScriptedStream.Ending, SockeyeError.Code, String)] = [
        ("Content-Length: 10\r\n\r\n01234", .end, .connectionClosed, "01234"),
        ("Content-Length: 10\r\n\r\n01234", .failure(reset), .connectionClosed, "01234"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n", .end, .connectionClosed, "01234"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\nxyz\r\n", .silence, .malformedResponse, "01234"),
        ("\r\n01234", .failure(.truncated), .connectionClosed, "01234"),
    ]

    @Test(
        "a body that does not end as announced fails after its last byte and closes the connection",
        arguments: faults.indices)
    func fault(index: Int) async throws {
        let (text, ending, code, expected) = Self.faults[index]
        let scene = try await Scene(Self.head + text, then: ending)
        let (content, error) = await scene.read()
        #expect(content == expected && error?.code == code && error?.phase == .body)
        scene.expectReturned(idle: false)
    }

    @Test("a body that ends with a connection without close_notify is complete if the client tolerates that")
    func tolerance() async throws {
        let scene = try await Scene(Self.head + "\r\n01234", then: .failure(.truncated)) {
            $0.tolerances = .missingCloseNotify
        }
        let (content, error) = await scene.read()
        #expect(content == "01234" && error == nil)
    }

    @Test("the trailers are available after the end of the body")
    func trailers() async throws {
        let scene = try await Scene(Self.head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        #expect(scene.response.trailers == nil)
        scene.stream.send("0\r\nX-Sum: 7\r\n\r\n")
        _ = await scene.read()
        #expect(scene.response.trailers?["X-Sum"] == "7")
    }

    @Test("a body that has ended stays ended after its deadline and after cancellation")
    func afterEnd() async throws {
        let time = ManualTime()
        let scene = try await Scene(Self.head + "\r\n0", then: .end, time: TimeSource(manual: time)) {
            $0.timeouts = Timeouts(total: .seconds(5))
        }
        guard let source = scene.response.body.storage.reader.unread else { throw CancellationError() }
        while try await source.next() != nil {}
        time.advance(by: .seconds(5))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await source.next()
        }
        #expect(try await task.value == nil)
    }

    // MARK: Bodies that are not read to the end

    @Test("the rest of a dropped response is read if it is known to be short, so that its connection can be reused")
    func dropped() async throws {
        for (text, rest, isIdle) in [
            ("Content-Length: 10\r\n\r\n01234", "56789", true), ("Content-Length: 10\r\n\r\n01234", "56789+", false),
            ("Content-Length: 65542\r\n\r\n01234", "", false), ("\r\n01234", "", false),
            ("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "1\r\nb\r\n0\r\n\r\n", true),
            ("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "x\r\n", false),
            ("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n", Self.chunk(of: 65_536) + "0\r\n\r\n", true),
            ("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n", Self.chunk(of: 65_537), false),
        ] {
            // The clock stands still, so the wait for the rest does not time out.
            var scene: Scene? = try await Scene(Self.head + text, time: TimeSource(manual: ManualTime()))
            let (stream, transport) = (try #require(scene).stream, try #require(scene).transport)
            scene = nil
            if !rest.isEmpty { stream.send(rest) }
            await eventually("the connection is returned") { transport.pool.statistics.leased == 0 }
            #expect(transport.pool.statistics.idle == (isIdle ? 1 : 0) && stream.isClosed == !isIdle, "\(text)")
        }
    }

    @Test(
        "the rest of a dropped response is also read after an upload, unless the upload is still running",
        arguments: [true, false])
    func droppedAfterUpload(isSent: Bool) async throws {
        let server = ScriptedServer([ScriptedServer.Script("", writes: isSent ? [] : [.take(.max), .block])])
        // The clock stands still, so the wait for the rest does not time out.
        let transport = server.transport(time: TimeSource(manual: ManualTime()))
        let observer = SendingObserver()
        var request = try OutgoingRequest(
            method: .post, url: "http://a.test/", body: .writer { try await $0.write("body") })
        request.options.observer = observer
        let peer = Task {
            await eventually("the upload is finished or blocked") {
                isSent ? !observer.sent.values.isEmpty : server.streams.first?.isWriteScriptOver == true
            }
            server.streams.first?.send(Self.head + "Content-Length: 10\r\n\r\n01234")
        }
        var response: IncomingResponse? = try await transport.send(request)
        await peer.value
        let status = response?.status
        response = nil
        server.streams.first?.send("56789")
        await eventually("the connection is returned") { transport.pool.statistics.leased == 0 }
        #expect(status == .ok && transport.pool.statistics.idle == (isSent ? 1 : 0))
    }

    private static func chunk(of count: Int) -> String {
        "\(String(count, radix: 16))\r\n\(String(repeating: "x", count: count))\r\n"
    }

    @Test("the rest of a dropped response has 50 ms in all to arrive, also if some of it comes meanwhile")
    func droppedSlowly() async throws {
        let time = ManualTime()
        var scene: Scene? = try await Scene(
            Self.head + "Content-Length: 10\r\n\r\n01234", time: TimeSource(manual: time))
        let (stream, transport) = (try #require(scene).stream, try #require(scene).transport)
        let waits = stream.waitCount
        scene = nil
        await eventually("the rest is awaited") { stream.waitCount > waits }
        time.advance(by: .milliseconds(49))
        stream.send("5")
        await eventually("the rest is awaited again") { stream.waitCount > waits + 1 }
        #expect(transport.pool.statistics.leased == 1 && !stream.isClosed)
        time.advance(by: .milliseconds(1))
        await eventually("the connection is returned") { transport.pool.statistics.leased == 0 }
        #expect(transport.pool.statistics.idle == 0 && stream.isClosed)
    }

    @Test("cancellation ends the wait for the body and closes the connection", arguments: [true, false])
    func cancellation(isWaiting: Bool) async throws {
        let scene = try await Scene(Self.head + "Content-Length: 10\r\n\r\n01234")
        let waits = scene.stream.waitCount
        let task = Task {
            if !isWaiting { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            return await scene.read()
        }
        if isWaiting {
            await eventually("the reader waits") { scene.stream.waitCount > waits }
            task.cancel()
        }
        let (content, error) = await task.value
        #expect(content == "01234" && error?.code == .cancelled && error?.phase == .body)
        scene.expectReturned(idle: false)
    }

    @Test("a body that stalls, or outlasts the call, ends at its deadline", arguments: ["stall", "total"])
    func deadline(name: String) async throws {
        let time = ManualTime()
        let scene = try await Scene(
            Self.head + "Content-Length: 10\r\n\r\n01234", time: TimeSource(manual: time)
        ) {
            $0.timeouts = name == "stall" ? Timeouts(stall: .seconds(5)) : Timeouts(total: .seconds(5))
        }
        let waits = scene.stream.waitCount
        let task = Task { await scene.read() }
        await eventually("the reader waits") { scene.stream.waitCount > waits }
        time.advance(by: .seconds(5))
        let (content, error) = await task.value
        #expect(content == "01234" && error?.code == .timeout && error?.limit?.name == "timeouts.\(name)")
        scene.expectReturned(idle: false)
    }

    private static let slowlyRead: [(rest: String, count: Int, isComplete: Bool)] = [
        ("5\r\n56789\r\n0\r\n\r\n", 10, true), (chunk(of: 9000) + "0\r\nA: b\r\n\r\n", 9005, true),
        ("1\r\nx\r\n" + chunk(of: 9000) + "0\r\n\r\n", 9006, true), (chunk(of: 9000), 9005, false),
        (chunk(of: 9000) + "0\r\n", 9005, false), (chunk(of: 9000) + "x", 9005, false),
    ]

    @Test(
        "the total deadline does not end a chunked body that has arrived completely, however slow the reader is",
        arguments: slowlyRead.indices)
    func slowReader(index: Int) async throws {
        let (rest, count, isComplete) = Self.slowlyRead[index]
        try await readSlowly("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n", rest, count, isComplete)
    }

    @Test("the total deadline does not end a body of known length whose last byte has arrived")
    func slowReaderOfLength() async throws {
        try await readSlowly("Content-Length: 10\r\n\r\n01234", "56789", 10, true)
        try await readSlowly("Content-Length: 11\r\n\r\n01234", "56789", 10, false)
    }

    /// Reads a body. The total deadline passes after the first piece that did not arrive together with the head.
    private func readSlowly(_ start: String, _ rest: String, _ expected: Int, _ isComplete: Bool) async throws {
        let time = ManualTime()
        let scene = try await Scene(Self.head + start, time: TimeSource(manual: time)) {
            $0.timeouts = Timeouts(total: .seconds(5))
        }
        scene.stream.send(rest)
        var (count, failure) = (0, SockeyeError?.none)
        do throws(SockeyeError) {
            for try await piece in scene.response.body {
                count += piece.count
                if count > 5 { time.advance(by: .seconds(5)) }
            }
        } catch {
            failure = error
        }
        #expect(count == expected && (failure == nil) == isComplete)
        #expect(isComplete || failure?.limit?.name == "timeouts.total")
        scene.expectReturned(idle: isComplete)
    }

    // MARK: Responses during an upload

    /// Makes a transport whose bodies stall after five seconds.
    private func transport(to server: ScriptedServer, on time: ManualTime) -> SocketTransport {
        var configuration = EngineConfiguration()
        configuration.timeouts = Timeouts(stall: .seconds(5))
        return server.transport(configuration, time: TimeSource(manual: time))
    }

    @Test("the stall time-out of a response's body starts again with each progress of the upload", arguments: [4, 5])
    func stallAfterUpload(silence: Int) async throws {
        let (server, time) = (ScriptedServer(Self.head + "Content-Length: 2\r\n\r\n"), ManualTime())
        let transport = transport(to: server, on: time)
        let (pieces, producer) = AsyncStream<Bytes>.makeStream()
        let sent = Recorder<Int>()
        var request = try OutgoingRequest(method: .post, url: "http://a.test/", body: .stream(pieces, length: 20))
        request.options.onBodyProgress = { sent.append($0) }
        let task = Task { [request] in try await transport.send(request).body.collect(upTo: 10) }
        await eventually("the head has come, and the body is awaited") { (server.streams.first?.waitCount ?? 0) > 1 }
        let stream = try #require(server.streams.first)
        for second in 1...20 {
            time.advance(by: .seconds(1))
            producer.yield(Bytes("x"))
            await eventually("the piece is sent") { sent.values.last == second }
        }
        producer.finish()
        try await expect(task, stream, silence: silence, time)
    }

    @Test("the stall time-out of a response's body starts again after a pause of its caller", arguments: [4, 5])
    func stallAfterPause(silence: Int) async throws {
        let (server, time) = (ScriptedServer(Self.head + "Content-Length: 2\r\n\r\n"), ManualTime())
        let transport = transport(to: server, on: time)
        let gate = TransferGate(time: TimeSource(manual: time))
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.gate = gate
        let task = Task { [request] in try await transport.send(request).body.collect(upTo: 10) }
        await eventually("the head has come, and the body is awaited") { (server.streams.first?.waitCount ?? 0) > 1 }
        gate.shut()
        time.advance(by: .seconds(60))
        gate.open()
        try await expect(task, try #require(server.streams.first), silence: silence, time)
    }

    /// Expects the body `ok` after less than five seconds of silence, else the stall time-out of ``transport(to:on:)``.
    private func expect(
        _ task: Task<Bytes, any Error>, _ stream: ScriptedStream, silence: Int, _ time: ManualTime
    ) async throws {
        time.advance(by: .seconds(silence))
        if silence < 5 {
            stream.send("ok")
            #expect(try await task.value == Bytes("ok"))
        } else {
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .timeout && error?.limit?.name == "timeouts.stall")
        }
    }

    @Test("the stall time-out of a blocked upload starts again with each piece of the response", arguments: [4, 5])
    func stallAfterResponse(silence: Int) async throws {
        let head = Self.head + "Content-Length: 20\r\n\r\n"
        let server = ScriptedServer([ScriptedServer.Script(head, writes: [.take(.max), .block])])
        let time = ManualTime()
        let transport = transport(to: server, on: time)
        let request = try OutgoingRequest(
            method: .post, url: "http://a.test/", body: .writer(length: 4) { try await $0.write("body") })
        let received = Recorder<Bytes>()
        let task = Task {
            for try await piece in try await transport.send(request).body { received.append(piece) }
        }
        await eventually("the upload is blocked") { server.streams.first?.isWriteScriptOver == true }
        let stream = try #require(server.streams.first)
        for second in 1...19 {
            time.advance(by: .seconds(1))
            stream.send("x")
            await eventually("the piece is received") { received.values.count == second }
        }
        time.advance(by: .seconds(silence))
        if silence < 5 {
            stream.becomeWritable()
            await eventually("the upload continues") { stream.contentCount == 4 }
            stream.send("x")
            try await task.value
            #expect(received.values.count == 20)
        } else {
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .timeout && error?.limit?.name == "timeouts.stall")
        }
    }

    @Test(
        "after an early head, reading the body throws the failure of the upload for a 200, not for a 404",
        arguments: [200, 404])
    func failingUpload(status: Int) async throws {
        struct ProducerFailure: Error {}
        let server = ScriptedServer("HTTP/1.1 \(status) S\r\nContent-Length: 2\r\n\r\n")
        // On this clock the end of the upload is awaited without a limit.
        let transport = server.transport(time: TimeSource(manual: ManualTime()))
        let isRead = OneShotEvent()
        let request = try OutgoingRequest(
            method: .post, url: "http://a.test/",
            body: .writer(length: 4) { _ in
                await isRead.wait()
                throw ProducerFailure()
            })
        let (response, stream) = (try await transport.send(request), try #require(server.streams.first))
        let task = Task { try await response.body.collect(upTo: 10) }
        stream.send("ok")
        await eventually("the body is read") { stream.unreadCount == 0 }
        isRead.happen()
        if status == 200 {
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .bodyFailed && error?.underlying is ProducerFailure)
        } else {
            #expect(try await task.value == Bytes("ok"))
        }
        #expect(stream.isClosed && transport.pool.statistics.leased == 0)
    }

    @Test("the shutdown of the client ends the reading of a body with the code shutDown")
    func shutdown() async throws {
        let scene = try await Scene(Self.head + "\r\n01234")
        await scene.transport.shutDown()
        let (content, error) = await scene.read()
        #expect(content == "01234" && error?.code == .shutDown)
    }
}
