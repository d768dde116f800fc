import Sockeye
import SockeyeTesting
import Testing

/// Tests of the table in the article Testing, which lists the client's error for each fault.
@Suite("Fault proxy", .timeLimit(.minutes(2)))
struct FaultProxyTests {
    private static let length = 20_000

    private func start(clock: ManualClock? = nil) async throws -> (TestServer, FaultProxy) {
        let server = try TestServer { request in
            request.method == .post
                ? .ok(String(try await request.body.discard())) : .source(length: Self.length)
        }
        return (server, try FaultProxy(to: server, clock: clock))
    }

    private func client() -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.timeouts.head = .milliseconds(300)
        configuration.timeouts.stall = .milliseconds(300)
        return HTTPClient(configuration: configuration)
    }

    @Test("a proxy without faults passes everything on")
    func passes() async throws {
        let (server, proxy) = try await start()
        let client = client()
        for _ in 0..<3 {
            let bytes = try await client.get(proxy.url("/x")).bytes()
            #expect(TestPattern.matches(bytes, at: 0) && bytes.count == Self.length)
        }
        #expect(try await client.post(proxy.url(), .bytes([UInt8](repeating: 1, count: 100_000))).text() == "100000")
        #expect(proxy.activity.connections == 1 && server.activity.connections == 1)
        #expect(proxy.transferred.responses > 3 * Self.length && proxy.transferred.requests > 100_000)
        await proxy.stop()
        try await server.wait { $0.openConnections == 0 }
        try server.checkForFailures()
    }

    @Test(
        "each fault in the direction of responses leads to the expected error",
        arguments: [
            (.cut(after: 0), .connectionClosed, .head), (.cut(after: 30), .connectionClosed, .head),
            (.cut(after: 5000), .connectionClosed, .body), (.reset(), .connectionClosed, .head),
            (.reset(after: 5000), .connectionClosed, .body), (.silence(), .timeout, .head),
            (.silence(after: 5000), .timeout, .body), (.garbage(), .malformedResponse, .head),
            (.flip(at: 0), .malformedResponse, .head), (.latency(.seconds(2)), .timeout, .head),
            (.bandwidth(bytesPerSecond: 20), .timeout, .head),
        ] as [(FaultProxy.Fault, SockeyeError.Code, SockeyeError.Phase)])
    func responses(fault: FaultProxy.Fault, code: SockeyeError.Code, phase: SockeyeError.Phase) async throws {
        let (server, proxy) = try await start()
        proxy.responses = [fault]
        let error = await #expect(throws: SockeyeError.self) { try await client().get(proxy.url()).bytes() }
        #expect(error?.code == code)
        #expect(error?.phase == phase)
        await proxy.stop()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(
        "each fault in the direction of requests leads to the expected error",
        arguments: [
            (.silence(after: 20), .timeout, .head), (.silence(), .timeout, .head),
            (.cut(after: 20), .connectionClosed, .head), (.reset(after: 20), .connectionClosed, .head),
        ] as [(FaultProxy.Fault, SockeyeError.Code, SockeyeError.Phase)])
    func requests(fault: FaultProxy.Fault, code: SockeyeError.Code, phase: SockeyeError.Phase) async throws {
        let (_, proxy) = try await start()
        proxy.requests = [fault]
        let error = await #expect(throws: SockeyeError.self) { try await client().get(proxy.url()).bytes() }
        #expect(error?.code == code)
        #expect(error?.phase == phase)
    }

    @Test(
        "a proxy that resets or ignores new connections causes an error, and relays again afterwards",
        arguments: [(.resetting, .connectionClosed), (.silent, .timeout)] as [(FaultProxy.Mode, SockeyeError.Code)])
    func modes(mode: FaultProxy.Mode, code: SockeyeError.Code) async throws {
        let (_, proxy) = try await start()
        proxy.mode = mode
        let error = await #expect(throws: SockeyeError.self) { try await client().get(proxy.url()) }
        #expect(error?.code == code)
        proxy.mode = .relaying
        #expect(try await client().get(proxy.url()).status == .ok)
    }

    @Test("the proxy ends open connections, during a body and between requests", arguments: [true, false])
    func endsConnections(resets: Bool) async throws {
        let (_, proxy) = try await start()
        proxy.responses = [.silence(after: 5000)]
        let client = client()
        let response = try await client.get(proxy.url())
        if resets { proxy.resetConnections() } else { proxy.closeConnections() }
        let error = await #expect(throws: SockeyeError.self) { try await response.bytes() }
        #expect(error?.code == .connectionClosed && error?.phase == .body)
        // The end of an idle connection is not the caller's error.
        proxy.responses = []
        _ = try await client.get(proxy.url()).bytes()
        if resets { proxy.resetConnections() } else { proxy.closeConnections() }
        try await proxy.wait { $0.openConnections == 0 }
        #expect(try await client.get(proxy.url()).bytes().count == Self.length)
    }

    @Test("the proxy measures its delays by the test's manual clock")
    func latency() async throws {
        let clock = ManualClock()
        let (_, proxy) = try await start(clock: clock)
        proxy.requests = [.latency(.seconds(5))]
        async let status = HTTPClient().get(proxy.url()).status
        try await clock.waitForSleepers()
        #expect(proxy.transferred.requests == 0)
        clock.advance(by: .seconds(5))
        #expect(try await status == .ok)
    }

    @Test("a response arrives complete in slices and over limited bandwidth")
    func slices() async throws {
        let (_, proxy) = try await start()
        proxy.responses = [.slices(of: 97)]
        #expect(TestPattern.matches(try await HTTPClient().get(proxy.url()).bytes(), at: 0))
        proxy.responses = [.bandwidth(bytesPerSecond: 200_000)]
        #expect(TestPattern.matches(try await HTTPClient().get(proxy.url()).bytes(), at: 0))
    }

    @Test("the proxy passes TLS through, and the client detects a damaged record")
    func tls() async throws {
        let authority = try TestCertificateAuthority()
        let server = try TestServer(tls: TestTLS(authority)) { _ in .source(length: Self.length) }
        let proxy = try FaultProxy(to: server)
        func client() -> HTTPClient { HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots))) }
        #expect(try await client().get(proxy.url()).bytes().count == Self.length)
        #expect(proxy.url().hasPrefix("https://127.0.0.1:"))
        proxy.responses = [.flip(at: 300)]
        let handshake = await #expect(throws: SockeyeError.self) { try await client().get(proxy.url()) }
        #expect(handshake?.code == .tlsFailed && handshake?.phase == .tls)
        proxy.responses = [.cut(after: 100)]
        let cut = await #expect(throws: SockeyeError.self) { try await client().get(proxy.url()) }
        #expect(cut?.code == .tlsFailed)
        #expect(cut?.phase == .tls)
    }

    @Test("a call through the proxy fails with connectionClosed if the server is gone")
    func noServer() async throws {
        let port = try ClosedPort()
        let proxy = try FaultProxy(to: port.address)
        let error = await #expect(throws: SockeyeError.self) { try await client().get(proxy.url()) }
        #expect(error?.code == .connectionClosed)
    }

    @Test("the proxy closes its connections when its last reference is released")
    func ends() async throws {
        let server = try TestServer { _ in .ok() }
        var proxy: FaultProxy? = try FaultProxy(to: server)
        let url = try #require(proxy?.url())
        let client = HTTPClient()
        #expect(try await client.get(url).status == .ok)
        proxy = nil
        try await server.wait { $0.openConnections == 0 }
    }
}
