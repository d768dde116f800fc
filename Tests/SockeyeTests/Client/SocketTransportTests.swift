import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Transports that wrap the built-in one", .timeLimit(.minutes(1)))
struct SocketTransportTests {
    /// Refuses hosts that are not in `hosts`, also after redirects.
    private struct Allowing: HTTPTransport {
        struct Refusal: Error {}

        let hosts: Set<String>
        var base = SocketTransport()
        var sockets: SocketTransport? { base }

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            guard hosts.contains(request.url.host) else { throw Refusal() }
            return try await base.send(request)
        }
    }

    @Test("a wrapping transport passes requests on or refuses them")
    func wrapping() async throws {
        try await withTestServer { request in
            request.path == "/away" ? .redirect(to: "http://elsewhere.test/") : .ok("here")
        } run: { server in
            let client = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"]))
            let text = try await client.get(server.url()).text()
            #expect(text == "here")
            let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url("away")) }
            #expect(error?.code == .connectFailed && error?.underlying is Allowing.Refusal)
            #expect(error?.history.map(\.reason) == [.redirected])
        }
    }

    @Test("a client with a wrapping transport has the pool, limits and shutdown of the built-in transport")
    func management() async throws {
        try await withTestServer { _ in
            .ok("12345")
        } run: { server in
            var configuration = ClientConfiguration()
            configuration.limits.bodyBytes = 4
            let base = SocketTransport(configuration: configuration)
            let client = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"], base: base))
            let pool = try #require(client.pool)
            try await pool.prewarm(server.url(), as: client)
            await eventually("the idle connection") { pool.statistics.idle == 1 }
            #expect(client.pool?.executor != nil)
            let limited = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
            #expect(limited?.code == .limitExceeded)
            await client.shutDown()
            let ended = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
            #expect(ended?.code == .shutDown)
        }
    }

    /// Suspends each call until the test lets it continue.
    private struct Gate: Interceptor {
        let isReached = TestSignal()
        let mayPass = TestSignal()

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            isReached.fire()
            try await mayPass.wait()
            return try await call.proceed(request)
        }
    }

    @Test("a graceful shutdown serves a call that an interceptor suspended before its first request")
    func suspendedCall() async throws {
        try await withTestServer { _ in
            .ok("here")
        } run: { server in
            let gate = Gate()
            let plain = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"]))
            let client = plain.adding(gate)
            let call = Task { try await client.get(server.url()).text() }
            try await gate.isReached.wait()
            let end = Task { await client.shutDown(within: .seconds(300)) }
            await eventually("the refusal of new calls") {
                do throws(SockeyeError) {
                    _ = try await plain.get(server.url()).bytes()
                    return false
                } catch {
                    return error.code == .shutDown
                }
            }
            gate.mayPass.fire()
            let text = try await call.value
            #expect(text == "here")
            await end.value
        }
    }

    @Test("monitors see one exchange per request, with its connection")
    func observation() async throws {
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            let events = Recorder<ClientEvent>()
            let client = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"])).monitored(.calls) { events.append($0) }
            let response = try await client.get(server.url())
            let text = try await response.text()
            #expect(text == "content")
            let ended = events.values.compactMap { event in
                if case .exchangeEnded(let exchange) = event { exchange.metrics } else { nil }
            }
            #expect(ended.count == 1 && ended.first?.connection != nil && ended.first?.bodyBytesReceived == 7)
            #expect(response.metrics?.exchanges.count == 1)
            await #expect(throws: SockeyeError.self) { try await client.get("http://elsewhere.test/") }
            #expect(events.values.filter { $0.kind == .exchangeFailed }.count == 1)
        }
    }

    @Test("a wrapping transport can share its pool with other clients")
    func sharing() async throws {
        try await withTestServer { _ in
            .ok()
        } run: { server in
            let pool = ConnectionPool()
            let base = SocketTransport(pool: pool)
            let wrapping = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"], base: base))
            _ = try await wrapping.get(server.url()).bytes()
            #expect(wrapping.pool === pool && pool.statistics.idle == 1)
            await wrapping.shutDown()
            let other = HTTPClient(pool: pool)
            _ = try await other.get(server.url()).bytes()
        }
    }

    @Test("a wrapping transport refuses tunnels but hands over upgraded connections")
    func handover() async throws {
        let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"
        let server = try await RawServer.start(script: [.readRequest, .send(head)])
        let client = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"]))
        let error = await #expect(throws: SockeyeError.self) { try await client.connect(server.url()) }
        #expect(error?.code == .invalidRequest)
        let request = try OutgoingRequest(url: server.url())
        let (response, connection) = try await client.upgrade(request, to: "echo")
        #expect(response.status == .switchingProtocols)
        connection.close()
        await server.stop()
    }

    @Test("credentials for this machine are refused over http if the wrapped transport has a proxy")
    func proxies() async throws {
        let closed = try ClosedPort()
        let proxy = try Proxy("http://proxy.test:\(closed.port)")
        let base = SocketTransport(configuration: ClientConfiguration(proxy: .through(proxy)))
        let client = HTTPClient(transport: Allowing(hosts: ["127.0.0.1"], base: base))
            .adding(.basic(user: "ada", password: "p"))
        let url = "http://127.0.0.1:\(closed.port)/"
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .insecureCredentials)
    }
}
