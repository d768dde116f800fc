import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Retries on the wire", .timeLimit(.minutes(1)))
struct RetryWireTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    private func client(_ policy: RetryPolicy = .plain()) -> HTTPClient { HTTPClient().adding(.retry(policy)) }

    @Test("if the connection ends without a response, a GET is sent again and a POST is not")
    func closed() async throws {
        let scripts: [[RawStep]] = [
            [.readRequest, .close], [.readRequest, .reset], [.readRequest, .send("HTTP/1.1 200"), .close],
            [.readRequest, .send(Self.answer)],
        ]
        let server = try await RawServer.start(scripts: scripts)
        let response = try await client().get(server.url())
        #expect(try await response.text() == "ok")
        #expect(response.history.map(\.error?.code) == [.connectionClosed, .connectionClosed, .connectionClosed])
        #expect(server.connectionCount == 4)
        await server.stop()
        let other = try await RawServer.start(scripts: scripts)
        let error = await #expect(throws: SockeyeError.self) { try await client().post(other.url(), .body("x")) }
        #expect(error?.code == .connectionClosed)
        #expect(other.connectionCount == 1)
        await other.stop()
    }

    @Test("a refused connection is retried, and the error has the number of attempts")
    func refused() async throws {
        let port = try ClosedPort()
        let error = await #expect(throws: SockeyeError.self) { try await client().get(port.url()) }
        #expect(error?.code == .connectFailed)
        #expect(error?.attempt == 4)
        #expect(error?.history.count == 3)
    }

    @Test("a POST whose connection failed is retried, even if the caller declares it not idempotent")
    func unsent() async throws {
        let port = try ClosedPort()
        for declared in [nil, false] as [Bool?] {
            var options = OutgoingRequest.Options()
            options.isIdempotent = declared
            let chunks = AsyncStream<[UInt8]> { $0.finish() }
            for body: HTTPClient.Content in [.body("x"), .body(.stream(chunks))] {
                let error = await #expect(throws: SockeyeError.self) {
                    try await client().post(port.url(), body, options: options)
                }
                #expect(error?.code == .connectFailed)
                #expect(error?.attempt == 4)
            }
        }
    }

    @Test(
        "methods registered as idempotent are repeated, and others are not",
        arguments: [
            ("QUERY", true), ("PROPFIND", true), ("REPORT", true), ("SEARCH", true), ("MOVE", true), ("UNLOCK", true),
            ("LOCK", false), ("PATCH", false), ("CUSTOM", false),
        ])
    func methods(name: String, isRepeated: Bool) async throws {
        let server = try await RawServer.start(scripts: [[.readRequest, .close], [.readRequest, .send(Self.answer)]])
        let method = try #require(HTTPRequest.Method(name))
        let response = try? await client().request(method, server.url(), .body("x"))
        #expect((response != nil) == isRepeated)
        #expect(server.connectionCount == (isRepeated ? 2 : 1))
        await server.stop()
    }

    @Test("a body that breaks off after the head arrived is not retried")
    func body() async throws {
        let headIsHere = TestSignal()
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhal"), .waitUntil(headIsHere), .close,
        ])
        let response = try await client().get(server.url())
        headIsHere.fire()
        let error = await #expect(throws: SockeyeError.self) { try await response.bytes() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.phase == .body)
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("an attempt that exceeds its timeout is replaced by another one, within the deadline of the call")
    func attemptTimeout() async throws {
        let clock = ManualClock()
        try await withTestServer { request in
            guard request.connection < 2 else { return .ok("\(request.connection)") }
            clock.advance(by: .seconds(5))
            return .never
        } run: { server in
            let policy = RetryPolicy.plain { $0.attemptTimeout = .seconds(5) }
            let client = HTTPClient(clock: clock).adding(.retry(policy))
            let response = try await client.get(server.url(), options: .timeout(total: .seconds(3600)))
            #expect(try await response.text() == "2")
            #expect(response.history.map(\.error?.limit?.name) == ["timeouts.attempt", "timeouts.attempt"])
            try await server.wait { $0.openConnections <= 1 }
        }
    }

    @Test("the deadline of the call ends the last attempt before the attempt's own timeout")
    func total() async throws {
        let clock = ManualClock()
        try await withTestServer { _ in
            clock.advance(by: .seconds(5))
            return .never
        } run: { server in
            let policy = RetryPolicy.plain(max: 100) { $0.attemptTimeout = .seconds(4) }
            let client = HTTPClient(clock: clock).adding(.retry(policy))
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url(), options: .timeout(total: .seconds(8)))
            }
            #expect(error?.code == .timeout)
            #expect(error?.limit?.name == "timeouts.total")
            #expect(error?.history.map(\.error?.limit?.name) == ["timeouts.attempt"])
        }
    }

    @Test("the connection of a retried response is released before the retry")
    func connections() async throws {
        try await withTestServer { request in
            // The client closes the connection of an abandoned response with a body of this length.
            let long = String(repeating: "x", count: 1 << 20)
            return request.connection < 2 ? .text(long, status: 503) : .ok("end")
        } run: { server in
            var configuration = ClientConfiguration(timeouts: Timeouts(total: .seconds(20)))
            configuration.pool.connectionsPerOrigin = 1
            let client = HTTPClient(configuration: configuration).adding(.retry(.plain()))
            let text = try await client.get(server.url()).text()
            #expect(text == "end")
        }
    }

    @Test("small responses are retried on one connection")
    func reuse() async throws {
        try await withTestServer { request in
            request.number < 3 ? .text("busy", status: 503) : .ok("end")
        } run: { server in
            let text = try await client().get(server.url()).text()
            #expect(text == "end")
            #expect(server.activity.connections == 1)
        }
    }

    @Test("every attempt sends the whole body")
    func bodies() async throws {
        let bodies = Recorder<Int>()
        try await withTestServer { request in
            bodies.append(try await request.body.discard())
            return bodies.values.count < 3 ? .status(503) : .ok()
        } run: { server in
            let body = OutgoingRequest.Body.bytes([UInt8](repeating: 1, count: 300_000))
            let response = try await client().put(server.url(), .body(body))
            #expect(response.status == .ok)
            #expect(bodies.values == [300_000, 300_000, 300_000])
        }
    }

    @Test("a TLS handshake that the server breaks off is retried; a rejected certificate is not")
    func handshakes() async throws {
        let authority = try TestCertificateAuthority()
        for step in [RawStep.close, .reset] {
            let rude = try await RawServer.start(script: [.readBytes(1), step])
            let url = rude.url().replacing("http:", with: "https:")
            let error = await #expect(throws: SockeyeError.self) { try await client().get(url) }
            #expect(error?.phase == .tls)
            #expect(error?.history.count == 3, "\(String(describing: error))")
            await rude.stop()
        }
        try await withTestServer(tls: TestTLS(try authority.issue())) { _ in
            .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) { try await client().get(server.url()) }
            #expect(error?.code == .tlsFailed)
            #expect(error?.history.isEmpty == true)
            #expect(server.activity.connections == 1)
            _ = server.takeFailures()
        }
    }
}
