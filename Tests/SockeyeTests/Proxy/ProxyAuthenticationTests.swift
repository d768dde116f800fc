import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import Sockeye
@testable import SockeyeEngine

/// Challenges of proxies (407, RFC 9110 11.7), for forwarded requests and for tunnels.
@Suite("Proxies that ask for credentials", .timeLimit(.minutes(1)))
struct ProxyAuthenticationTests {
    private static let challenge =
        "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"office\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256\r\n"
        + "Content-Length: 3\r\n\r\nwho"
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func client(_ proxy: Proxy) -> HTTPClient {
        var configuration = ClientConfiguration(proxy: .through(proxy), timeouts: Timeouts(total: .seconds(20)))
        configuration.allowsPlaintextCredentials = true
        return HTTPClient(configuration: configuration)
    }

    private func digestProxy(_ server: RawServer, _ scheme: String = "http") throws -> Proxy {
        try Proxy(
            "\(scheme)://127.0.0.1:\(server.port)",
            authentication: .credential(.user("Mufasa", password: "Circle of Life")))
    }

    /// Returns the values of Proxy-Authorization that the proxy has received.
    private func credentials(_ server: RawServer) -> [String] {
        (0..<server.connectionCount).map { server.receivedText($0) }.joined().split(separator: "\r\n").filter {
            $0.hasPrefix("Proxy-Authorization: ")
        }
        .map { String($0.dropFirst(21)) }
    }

    @Test("after a 407 a forwarded body is sent again with Digest credentials, which the next request sends at once")
    func forwarded() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .readBytes(4), .send(Self.challenge), .readRequestHead, .readBytes(4), .send(Self.answer),
            .readRequestHead, .send(Self.answer),
        ])
        let client = client(try digestProxy(server))
        #expect(try await client.post("http://nowhere.test/a", .text("body")).text() == "ok")
        #expect(try await client.get("http://nowhere.test/b").text() == "ok")
        let sent = credentials(server)
        #expect(sent.count == 2)
        #expect(sent[0].contains("uri=\"http://nowhere.test/a\"") && sent[0].contains("nc=00000001"))
        #expect(sent[1].contains("uri=\"http://nowhere.test/b\"") && sent[1].contains("nc=00000002"))
        #expect(sent.allSatisfy { $0.contains("username=\"Mufasa\"") && $0.contains("algorithm=SHA-256") })
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("after a 407 a second connection opens a tunnel with Digest credentials, which the next tunnel sends at once")
    func tunnel() async throws {
        let open: [RawStep] = [
            .readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readRequestHead, .send(Self.answer),
        ]
        let server = try await RawServer.start(scripts: [[.readRequestHead, .send(Self.challenge)], open, open])
        var proxy = try digestProxy(server)
        proxy = proxy.tunneling
        let client = HTTPClient(configuration: .init(proxy: .choosing { [proxy] _ in proxy }))
        for path in ["a", "b"] {
            let response = try await client.get("http://nowhere.test/\(path)", headers: [.connection: "close"])
            #expect(try await response.text() == "ok")
        }
        let sent = credentials(server)
        #expect(sent.count == 2 && server.connectionCount == 3)
        #expect(sent.allSatisfy { $0.contains("uri=\"nowhere.test:80\"") })
        #expect(sent.last?.contains("nc=00000002") == true)
        await server.stop()
    }

    @Test("the Digest credentials for CONNECT to a forwarding proxy cover its target, which is an authority")
    func connect() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send(Self.challenge), .readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readToEnd,
        ])
        let (_, connection) = try await client(try digestProxy(server)).connect("http://nowhere.test/a")
        connection.close()
        let sent = credentials(server)
        #expect(sent.count == 1 && sent.first?.contains("uri=\"nowhere.test:80\"") == true)
        #expect(server.receivedText().hasPrefix("CONNECT nowhere.test:80 HTTP/1.1\r\n"))
        await server.stop()
    }

    @Test("a stale nonce is replaced once")
    func stale() async throws {
        func renewed(_ nonce: String) -> String {
            "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"office\", nonce=\"\(nonce)\", stale=true, qop=\"auth\"\r\n"
                + "Content-Length: 0\r\n\r\n"
        }
        let server = try await RawServer.start(script: [
            .readRequestHead, .send(renewed("a")), .readRequestHead, .send(renewed("b")), .readRequestHead,
            .send(Self.answer), .readRequestHead, .send(renewed("c")), .readRequestHead, .send(renewed("d")),
            .readRequestHead, .send(renewed("e")), .readRequestHead, .send(renewed("f")),
        ])
        let client = client(try digestProxy(server))
        #expect(try await client.get("http://nowhere.test/").text() == "ok")
        // A proxy that calls every nonce stale gets at most two more requests.
        #expect(try await client.get("http://nowhere.test/").status.code == 407)
        #expect(credentials(server).count <= 5)
        await server.stop()
    }

    @Test("the next nonce announced by a response is used")
    func nextNonce() async throws {
        let announcing =
            "HTTP/1.1 200 OK\r\nProxy-Authentication-Info: nextnonce=\"n2\"\r\nContent-Length: 2\r\n\r\nok"
        let server = try await RawServer.start(script: [
            .readRequestHead, .send(Self.challenge), .readRequestHead, .send(announcing), .readRequestHead,
            .send(Self.answer),
        ])
        let client = client(try digestProxy(server))
        for _ in 0..<2 { #expect(try await client.get("http://nowhere.test/").text() == "ok") }
        #expect(credentials(server).last?.contains("nonce=\"n2\"") == true)
        await server.stop()
    }

    @Test("if the proxy rejects the credentials, a forwarded request gets the 407, and opening a tunnel fails")
    func refused() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send(Self.challenge), .readRequestHead, .send(Self.challenge),
        ])
        let proxy = try digestProxy(server)
        let response = try await client(proxy).get("http://nowhere.test/")
        #expect(response.status.code == 407)
        #expect(try await response.text() == "who")
        let error = await #expect(throws: SockeyeError.self) { try await client(proxy).get("https://nowhere.test/") }
        #expect(error?.code == .proxyFailed && error?.response?.status.code == 407)
        #expect(error?.proxyFailure?.step == .tunnel && error?.proxyFailure?.reply == 407)
        #expect(error?.message.contains("rejected the credentials") == true)
        await server.stop()
    }

    @Test("a request with a one-shot body gets the 407 response")
    func oneShot() async throws {
        let server = try await RawServer.start(script: [.readRequestHead, .readBytes(4), .send(Self.challenge)])
        let pieces = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Array("body".utf8))
            continuation.finish()
        }
        let response = try await client(try digestProxy(server))
            .post("http://nowhere.test/", .stream(pieces, length: 4))
        #expect(response.status.code == 407)
        await server.stop()
    }

    @Test("a handler is called for a challenge and again after a rejection, and its error fails the call")
    func handler() async throws {
        struct Unknown: Error {}
        let asked = Recorder<String>()
        let server = try await TestServer.start { request in
            if request["Proxy-Authorization"] == "Bearer right" { return .ok("in") }
            return .status(407, headers: ["Proxy-Authenticate": "Bearer realm=\"office\", Basic realm=\"office\""])
        }
        let proxy = try Proxy(
            server.url(),
            authentication: .handler { request in
                asked.append("\(request) \(request.previousFailures)")
                switch request.previousFailures {
                case 0: return .bearer("wrong")
                case 1: return .bearer("right")
                default: throw Unknown()
                }
            })
        let client = client(proxy)
        for _ in 0..<2 { #expect(try await client.get("http://nowhere.test/").text() == "in") }
        let place = "http://127.0.0.1:\(server.port)"
        #expect(
            asked.values == [
                "\(place): Bearer realm=\"office\", Basic realm=\"office\" 0",
                "\(place): Bearer realm=\"office\", Basic realm=\"office\" 1",
            ])
        let failing = try Proxy(server.url(), authentication: .handler { _ in throw Unknown() })
        let error = await #expect(throws: SockeyeError.self) {
            try await self.client(failing).get("http://nowhere.test/")
        }
        #expect(error?.code == .authenticationFailed && error?.underlying is Unknown)
        #expect(error?.url == "http://nowhere.test/")
        await server.stop()
    }

    @Test(
        "the wait for a handler that never returns ends at the deadline, for forwarded requests and tunnels",
        arguments: ["http", "https"])
    func silentHandler(scheme: String) async throws {
        let clock = ManualClock()
        let server = try await TestServer.start { _ in
            .status(407, headers: ["Proxy-Authenticate": "Basic realm=\"office\""])
        }
        let (asked, never) = (TestSignal(), TestSignal())
        let proxy = try Proxy(
            server.url(),
            authentication: .handler { _ in
                asked.fire()
                // Continues after cancellation of the calling task.
                await Task { try? await never.wait(timeout: .seconds(60)) }.value
                return nil
            })
        let client = HTTPClient(
            configuration: ClientConfiguration(
                proxy: .through(proxy), timeouts: Timeouts(total: .seconds(5), connect: .seconds(5))),
            clock: clock)
        let call = Task { try await client.get("\(scheme)://nowhere.test/") }
        try await asked.wait()
        let error = await #expect(throws: SockeyeError.self) {
            try await clock.advancing(by: .seconds(1)) { try await call.value }
        }
        #expect(error?.code == .timeout, "\(error as Any)")
        never.fire()
        await server.stop()
    }

    @Test("a storage is asked for credentials of the proxy's origin and realm")
    func storage() async throws {
        let server = try await TestServer.start { request in
            if request["Proxy-Authorization"] == "Basic YTpi" { return .ok("in") }
            return .status(407, headers: ["Proxy-Authenticate": "Basic realm=\"office\""])
        }
        let storage = Credential.Storage()
        try storage.set(.user("x", password: "y"), for: "http://nowhere.test/")
        let client = client(try Proxy(server.url(), authentication: .storage(storage)))
        #expect(try await client.get("http://nowhere.test/").status.code == 407)
        try storage.set(.user("a", password: "b"), for: server.url(), realm: "office")
        #expect(try await client.get("http://nowhere.test/").text() == "in")
        await server.stop()
    }

    @Test("an origin that answers 407 gets no credentials")
    func origins() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readRequestHead, .send(Self.challenge),
        ])
        let proxy = try digestProxy(server).tunneling
        let client = HTTPClient(configuration: .init(proxy: .choosing { _ in proxy }))
        #expect(try await client.get("http://nowhere.test/").status.code == 407)
        #expect(credentials(server).isEmpty)
        await server.stop()
    }

    @Test("the caller's Proxy-Authorization overrides the proxy's, and each of its values has its own tunnel")
    func own() async throws {
        let open: [RawStep] = [
            .readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readRequestHead, .send(Self.answer),
            .readRequestHead, .send(Self.answer),
        ]
        let server = try await RawServer.start(script: open)
        let proxy = try Proxy("http://me:s3cret@127.0.0.1:\(server.port)").tunneling
        let client = HTTPClient(configuration: .init(proxy: .choosing { _ in proxy }))
        for field in ["Bearer a", "Bearer a", "Bearer b"] {
            #expect(try await client.get("http://nowhere.test/", headers: [.proxyAuthorization: field]).text() == "ok")
        }
        #expect(credentials(server) == ["Bearer a", "Bearer b"] && server.connectionCount == 2)
        await server.stop()
    }

    @Test("Proxy-Authorization in the caller's own CONNECT goes through the tunnel, and not to the configured proxy")
    func innerProxy() async throws {
        let opened = "HTTP/1.1 200 Open\r\n\r\n"
        let server = try await RawServer.start(script: [
            .readRequestHead, .send(opened), .readRequestHead, .send(opened), .readToEnd,
        ])
        let proxy = try Proxy("http://me:s3cret@127.0.0.1:\(server.port)").tunneling
        let client = HTTPClient(configuration: .init(proxy: .choosing { _ in proxy }))
        let (_, connection) = try await client.connect(
            "http://inner.test:3128/", headers: [.proxyAuthorization: "Bearer inner"])
        connection.close()
        #expect(credentials(server) == ["Basic bWU6czNjcmV0", "Bearer inner"])
        let heads = server.receivedText().split(separator: "\r\n\r\n")
        #expect(heads.count == 2 && heads.allSatisfy { $0.hasPrefix("CONNECT inner.test:3128 HTTP/1.1\r\n") })
        #expect(heads.first?.contains("Bearer") == false && heads.last?.contains("Basic") == false)
        await server.stop()
    }

    @Test("fields for CONNECT are not sent to the origin")
    func connectHeaders() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readRequestHead, .send(Self.answer),
        ])
        let proxy = try Proxy(server.url(), connectHeaders: { ["X-Target": $0.host, "User-Agent": "dialer"] })
            .tunneling
        let client = HTTPClient(configuration: .init(proxy: .choosing { _ in proxy }))
        #expect(try await client.get("http://nowhere.test/").text() == "ok")
        let heads = server.receivedText().split(separator: "\r\n\r\n")
        #expect(heads.first?.contains("\r\nX-Target: nowhere.test\r\nUser-Agent: dialer") == true)
        #expect(heads.last?.contains("X-Target") == false && heads.last?.contains("dialer") == false)
        await server.stop()
    }
}
