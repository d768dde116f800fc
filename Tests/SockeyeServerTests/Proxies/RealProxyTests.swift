import Sockeye
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Independent proxy programs on random ports.
@Suite("Real proxies", .serialized, .timeLimit(.minutes(2)))
struct RealProxyTests {
    private static let password = Credential.user("ada", password: "pass word")

    /// Starts an origin with TLS and one without, which answer GET with `origin` and echo posted bodies.
    private func withOrigins(_ body: (_ plain: TestServer, _ secure: TestServer) async throws -> Void) async throws {
        let handler: @Sendable (TestRequest) async throws -> TestServerResponse = { request in
            // Proxy credentials must not reach the origin.
            guard request["Proxy-Authorization"] == nil else { return .status(400) }
            return request.method == .post ? .bytes(try await request.body.collect(upTo: 16 << 20)) : .ok("origin")
        }
        let certificate = TestTLS(try RunningServer.authority.issue())
        try await withTestServer(handler: handler) { plain in
            try await withTestServer(tls: certificate, handler: handler) { secure in
                try await body(plain, secure)
            }
        }
    }

    private func client(_ proxy: Proxy, _ change: (inout ClientConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = ClientConfiguration(
            tls: TLSOptions(roots: RunningServer.authority.roots), proxy: .through(proxy),
            timeouts: Timeouts(total: .seconds(30)))
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    /// Sends GETs and POSTs through a proxy, forwarded and tunneled.
    private func use(_ client: HTTPClient, host: String? = "localhost") async throws {
        let content = Bytes(repeating: Array(0..<251), count: 3 << 20)
        try await withOrigins { plain, secure in
            // The URLs name `localhost`, because some proxies treat addresses of this machine as their own.
            for url in [plain.url(), secure.url(host: host)] {
                for _ in 0..<3 { #expect(try await client.get(url).text() == "origin") }
                let echo = try await client.post(url, .bytes(content)).bytes(upTo: 16 << 20)
                #expect(echo == content)
            }
        }
    }

    private func withProxy(_ program: ProxyProgram, _ body: (ListeningProgram) async throws -> Void) async throws {
        guard program.executable != nil else { return }
        let running = try program.start()
        defer { running.stop() }
        try await body(running)
    }

    /// A missing proxy is reported but is not a failure, because machines differ.
    @Test("proxies that are not installed are reported")
    func missing() {
        for name in ProxyProgram.missing { print("went without the proxy \(name), which is not installed") }
    }

    @Test("squid accepts a client with the right password", arguments: [ProxyProgram.squidBasic, .squidDigest])
    func squid(program: ProxyProgram) async throws {
        try await withProxy(program) { running in
            let place = "127.0.0.1:\(running.port)"
            try await use(client(try Proxy("http://ada:pass%20word@\(place)")))
            try await use(client(try Proxy(place, authentication: .credential(Self.password))))
            let wrong = client(try Proxy("http://ada:wrong@\(place)"))
            let response = try await wrong.get("http://localhost:1/")
            #expect(response.status.code == 407)
            let error = await #expect(throws: SockeyeError.self) { try await wrong.get("https://localhost:1/") }
            #expect(error?.proxyFailure?.step == .tunnel && error?.proxyFailure?.reply == 407)
            // A target port without a listener.
            let closed = try ClosedPort()
            let known = client(try Proxy("http://ada:pass%20word@\(place)"))
            let gone = await #expect(throws: SockeyeError.self) {
                try await known.get("https://localhost:\(closed.port)/")
            }
            #expect(gone?.proxyFailure?.step == .target && gone?.proxyFailure?.reply == 503)
        }
    }

    @Test("squid's TLS port works with TLS in TLS, and with Digest inside")
    func squidOverTLS() async throws {
        try await withProxy(.squidSecure) { running in
            let trusted = TLSOptions(roots: RunningServer.authority.roots)
            try await use(client(try Proxy("https://ada:pass%20word@127.0.0.1:\(running.port)", tls: trusted)))
            let untrusting = client(try Proxy("https://ada:pass%20word@127.0.0.1:\(running.port)"))
            let error = await #expect(throws: SockeyeError.self) { try await untrusting.get("http://localhost/") }
            #expect(error?.proxyFailure?.step == .tls)
        }
    }

    @Test("tinyproxy works with Basic credentials")
    func tinyproxy() async throws {
        try await withProxy(.tinyproxy) { running in
            try await use(client(try Proxy("http://ada:password@127.0.0.1:\(running.port)")))
        }
    }

    @Test("tinyproxy works behind a TLS stream of nginx")
    func nginx() async throws {
        try await withProxy(.nginx) { running in
            let trusted = TLSOptions(roots: RunningServer.authority.roots)
            try await use(client(try Proxy("https://ada:password@127.0.0.1:\(running.port)", tls: trusted)))
        }
    }

    @Test("microsocks resolves names and accepts addresses", arguments: ["socks5", "socks5h"])
    func microsocks(kind: String) async throws {
        try await withProxy(.microsocks) { running in
            try await use(client(try Proxy("\(kind)://ada:pass%20word@127.0.0.1:\(running.port)")))
            let wrong = client(try Proxy("\(kind)://ada:wrong@127.0.0.1:\(running.port)"))
            let error = await #expect(throws: SockeyeError.self) { try await wrong.get("http://127.0.0.1:1/") }
            #expect(error?.code == .proxyFailed && error?.message.contains("refused the user name") == true)
            let closed = try ClosedPort()
            let known = client(try Proxy("\(kind)://ada:pass%20word@127.0.0.1:\(running.port)"))
            let gone = await #expect(throws: SockeyeError.self) {
                try await known.get("http://127.0.0.1:\(closed.port)/")
            }
            #expect(gone?.proxyFailure?.step == .target && gone?.proxyFailure?.reply == 5, "\(gone as Any)")
        }
    }

    @Test("dante works with every version of SOCKS", arguments: ["socks4", "socks4a", "socks5", "socks5h"])
    func dante(kind: String) async throws {
        try await withProxy(.dante) { running in
            // With SOCKS 4A, dante tries only one of the two addresses of `localhost`.
            let host = kind == "socks4a" ? nil : "localhost"
            try await use(client(try Proxy("\(kind)://127.0.0.1:\(running.port)")), host: host)
        }
    }

    @Test(
        "haproxy learns the client's address from the PROXY protocol",
        arguments: [SocketOptions.ProxyHeader.Version.v1, .v2])
    func haproxy(version: SocketOptions.ProxyHeader.Version) async throws {
        try await withProxy(.haproxy) { running in
            var configuration = ClientConfiguration()
            let source = try #require(EndpointAddress(literal: "192.0.2.7", port: 4711))
            configuration.socket.proxyProtocol = SocketOptions.ProxyHeader(version, source: source)
            let client = HTTPClient(configuration: configuration)
            for _ in 0..<2 {
                #expect(try await client.get("http://127.0.0.1:\(running.port)/").text() == "192.0.2.7 4711")
            }
            configuration.socket.proxyProtocol = SocketOptions.ProxyHeader(version)
            let own = try await HTTPClient(configuration: configuration).get("http://127.0.0.1:\(running.port)/").text()
            #expect(own.hasPrefix("127.0.0.1 "))
        }
    }
}
