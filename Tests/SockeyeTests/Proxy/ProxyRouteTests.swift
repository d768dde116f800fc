import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Routes through proxies to a target", .timeLimit(.minutes(1)))
struct ProxyRouteTests {
    private func client(_ proxy: Proxy.Selection, _ clock: ManualClock = ManualClock()) -> HTTPClient {
        HTTPClient(configuration: .init(proxy: proxy), clock: clock)
    }

    @Test("the first reachable proxy is used, and an unreachable one is skipped for a while")
    func order() async throws {
        let port = try ClosedPort()
        let second = try await TestServer.start { _ in .ok("second") }
        let clock = ManualClock()
        let attempts = Recorder<String>()
        let proxies = [try Proxy("127.0.0.1:\(port.port)"), try Proxy(second.url())]
        let client = client(.inOrder(proxies), clock).monitored(by: Monitor(attempts))
        for _ in 0..<3 { #expect(try await client.get("http://nowhere.test/").text() == "second") }
        #expect(attempts.values.count == 4)
        clock.advance(by: ProxyAbsences.duration)
        #expect(try await client.get("http://nowhere.test/").text() == "second")
        #expect(attempts.values.count == 6)
        await second.stop()
    }

    private struct Monitor: EventMonitor {
        let attempts: Recorder<String>
        init(_ attempts: Recorder<String>) { self.attempts = attempts }
        func handle(_ event: ClientEvent) {
            if case .exchangeStarted(let exchange) = event { attempts.append("\(exchange.metrics.url)") }
        }
    }

    @Test("if no proxy is reachable, each call gets the error of the last proxy")
    func none() async throws {
        let (first, last) = (try ClosedPort(), try ClosedPort())
        let client = client(.inOrder([try Proxy("127.0.0.1:\(first.port)"), try Proxy("127.0.0.1:\(last.port)")]))
        for port in [last.port, last.port] {
            let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test/") }
            #expect(error?.code == .connectFailed && error?.proxyFailure?.step == .connect)
            #expect(error?.proxyFailure?.proxy == "http://127.0.0.1:\(port)")
        }
    }

    @Test("the error about a proxy that closes the connection names the proxy", arguments: ["http", "https"])
    func closing(scheme: String) async throws {
        let server = try await RawServer.start(script: [.readRequestHead, .close])
        let proxy = "http://127.0.0.1:\(server.port)"
        let client = client(.through(try Proxy(proxy)))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("\(scheme)://nowhere.test/") }
        #expect(error?.message.contains(proxy) == true, "\(error as Any)")
        await server.stop()
    }

    @Test("after a proxy refuses a tunnel, no other proxy is tried")
    func refusal() async throws {
        let first = try await RawServer.start(script: [.readRequestHead, .send("HTTP/1.1 403 No\r\n\r\n")])
        let second = try await TestServer.start { _ in .ok("second") }
        let client = client(.inOrder([try Proxy(first.url()), try Proxy(second.url())]))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("https://nowhere.test/") }
        #expect(error?.proxyFailure?.reply == 403)
        #expect(second.activity.connections == 0)
        await first.stop()
        await second.stop()
    }

    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"

    @Test("a target that no proxy can connect to in time does not make requests for other targets skip the proxy")
    func silentTarget() async throws {
        let first = try await RawServer.start(scripts: [
            [.readRequestHead, .hang], [.readRequestHead, .send(Self.answer)],
        ])
        let second = try await RawServer.start(script: [.readRequestHead, .send("HTTP/1.1 403 No\r\n\r\n")])
        let clock = ManualClock()
        let client = client(.inOrder([try Proxy(first.url()), try Proxy(second.url())]), clock)
        let silent = Task { try await client.get("https://silent.test/") }
        try await first.waitForBytes(30)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: SockeyeError.self) { try await silent.value }
        // The request itself tried the next proxy.
        #expect(error?.proxyFailure?.reply == 403)
        #expect(try await client.get("http://other.test/").text() == "first")
        await first.stop()
        await second.stop()
    }

    @Test("a target that sends before its client gets no other route, and the proxy stays in use for other targets")
    func speakingTarget() async throws {
        let first = try await RawServer.start(scripts: [
            [.readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\nSSH-2.0-test\r\n")],
            [.readRequestHead, .send(Self.answer)],
        ])
        let second = try await TestServer.start { _ in .ok("second") }
        let client = client(.inOrder([try Proxy(first.url()), try Proxy(second.url())]))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("https://speaking.test/") }
        #expect(error?.code == .proxyFailed && second.activity.connections == 0)
        #expect(try await client.get("http://other.test/").text() == "first")
        await first.stop()
        await second.stop()
    }

    @Test("an address that a SOCKS 4 proxy cannot reach does not make requests for other targets skip the proxy")
    func unsupportedAddress() async throws {
        let first = try await RawServer.start(scripts: [
            [.readToEnd],
            [.readBytes(9), .send(Bytes([0, 90, 0, 0, 0, 0, 0, 0])), .readRequestHead, .send(Self.answer)],
        ])
        let second = try await TestServer.start { _ in .ok("second") }
        let proxies = [try Proxy("socks4://127.0.0.1:\(first.port)"), try Proxy(second.url())]
        let client = client(.inOrder(proxies))
        #expect(try await client.get("http://[2001:db8::1]/").text() == "second")
        #expect(try await client.get("http://10.0.0.1/").text() == "first")
        await first.stop()
        await second.stop()
    }

    @Test("a lack of descriptors in this process neither leads to the next route nor makes requests skip the proxy")
    func shortage() throws {
        let proxy = try Proxy("http://proxy.test:3128")
        let shortage = SockeyeError(.init(.outOfResources, phase: .connect, blame: .network, message: "")).reaching(
            proxy, at: .connect)
        #expect(!shortage.isOfMissingProxy && !shortage.isOfAbsentProxy)
        let silence = SockeyeError(TransportError.timedOut, phase: .connect).reaching(proxy, at: .connect)
        #expect(silence.isOfMissingProxy && silence.isOfAbsentProxy)
        let denial = SockeyeError(.init(.connectFailed, phase: .connect, blame: .policy, message: "")).reaching(
            proxy, at: .connect)
        #expect(denial.isOfMissingProxy && !denial.isOfAbsentProxy)
    }

    @Test("a request does not take another route if the certificate of a proxy is refused")
    func refusedCertificate() async throws {
        let authority = try TestCertificateAuthority()
        let first = try await TestServer.start(tls: try TestTLS(authority)) { _ in .ok("first") }
        let origin = try await TestServer.start { _ in .ok("origin") }
        let roots = try TestCertificateAuthority().roots
        let proxy = try Proxy(first.url(), tls: TLSOptions(roots: roots))
        let client = client(.routing { _ in [.through(proxy), .direct] })
        for _ in 0..<2 {
            let error = await #expect(throws: SockeyeError.self) { try await client.get(origin.url()) }
            #expect(error?.code == .tlsFailed && error?.proxyFailure?.step == .tls)
        }
        #expect(origin.activity.connections == 0)
        await first.stop()
        await origin.stop()
    }

    @Test("an asynchronous closure finds the route; an empty list is a direct connection")
    func routing() async throws {
        struct Broken: Error {}
        let origin = try await TestServer.start { _ in .ok("origin") }
        let server = try await TestServer.start { _ in .ok("proxy") }
        let proxy = try Proxy(server.url())
        let unreadable = SockeyeError(.init(.decodingFailed, phase: .decode, blame: .peer, message: "no list"))
        let client = client(
            .routing { url in
                await Task.yield()
                switch url.path {
                case "/proxy": return [.through(proxy)]
                case "/direct": return [.direct]
                case "/broken": throw Broken()
                case "/unreadable": throw unreadable
                default: return []
                }
            })
        #expect(try await client.get(origin.url("/proxy")).text() == "proxy")
        #expect(try await client.get(origin.url("/direct")).text() == "origin")
        #expect(try await client.get(origin.url("/")).text() == "origin")
        let error = await #expect(throws: SockeyeError.self) { try await client.post(origin.url("/broken")) }
        #expect(error?.code == .badConfiguration && error?.underlying is Broken)
        #expect(error?.method == "POST" && error?.phase == .prepare && error?.url == origin.url("/broken"))
        let own = await #expect(throws: SockeyeError.self) { try await client.get(origin.url("/unreadable")) }
        #expect(own?.code == .decodingFailed && own?.phase == .decode && own?.method == "GET")
        await origin.stop()
        await server.stop()
    }

    @Test("the wait for a routing closure ends at the deadline; an empty list of proxies is an error")
    func bounds() async throws {
        let clock = ManualClock()
        let asked = TestSignal()
        let never = TestSignal()
        let client = client(
            .routing { _ in
                asked.fire()
                // Continues after cancellation of the calling task.
                await Task { try? await never.wait(timeout: .seconds(60)) }.value
                return []
            }, clock)
        let call = Task { try await client.get("http://nowhere.test/", options: .timeout(total: .seconds(5))) }
        try await asked.wait()
        let error = await #expect(throws: SockeyeError.self) {
            try await clock.advancing(by: .seconds(1)) { try await call.value }
        }
        #expect(error?.code == .timeout && error?.method == "GET" && error?.url == "http://nowhere.test/")
        never.fire()
        let origin = try await TestServer.start { _ in .ok("direct") }
        let empty = await #expect(throws: SockeyeError.self) { try await self.client(.inOrder([])).get(origin.url()) }
        #expect(empty?.code == .badConfiguration && origin.activity.connections == 0)
        await origin.stop()
    }

    @Test("after a SOCKS proxy refuses the password, no other proxy is tried")
    func refusedPassword() async throws {
        let first = try await RawServer.start(script: [
            .readBytes(4), .send(Bytes([5, 2])), .readBytes(5), .send(Bytes([1, 1])),
        ])
        let second = try await TestServer.start { _ in .ok("second") }
        let proxies = [try Proxy("socks5h://a:b@127.0.0.1:\(first.port)"), try Proxy(second.url())]
        let error = await #expect(throws: SockeyeError.self) {
            try await client(.inOrder(proxies)).get("http://nowhere.test/")
        }
        #expect(error?.code == .proxyFailed && second.activity.connections == 0)
        await first.stop()
        await second.stop()
    }

    @Test("TLS sessions have a key for each credential of a proxy, and the key does not show the credential")
    func sessions() throws {
        let keys = try ["http://a:s3cret@h", "http://a:other@h", "http://h"].map { try Proxy($0).sessionKey }
        let own = try Proxy("http://h").authorized(by: "Bearer s3cret").sessionKey
        let answered = try ["s3cret", "other"].map { password in
            try Proxy("http://h", authentication: .credential(.user("a", password: password))).sessionKey
        }
        #expect(Set(keys + [own] + answered).count == 6)
        #expect(try Proxy("http://a:s3cret@h").sessionKey == keys[0])
        #expect(!(keys + [own] + answered).contains { $0.contains("s3cret") })
    }

    @Test("a streamed body is sent over the reachable route")
    func body() async throws {
        let port = try ClosedPort()
        let server = try await TestServer.start { request in .ok("\(try await request.body.collect().count)") }
        let pieces = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2, 3])
            continuation.finish()
        }
        let client = client(.inOrder([try Proxy("127.0.0.1:\(port.port)"), try Proxy(server.url())]))
        #expect(try await client.put("http://nowhere.test/", .stream(pieces)).text() == "3")
        await server.stop()
    }
}
