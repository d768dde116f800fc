import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

@testable import SockeyeEngine

/// Each test sends one request and looks at the outcome and at the connection afterwards.
@Suite("The runner of exchanges", .timeLimit(.minutes(1))) struct ExchangeRunnerTests {
    private typealias Script = ScriptedServer.Script

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let reset = TransportError.failed(.recv, .connectionReset)

    /// The request of a row.
    private enum Sent {
        case get, head, short, upload(String), expecting, upgrade

        func request() throws -> OutgoingRequest {
            var request = try OutgoingRequest(url: "http://a.test/")
            switch self {
            case .get: break
            case .head: request.method = .head
            case .short: (request.method, request.body) = (.post, "body")
            case .upload(let text): (request.method, request.body) = (.post, .writer { try await $0.write(text) })
            case .expecting:
                (request.method, request.body) = (.post, "body")
                request.options.expectContinue = .seconds(15)
            case .upgrade: request.options.upgrade = "x"
            }
            return request
        }
    }

    private enum Ending: Equatable {
        /// The response was read, and the connection serves further requests.
        case idle(Int)
        /// The response was read, and the connection is closed.
        case closed(Int)
        case handedOver
        case failed(SockeyeError.Code)
    }

    private func end(_ sent: Sent, _ script: Script) async throws -> Ending {
        let server = ScriptedServer([script])
        // On this clock a complete response waits for its upload without a limit.
        let transport = server.transport(time: TimeSource(manual: ManualTime()))
        let ending: Ending
        do {
            switch try await transport.perform(sent.request()) {
            case .upgraded(_, let connection):
                connection.close()
                return .handedOver
            case .response(let response):
                _ = try await response.body.collect(upTo: 1 << 20)
                ending =
                    transport.pool.statistics.idle == 1
                    ? .idle(response.status.code) : .closed(response.status.code)
            }
        } catch let error as SockeyeError {
            ending = .failed(error.code)
        }
        // Nothing is leased any more, and a connection that is not idle is closed.
        let statistics = transport.pool.statistics
        #expect(statistics.leased == 0 && server.streams.allSatisfy { $0.isClosed == (statistics.idle == 0) })
        return ending
    }

    private static let endings: [(Sent, Script, Ending)] = [
        (.get, Script(ok), .idle(200)), (.get, Script(ok, then: .end), .idle(200)),
        (.head, Script("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .idle(200)),
        (.get, Script("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), .closed(200)),
        (.get, Script("HTTP/1.1 200 OK\r\n\r\nuntil the end", then: .end), .closed(200)),
        (.get, Script(ok + "surplus"), .closed(200)), (.get, Script("", then: .end), .failed(.connectionClosed)),
        (.get, Script("HTTP/1.1 200", then: .end), .failed(.connectionClosed)),
        (.get, Script("", then: .failure(reset)), .failed(.connectionClosed)),
        (.get, Script("SSH-2.0\r\n"), .failed(.malformedResponse)),
        (.get, Script("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", then: .end), .failed(.connectionClosed)),
        (.get, Script("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), .failed(.malformedResponse)),
    ]

    @Test("every ending of a response returns the connection to the pool, idle or closed", arguments: endings.indices)
    func responses(index: Int) async throws {
        let (sent, script, expected) = Self.endings[index]
        #expect(try await end(sent, script) == expected)
    }

    private static let sending: [(Sent, Script, Ending)] = [
        (.short, Script(ok), .idle(200)), (.short, Script(ok, writes: [.take(10), .blockBriefly]), .idle(200)),
        // A response may have arrived although the request could not be written.
        (.short, Script(ok, writes: [.fail(reset)], isEarly: true), .closed(200)),
        (.short, Script("", then: .failure(reset), writes: [.fail(reset)], isEarly: true), .failed(.connectionClosed)),
        (.short, Script("", writes: [.fail(.failed(.send, .noBuffers))]), .failed(.outOfResources)),
        (.upload("body"), Script(ok), .idle(200)),
        (
            .upload("body"), Script("HTTP/1.1 404 N\r\nContent-Length: 0\r\n\r\n", writes: [.take(.max), .block]),
            .closed(404)
        ),
        (.upload("body"), Script(ok, writes: [.take(.max), .fail(reset)]), .closed(200)),
        (.expecting, Script("HTTP/1.1 100 C\r\n\r\n" + ok), .idle(200)),
        (.expecting, Script(ok), .closed(200)), (.expecting, Script("", then: .end), .failed(.connectionClosed)),
        (.upgrade, Script("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), .handedOver),
        (.upgrade, Script("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: y\r\n\r\n"), .failed(.malformedResponse)),
        (.upgrade, Script("HTTP/1.1 101 S\r\nConnection: upgrade\r\n\r\n"), .failed(.malformedResponse)),
        (.upgrade, Script(ok), .idle(200)),
    ]

    @Test(
        "every way of sending a request returns the connection to the pool, idle or closed", arguments: sending.indices)
    func requests(index: Int) async throws {
        let (sent, script, expected) = Self.sending[index]
        #expect(try await end(sent, script) == expected)
    }

    @Test("a response that came before the request answers it, but its connection is not reused")
    func early() async throws {
        #expect(try await end(.get, Script(Self.ok, isEarly: true)) == .closed(200))
        #expect(try await end(.get, Script("SSH-2.0\r\n", isEarly: true)) == .failed(.malformedResponse))
    }

    @Test("if the connection has ended before the request, the exchange fails after the request without a wait")
    func endedBefore() async throws {
        let server = ScriptedServer([Script("", then: .end, isEarly: true)])
        let error = await #expect(throws: SockeyeError.self) {
            try await server.transport().send(OutgoingRequest(url: "http://a.test/"))
        }
        #expect(error?.code == .connectionClosed)
        #expect(server.streams.map(\.waitCount) == [0] && server.streams.first?.written.isEmpty == false)
    }

    @Test("bytes that cannot begin a response fail the exchange before the request is sent")
    func notHTTP() async throws {
        let server = ScriptedServer([Script("SSH-2.0\r\n", isEarly: true)])
        let transport = server.transport()
        let error = await #expect(throws: SockeyeError.self) {
            try await transport.send(OutgoingRequest(url: "http://a.test/"))
        }
        #expect(error?.code == .malformedResponse && server.requests == [""])
        #expect(error?.isUnsent == true)
    }

    // MARK: Deadlines

    @Test("the wait for a head ends at the deadline of the head or of the call", arguments: ["head", "total"])
    func deadline(name: String) async throws {
        let (server, time) = (ScriptedServer("HTTP/1.1 100 C\r\n\r\nHTTP"), ManualTime())
        var configuration = EngineConfiguration()
        configuration.timeouts = name == "head" ? Timeouts(head: .seconds(5)) : Timeouts(total: .seconds(5))
        let transport = server.transport(configuration, time: TimeSource(manual: time))
        let task = Task { try await transport.send(OutgoingRequest(url: "http://a.test/")) }
        await eventually("the beginning of the head is read") { server.streams.first?.unreadCount == 0 }
        time.advance(by: .milliseconds(4999))
        #expect(server.streams.first?.isClosed == false)
        time.advance(by: .milliseconds(1))
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.\(name)" && error?.phase == .head)
        #expect(server.streams.first?.isClosed == true && transport.pool.statistics.leased == 0)
    }

    @Test("a missing head is blamed on the network if no byte of the request was acknowledged")
    func lostFlow() async throws {
        let (server, time) = (ScriptedServer([Script("", isUnacknowledged: true)]), ManualTime())
        var configuration = EngineConfiguration()
        configuration.timeouts = Timeouts(head: .seconds(5))
        let transport = server.transport(configuration, time: TimeSource(manual: time))
        let task = Task { try await transport.send(OutgoingRequest(url: "http://a.test/")) }
        await eventually("the request is sent") { server.requests.first?.isEmpty == false }
        time.advance(by: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .timeout && error?.blame == .network)
        #expect(error?.message.contains("the network did not deliver the request") == true)
    }

    @Test("a body that waits for a 100 is sent without it when the longest wait is over")
    func permission() async throws {
        let (server, time) = (ScriptedServer(""), ManualTime())
        let transport = server.transport(time: TimeSource(manual: time))
        let task = Task { [request = try Sent.expecting.request()] in
            let response = try await transport.send(request)
            return try await response.body.collect(upTo: 10)
        }
        await eventually("the head is sent") { server.requests.first?.hasSuffix("\r\n\r\n") == true }
        time.advance(by: .seconds(15))
        await eventually("the body is sent") { server.requests.first?.hasSuffix("\r\n\r\nbody") == true }
        server.streams.first?.send(Self.ok)
        #expect(try await task.value == Bytes("ok"))
    }

    @Test(
        "a body that waits for a 100 stays unsent if its call or attempt ends first",
        arguments: ["total", "attempt"])
    func noPermission(name: String) async throws {
        let (server, time) = (ScriptedServer(""), ManualTime())
        let transport = server.transport(time: TimeSource(manual: time))
        var request = try OutgoingRequest(
            method: .post, url: "http://a.test/", body: .stream(AsyncStream<Bytes> { $0.finish() }))
        request.options.expectContinue = .seconds(10)
        if name == "total" {
            request.options.timeouts = Timeouts(total: .seconds(5))
        } else {
            request.options.attemptTimeout = .seconds(5)
        }
        let task = Task { [request] in try await transport.send(request) }
        await eventually("the head is sent") { server.requests.first?.hasSuffix("\r\n\r\n") == true }
        time.advance(by: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.limit?.name == "timeouts.\(name)" && server.streams.first?.contentCount == 0)
        #expect(request.body.canBeSent)
    }

    @Test("cancellation during the wait for the head closes the connection")
    func cancellation() async throws {
        let server = ScriptedServer("")
        let transport = server.transport()
        let task = Task { try await transport.send(OutgoingRequest(url: "http://a.test/")) }
        await eventually("the request is sent") { server.requests.first?.isEmpty == false }
        task.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.phase == .head)
        #expect(server.streams.first?.isClosed == true && transport.pool.statistics.leased == 0)
    }

    // MARK: Early responses

    @Test("after a complete response, the call waits a moment for the end of the upload", arguments: [true, false])
    func earlySuccess(isSent: Bool) async throws {
        let (server, time) = (ScriptedServer(Self.ok), ManualTime())
        let transport = server.transport(time: TimeSource(manual: time))
        let released = Atomic(false)
        let request = try OutgoingRequest(
            method: .post, url: "http://a.test/",
            body: .writer(length: 4) { writer in
                while !released.load(ordering: .acquiring), !Task.isCancelled { await Task.yield() }
                try await writer.write("body")
            })
        let task = Task { try await transport.send(request) }
        await eventually("the response is read") { server.streams.first?.unreadCount == 0 }
        if isSent {
            released.store(true, ordering: .releasing)
            #expect(try await task.value.status == .ok)
            #expect(transport.pool.statistics.idle == 1 && server.streams.first?.contentCount == 4)
        } else {
            // The wait may begin after the first of these moves of the clock.
            let response = try await advancing(time, by: .milliseconds(50)) { try await task.value }
            #expect(response.status == .ok && server.streams.first?.isClosed == true)
        }
    }

    @Test("if a later write of an upload fails for lack of memory, the exchange fails, although the server is silent")
    func uploadShortage() async throws {
        let shortage = TransportError.failed(.send, .noBuffers)
        let server = ScriptedServer([Script("", writes: [.take(.max), .fail(shortage)])])
        // On this clock no deadline passes.
        let transport = server.transport(time: TimeSource(manual: ManualTime()))
        let request = try OutgoingRequest(
            method: .post, url: "http://a.test/",
            body: .writer(length: 4) { writer in
                // The first wait ends when the server has received the head.
                await eventually("the exchange waits again") { server.streams.first.map { $0.waitCount > 1 } == true }
                try await writer.write("body")
            })
        let error = await #expect(throws: SockeyeError.self) { try await transport.send(request) }
        #expect(error?.code == .outOfResources && error?.phase == .send)
        #expect(server.streams.first?.isClosed == true && transport.pool.statistics.leased == 0)
    }

    @Test("an upload continues past the time limit of its attempt if the head has come in time")
    func attemptTimeout() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        let (server, time) = (ScriptedServer([Script(head, writes: [.take(.max), .block])]), ManualTime())
        let transport = server.transport(time: TimeSource(manual: time))
        var request = try Sent.upload("body").request()
        request.options.attemptTimeout = .seconds(5)
        let response = try await transport.send(request)
        let stream = try #require(server.streams.first)
        await eventually("the upload is blocked") { stream.isWriteScriptOver }
        time.advance(by: .seconds(6))
        stream.becomeWritable()
        await eventually("the upload continues") { stream.contentCount > 4 || stream.isClosed }
        stream.send("ok")
        #expect(try await response.body.collect(upTo: 10) == Bytes("ok"))
        #expect(transport.pool.statistics.idle == 1)
    }

    /// Moves the clock until the work is done.
    private func advancing<Value: Sendable>(
        _ time: ManualTime, by step: Duration, _ work: () async throws -> Value
    ) async throws -> Value {
        let mover = Task {
            while !Task.isCancelled {
                time.advance(by: step)
                await Task.yield()
            }
        }
        defer { mover.cancel() }
        return try await work()
    }

    @Test("if the request's body fails after a complete 200, the call throws the error of the body")
    func failingBody() async throws {
        struct ProducerFailure: Error {}
        let server = ScriptedServer(Self.ok)
        let transport = server.transport(time: TimeSource(manual: ManualTime()))
        let request = try OutgoingRequest(
            method: .post, url: "http://a.test/",
            body: .writer(length: 4) { _ in
                await eventually("the response is read") { server.streams.first?.unreadCount == 0 }
                throw ProducerFailure()
            })
        let error = await #expect(throws: SockeyeError.self) { try await transport.send(request) }
        #expect(error?.code == .bodyFailed && error?.underlying is ProducerFailure)
        #expect(server.streams.first?.isClosed == true && transport.pool.statistics.leased == 0)
    }
}
