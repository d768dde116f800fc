import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Testing

@testable import SockeyeEngine

@Suite("The transport over sockets", .timeLimit(.minutes(1))) struct SocketTransportTests {
    private typealias Script = ScriptedServer.Script

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let reset = TransportError.failed(.recv, .connectionReset)
    private static let brokenPipe = TransportError.failed(.send, .brokenPipe)

    private func request(
        _ method: HTTPRequest.Method = .get, _ body: OutgoingRequest.Body = .none
    ) throws -> OutgoingRequest {
        try OutgoingRequest(method: method, url: "http://a.test/x", body: body)
    }

    private func text(_ response: IncomingResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
    }

    // MARK: Connections that were closed

    private static let replays: [(HTTPRequest.Method, ScriptedStream.Ending, ScriptedStream.Write?, Bool)] = [
        (.get, .end, nil, true), (.get, .failure(reset), nil, true), (.put, .end, nil, true),
        (.post, .end, nil, false), (.post, .failure(reset), nil, false),
        (.post, .failure(reset), .fail(brokenPipe), true),
    ]

    @Test(
        "a request on a reused connection that the peer closed is sent again if that does no harm",
        arguments: replays.indices)
    func replay(index: Int) async throws {
        let (method, ending, write, isReplayed) = Self.replays[index]
        let server = ScriptedServer([
            Script(Self.ok, then: .answer("", then: ending), writes: [.take(.max)] + (write.map { [$0] } ?? [])),
            Script(Self.ok),
        ])
        let transport = server.transport()
        #expect(try await text(transport.send(request())) == "ok")
        #expect(transport.pool.statistics.idle == 1)
        do {
            let response = try await transport.send(request(method))
            #expect(try await text(response) == "ok" && isReplayed)
            #expect(server.streams.count == 2)
        } catch let error as SockeyeError {
            #expect(!isReplayed && error.code == .connectionClosed && error.attempt == 1)
            #expect(server.streams.count == 1)
        }
        #expect(server.streams.first?.isClosed == true)
    }

    @Test("a request is not sent again if a new connection ends, or if a connection ends within the response")
    func notReplayed() async throws {
        for (first, second) in [
            (Script("", then: .end), nil), (Script(Self.ok, then: .answer("HTTP/1.1 2", then: .end)), Self.ok),
        ] as [(Script, String?)] {
            let server = ScriptedServer([first, Script(Self.ok)])
            let transport = server.transport()
            if second != nil { _ = try await text(transport.send(request())) }
            let error = await #expect(throws: SockeyeError.self) { try await transport.send(request()) }
            #expect(error?.code == .connectionClosed && error?.attempt == 1 && server.streams.count == 1)
        }
    }

    @Test("a connection on which bytes came while it was idle is closed, and the next request uses a new one")
    func strayBytes() async throws {
        let server = ScriptedServer([Script(Self.ok), Script(Self.ok)])
        let transport = server.transport()
        _ = try await text(transport.send(request()))
        let first = try #require(server.streams.first)
        first.send(Self.ok)
        #expect(try await text(transport.send(request())) == "ok")
        #expect(first.isClosed && server.streams.count == 2)
    }

    // MARK: Expectations

    @Test("after a 417 the request is sent again without its expectation, on another connection")
    func expectation() async throws {
        let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
        let server = ScriptedServer([Script(refusal), Script(Self.ok)])
        let transport = server.transport()
        var request = try request(.post, .stream(AsyncStream<Bytes>.of("body")))
        request.options.expectContinue = .seconds(15)
        #expect(try await text(transport.send(request)) == "ok")
        let requests = server.requests
        #expect(requests.count == 2 && requests[0].contains("Expect: 100-continue"))
        #expect(!requests[1].contains("Expect") && requests[1].hasSuffix("4\r\nbody\r\n0\r\n\r\n"))
        #expect(server.streams[0].isClosed && server.streams[0].contentCount == 0)
    }

    // MARK: One-shot bodies

    @Test("a one-shot body that was sent fails a second request before a connection is opened")
    func oneShot() async throws {
        let server = ScriptedServer([Script(Self.ok), Script(Self.ok)])
        let transport = server.transport()
        let request = try request(.post, .stream(AsyncStream<Bytes>.of("body")))
        #expect(try await text(transport.send(request)) == "ok")
        let error = await #expect(throws: SockeyeError.self) { try await transport.send(request) }
        #expect(error?.code == .bodyConsumed && error?.phase == .prepare)
        #expect(server.requests.count == 1 && server.requests[0].contains("body"))
    }

    @Test("a one-shot body that was not read can be sent by a later request")
    func unreadOneShot() async throws {
        let server = ScriptedServer([Script("", then: .end), Script(Self.ok)])
        let transport = server.transport()
        var request = try request(.post, .stream(AsyncStream<Bytes>.of("body")))
        request.options.expectContinue = .seconds(15)
        let first = request
        await #expect(throws: SockeyeError.self) { try await transport.send(first) }
        request.options.expectContinue = nil
        #expect(try await text(transport.send(request)) == "ok")
    }

    @Test("a one-shot body that an upload could not read can be sent after the response of its request is dropped")
    func unreadUpload() async throws {
        // The response comes before the whole head of the request is sent, so the upload does not begin to read.
        let server = ScriptedServer([Script("", writes: [.take(10), .block], isEarly: true), Script(Self.ok)])
        let transport = server.transport()
        let request = try request(.post, .stream(AsyncStream<Bytes>.of("body")))
        let peer = Task {
            await eventually("the upload is blocked") { server.streams.first?.isWriteScriptOver == true }
            server.streams.first?.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        }
        var response: IncomingResponse? = try await transport.send(request)
        await peer.value
        let error = await #expect(throws: SockeyeError.self) { try await transport.send(request) }
        #expect(error?.code == .bodyConsumed && response?.status == .ok)
        response = nil
        #expect(try await text(transport.send(request)) == "ok")
    }

    // MARK: Errors

    @Test("nothing is sent for a cancelled task or after the deadline of the call", arguments: [true, false])
    func nothingSent(isCancelled: Bool) async throws {
        let server = ScriptedServer(Self.ok)
        let time = ManualTime()
        let transport = server.transport(time: TimeSource(manual: time))
        var request = try request()
        if !isCancelled { request.options.deadline = time.now }
        let sent = request
        let task = Task {
            unsafe withUnsafeCurrentTask { if isCancelled { unsafe $0?.cancel() } }
            return try await transport.send(sent)
        }
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == (isCancelled ? .cancelled : .timeout))
        #expect(server.requests.allSatisfy { $0.isEmpty })
    }

    @Test("an error names the URL of its request and the number of the attempt")
    func errorContext() async throws {
        let server = ScriptedServer([Script(Self.ok, then: .answer("", then: .end)), Script("", then: .end)])
        let transport = server.transport()
        _ = try await text(transport.send(request()))
        let error = await #expect(throws: SockeyeError.self) {
            try await transport.send(OutgoingRequest(url: "http://a.test/x?q=1"))
        }
        #expect(error?.attempt == 2 && error?.url == "http://a.test/x?q=1" && error?.code == .connectionClosed)
    }

    @Test("a shutdown of the transport ends running requests and refuses later ones, all with the code shutDown")
    func shutdown() async throws {
        let server = ScriptedServer("")
        let transport = server.transport()
        let task = Task { [request = try request()] in try await transport.send(request) }
        await eventually("the request is sent") { server.requests.first?.isEmpty == false }
        await transport.shutDown()
        let running = await #expect(throws: SockeyeError.self) { try await task.value }
        let later = await #expect(throws: SockeyeError.self) { try await transport.send(request()) }
        #expect(running?.code == .shutDown && later?.code == .shutDown)
    }

    @Test("a graceful shutdown serves a waiting request although the connection that it gets was closed by the server")
    func gracefulShutdown() async throws {
        var configuration = EngineConfiguration()
        configuration.pool.connectionsPerOrigin = 1
        let server = ScriptedServer([Script(Self.ok, then: .end, writes: [.block, .block]), Script(Self.ok)])
        // On this clock the end of the first request is awaited without a limit.
        let transport = server.transport(configuration, time: TimeSource(manual: ManualTime()))
        let running = Task { [request = try request()] in try await text(transport.send(request)) }
        await eventually("the first request is being sent") { server.streams.first?.isWriteScriptOver == true }
        let waiting = Task { [request = try request()] in try await text(transport.send(request)) }
        await eventually("the second request waits") { transport.pool.statistics.waiting == 1 }
        await transport.beginDrain()
        server.streams.first?.becomeWritable()
        #expect(try await running.value == "ok")
        #expect(try await waiting.value == "ok")
        #expect(server.streams.count == 2 && transport.pool.statistics.idle == 0)
        let later = await #expect(throws: SockeyeError.self) { try await transport.send(request()) }
        #expect(later?.code == .shutDown)
    }

    @Test("a second graceful shutdown accepts no call that began after the first one")
    func repeatedShutdown() async throws {
        let (server, time) = (ScriptedServer([Script(Self.ok), Script(Self.ok)]), ManualTime())
        let transport = server.transport(time: TimeSource(manual: time))
        var (early, late) = (try request(), try request())
        early.options.callStarted = time.now
        time.advance(by: .seconds(1))
        await transport.beginDrain()
        time.advance(by: .seconds(1))
        late.options.callStarted = time.now
        time.advance(by: .seconds(1))
        await transport.beginDrain()
        let answer = try await text(transport.send(early))
        #expect(answer == "ok")
        let refused = late
        let error = await #expect(throws: SockeyeError.self) { _ = try await transport.send(refused) }
        #expect(error?.code == .shutDown)
    }

    @Test("a graceful shutdown lets a running request answer the challenge of its proxy")
    func challengeDuringShutdown() async throws {
        let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
        let refusal = "HTTP/1.1 407 P\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
        let server = ScriptedServer([Script(refusal, writes: [.block, .block]), Script(Self.ok)])
        var configuration = EngineConfiguration()
        configuration.proxy = .through(
            try Proxy("http://proxy.test:3128", authentication: .credential(.user("user", password: "password"))))
        let transport = server.transport(configuration, time: TimeSource(manual: ManualTime()))
        let running = Task { [request = try request()] in try await text(transport.send(request)) }
        await eventually("the request is being sent") { server.streams.first?.isWriteScriptOver == true }
        await transport.beginDrain()
        server.streams.first?.becomeWritable()
        #expect(try await running.value == "ok")
        #expect(server.requests.last?.contains("Proxy-Authorization: Digest ") == true)
    }

    @Test("a graceful shutdown lets a request whose proxy cannot be reached try its next route")
    func nextRouteDuringShutdown() async throws {
        let mayFail = OneShotEvent()
        let proxy = try Proxy("http://proxy.test:3128")
        var configuration = EngineConfiguration()
        configuration.proxy = .routing { _ in [.through(proxy), .direct] }
        let transport = SocketTransport(configuration: configuration) { target, poller throws(SockeyeError) in
            if let proxy = target.proxy {
                await mayFail.wait()
                throw SockeyeError(TransportError.closed, phase: .connect).reaching(proxy, at: .connect)
            }
            do throws(TransportError) {
                return try ScriptedStream(Self.ok, then: .silence, poller: poller)
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        let running = Task { [request = try request()] in try await text(transport.send(request)) }
        await eventually("the proxy is dialled") { transport.pool.statistics.dialling == 1 }
        await transport.beginDrain()
        mayFail.happen()
        #expect(try await running.value == "ok")
    }

    @Test("the time limit of an attempt covers the routing closure")
    func attemptTimeoutOfRouting() async throws {
        let (asked, mayAnswer, time) = (OneShotEvent(), OneShotEvent(), ManualTime())
        var configuration = EngineConfiguration()
        configuration.proxy = .routing { _ in
            asked.happen()
            await mayAnswer.wait()
            return [.direct]
        }
        let transport = ScriptedServer(Self.ok).transport(configuration, time: TimeSource(manual: time))
        var request = try request()
        request.options.attemptTimeout = .milliseconds(500)
        let running = Task { [request] in try await transport.send(request) }
        await asked.wait()
        time.advance(by: .milliseconds(500))
        let error = await #expect(throws: SockeyeError.self) { try await running.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.attempt")
        mayAnswer.happen()
    }

    @Test("all routes of an attempt share its time limit")
    func attemptTimeoutOfRoutes() async throws {
        let (time, silent) = (ManualTime(), ScriptedServer(""))
        let proxy = try Proxy("http://proxy.test:3128")
        var configuration = EngineConfiguration()
        configuration.proxy = .routing { _ in [.through(proxy), .direct] }
        let transport = silent.transport(configuration, time: TimeSource(manual: time)) { target throws(SockeyeError) in
            guard let proxy = target.proxy else { return }
            time.advance(by: .milliseconds(300))
            throw SockeyeError(TransportError.closed, phase: .connect).reaching(proxy, at: .connect)
        }
        var request = try request()
        request.options.attemptTimeout = .milliseconds(500)
        let running = Task { [request] in try await transport.send(request) }
        await eventually("the request is sent without a proxy") { silent.requests.first?.isEmpty == false }
        time.advance(by: .milliseconds(200))
        let error = await #expect(throws: SockeyeError.self) { try await running.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.attempt")
    }

    /// Shuts down gracefully while code of the caller suspends a request, and expects the request to succeed.
    private func drain(_ transport: SocketTransport, _ asked: OneShotEvent, _ mayAnswer: OneShotEvent) async throws {
        let running = Task { [request = try request()] in try await text(transport.send(request)) }
        await asked.wait()
        let ending = Task { await transport.drain(within: .seconds(30), SuspendedCalls()) }
        await eventually("the shutdown waits for the request") { transport.core.suspendedCalls.hasWaiters }
        mayAnswer.happen()
        #expect(try await running.value == "ok")
        await ending.value
        let later = await #expect(throws: SockeyeError.self) { try await transport.send(request()) }
        #expect(later?.code == .shutDown)
    }

    @Test("a graceful shutdown waits for a request whose routing closure is running")
    func routingDuringShutdown() async throws {
        let (asked, mayAnswer) = (OneShotEvent(), OneShotEvent())
        var configuration = EngineConfiguration()
        configuration.proxy = .routing { _ in
            asked.happen()
            await mayAnswer.wait()
            return [.direct]
        }
        let transport = ScriptedServer(Self.ok).transport(configuration, time: TimeSource(manual: ManualTime()))
        try await drain(transport, asked, mayAnswer)
    }

    @Test("a graceful shutdown waits for a request whose handler of proxy credentials is running")
    func handlerDuringShutdown() async throws {
        let (asked, mayAnswer) = (OneShotEvent(), OneShotEvent())
        let refusal = "HTTP/1.1 407 P\r\nProxy-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n"
        var configuration = EngineConfiguration()
        configuration.proxy = .through(
            try Proxy(
                "http://proxy.test:3128",
                authentication: .handler { _ in
                    asked.happen()
                    await mayAnswer.wait()
                    return .user("user", password: "password")
                }))
        let server = ScriptedServer([Script(refusal), Script(Self.ok)])
        let transport = server.transport(configuration, time: TimeSource(manual: ManualTime()))
        try await drain(transport, asked, mayAnswer)
        #expect(server.requests.last?.contains("Proxy-Authorization: Basic ") == true)
    }
}

extension AsyncStream<Bytes> {
    /// A stream of one element.
    fileprivate static func of(_ text: String) -> AsyncStream<Bytes> {
        AsyncStream { continuation in
            continuation.yield(Bytes(text))
            continuation.finish()
        }
    }
}
