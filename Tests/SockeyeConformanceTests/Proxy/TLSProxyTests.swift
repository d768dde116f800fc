import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Proxies that are reached over TLS.
@Suite("TLS to the proxy", .timeLimit(.minutes(1)))
struct TLSProxyTests {
    private static let office = Result { try TestCertificateAuthority() }
    private static let world = Result { try TestCertificateAuthority() }

    private func certificate() throws -> TestTLS {
        TestTLS(try Self.office.get().issue(TestCertificateOptions(dnsNames: ["localhost"])))
    }

    private func client(_ proxy: Proxy) throws -> HTTPClient {
        HTTPClient(
            configuration: ClientConfiguration(
                tls: TLSOptions(roots: try Self.world.get().roots), proxy: .through(proxy),
                timeouts: Timeouts(total: .seconds(20))))
    }

    private func proxy(at port: Int) throws -> Proxy {
        try Proxy("https://me:s3cret@localhost:\(port)", tls: TLSOptions(roots: try Self.office.get().roots))
    }

    @Test("requests for http URLs go to the proxy in absolute-form")
    func forwarded() async throws {
        let server = try await TestServer.start(tls: certificate()) { request in
            .ok(String(decoding: request.headBytes, as: UTF8.self))
        }
        let client = try client(proxy(at: server.port))
        for _ in 0..<2 {
            let head = try await client.get("http://nowhere.test/a").text()
            #expect(head.hasPrefix("GET http://nowhere.test/a HTTP/1.1\r\n"))
            #expect(head.contains("\r\nProxy-Authorization: Basic bWU6czNjcmV0\r\n"))
        }
        #expect(server.activity.connections == 1)
        await server.stop()
    }

    @Test("requests for https URLs and their bodies pass through the proxy as TLS inside TLS")
    func nested() async throws {
        let origin = try await TestServer.start(
            tls: TestTLS(try Self.world.get().issue(TestCertificateOptions(dnsNames: ["origin.test"])))
        ) { request in
            .bytes(try await request.body.collect(upTo: 16 << 20))
        }
        let server = try await RelayingProxy.start(to: origin.port, tls: certificate())
        let client = try client(proxy(at: server.port))
        let content = Bytes(repeating: Array(0..<251), count: 1 << 20)
        for _ in 0..<3 {
            let response = try await client.post("https://origin.test/", .bytes(content))
            #expect(try await response.bytes(upTo: 16 << 20) == content)
        }
        #expect(server.connectionCount == 1)
        #expect(server.received().starts(with: "CONNECT origin.test:443 HTTP/1.1\r\n".utf8))
        await server.stop()
        await origin.stop()
    }

    @Test("an untrusted proxy gets neither a request nor credentials")
    func untrusted() async throws {
        let server = try await TestServer.start(tls: certificate()) { _ in .ok() }
        // The client's own roots do not include that of the proxy.
        let untrusting = try Proxy("https://me:s3cret@localhost:\(server.port)")
        for url in ["http://nowhere.test/", "https://nowhere.test/"] {
            let error = await #expect(throws: SockeyeError.self) { try await client(untrusting).get(url) }
            #expect(error?.code == .tlsFailed && error?.phase == .tls)
            #expect(error?.proxyFailure?.step == .tls, "\(error as Any)")
        }
        #expect(server.activity.requests == 0)
        await server.stop()
    }

    @Test("an untrusted target is not reported as a failure of the proxy")
    func untrustedTarget() async throws {
        let origin = try await TestServer.start(
            tls: TestTLS(try Self.office.get().issue(TestCertificateOptions(dnsNames: ["origin.test"])))
        ) { _ in .ok() }
        let server = try await RelayingProxy.start(to: origin.port, tls: certificate())
        let error = await #expect(throws: SockeyeError.self) {
            try await client(proxy(at: server.port)).get("https://origin.test/")
        }
        #expect(error?.code == .tlsFailed && error?.proxyFailure == nil)
        await server.stop()
        await origin.stop()
    }

    @Test("a request through a proxy that does not speak TLS fails in the TLS step to the proxy")
    func plain() async throws {
        let server = try await RawServer.start(script: [.readBytes(5), .send("HTTP/1.1 400 No\r\n\r\n")])
        let error = await #expect(throws: SockeyeError.self) {
            try await client(proxy(at: server.port)).get("https://origin.test/")
        }
        #expect(error?.proxyFailure?.step == .tls)
        await server.stop()
    }

    @Test("for a tunnel, the client sends the PROXY header to the target after the answer to CONNECT")
    func proxyProtocolInTunnel() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 Open\r\n\r\n"), .readBytes(31),
        ])
        var configuration = ClientConfiguration(proxy: .http("127.0.0.1:\(server.port)"))
        configuration.socket.proxyProtocol = .v1
        // The ClientHello that follows gets no answer.
        _ = try? await HTTPClient(configuration: configuration).get("https://origin.test/")
        #expect(server.receivedText().contains("\r\n\r\nPROXY TCP4 127.0.0.1 127.0.0.1 "))
        await server.stop()
    }

    @Test("the PROXY header precedes the request", arguments: [SocketOptions.ProxyHeader.v1, .v2])
    func proxyProtocol(header: SocketOptions.ProxyHeader) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        // The header of version 2 contains an empty line. The line of version 1 is read with the head.
        let script: [RawStep] = header == .v1 ? [] : [.readBytes(28)]
        let server = try await RawServer.start(script: script + [.readRequestHead, .send(answer)])
        var configuration = ClientConfiguration()
        configuration.socket.proxyProtocol = header
        #expect(try await HTTPClient(configuration: configuration).get(server.url()).text() == "ok")
        let start: [UInt8] =
            header == .v1 ? Array("PROXY TCP4 127.0.0.1 127.0.0.1 ".utf8) : [13, 10, 13, 10, 0, 13, 10, 0x51]
        #expect(server.received().starts(with: start))
        await server.stop()
    }
}
