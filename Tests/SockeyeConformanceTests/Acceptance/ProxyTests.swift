import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// The scenarios of the area `proxy`.
@Suite("Acceptance: proxies") struct ProxyTests {
    private static let authority = Result { try TestCertificateAuthority() }

    private func client(_ proxy: Proxy.Selection) throws -> HTTPClient {
        var configuration = ClientConfiguration(
            tls: TLSOptions(roots: try Self.authority.get().roots), proxy: proxy,
            timeouts: Timeouts(total: .seconds(20)))
        configuration.allowsPlaintextCredentials = true
        return HTTPClient(configuration: configuration)
    }

    /// An origin with TLS that answers with the head that it received.
    private func origin() async throws -> TestServer {
        let certificate = try Self.authority.get().issue(TestCertificateOptions(dnsNames: ["origin.test"]))
        return try await TestServer.start(tls: TestTLS(certificate)) { request in
            .ok(String(decoding: request.headBytes, as: UTF8.self))
        }
    }

    @Test("proxy-01: http URL through a proxy", .timeLimit(.minutes(1)))
    func absoluteForm() async throws {
        let proxy = try await TestServer.start { request in .ok(String(decoding: request.headBytes, as: UTF8.self)) }
        let client = try client(.http("http://me:s3cret@127.0.0.1:\(proxy.port)"))
        let head = try await client.get("http://user@nowhere.test:8080/a?b=c#d").text()
        #expect(head.hasPrefix("GET http://nowhere.test:8080/a?b=c HTTP/1.1\r\nHost: nowhere.test:8080\r\n"))
        #expect(head.contains("\r\nProxy-Authorization: Basic bWU6czNjcmV0\r\n"))
        let named = try await client.get(
            "http://nowhere.test/", headers: [.host: "virtual", .proxyAuthorization: "Bearer own"]
        ).text()
        #expect(named.hasPrefix("GET http://nowhere.test/ HTTP/1.1\r\nHost: virtual\r\n"))
        #expect(named.contains("\r\nProxy-Authorization: Bearer own\r\n") && !named.contains("Basic"))
        // Without a proxy, Proxy-Authorization is not sent, even if the caller set it.
        let direct = try await HTTPClient().get(proxy.url(), headers: [.proxyAuthorization: "Bearer own"]).text()
        #expect(!direct.contains("own"))
        await proxy.stop()
    }

    @Test(
        """
        proxy-02: https URL through CONNECT: 200; 200 with a body or chunked; 407 then credentials; 403; 502; garbage; \
        close
        """, .timeLimit(.minutes(1)),
        arguments: [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
    func tunnel(answer: String) async throws {
        let origin = try await origin()
        let proxy = try await RelayingProxy.start(to: origin.port, answer: answer)
        let client = try client(.http("127.0.0.1:\(proxy.port)"))
        for _ in 0..<2 {
            #expect(try await client.get("https://origin.test/x").text().hasPrefix("GET /x HTTP/1.1\r\n"))
        }
        #expect(proxy.connectionCount == 1)
        #expect(proxy.receivedText().hasPrefix("CONNECT origin.test:443 HTTP/1.1\r\nHost: origin.test:443\r\n\r\n"))
        await proxy.stop()
        await origin.stop()
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let answer: String
        let status: Int?
        let text: String
        var testDescription: String { answer }
    }

    static let refusals = [
        Refusal(answer: "HTTP/1.1 407 No\r\nContent-Length: 3\r\n\r\nwho", status: 407, text: "credentials"),
        Refusal(answer: "HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nwho", status: 403, text: "403"),
        Refusal(answer: "HTTP/1.1 502 No\r\nContent-Length: 3\r\n\r\nwho", status: 502, text: "502"),
        Refusal(answer: "SSH-2.0-garbage\r\n", status: nil, text: "status line"),
        Refusal(answer: "HTTP/1.1 200 OK\r\n\r\nsurplus", status: nil, text: "no response was expected"),
        Refusal(answer: "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 20_000))", status: nil, text: "16384"),
        Refusal(answer: "HTTP/1.1 200", status: nil, text: "closed"), Refusal(answer: "", status: nil, text: "closed"),
    ]

    @Test(
        "proxy-02: an answer to CONNECT other than a proper 2xx opens no tunnel", .timeLimit(.minutes(1)),
        arguments: refusals)
    func refusal(row: Refusal) async throws {
        let proxy = try await RawServer.start(script: [.readRequestHead, .send(row.answer)])
        let client = try client(.http("http://me:s3cret@127.0.0.1:\(proxy.port)"))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("https://origin.test/") }
        #expect(error?.code == .proxyFailed && error?.phase == .connect && error?.blame == .peer)
        #expect(error?.response?.status.code == row.status)
        if row.status != nil { #expect(error?.response.map { String(decoding: $0.body, as: UTF8.self) } == "who") }
        let texts = "\(error as Any) \(error?.message ?? "") \(error?.underlying as Any)"
        #expect(texts.contains(row.text))
        #expect(!texts.contains("s3cret") && !texts.contains("bWU6czNjcmV0"))
        #expect(proxy.receivedText().contains("\r\nProxy-Authorization: Basic bWU6czNjcmV0\r\n"))
        await proxy.stop()
    }

    @Test("proxy-03: Proxy-Authorization and User-Agent inside the tunnel", .timeLimit(.minutes(1)))
    func insideTheTunnel() async throws {
        let origin = try await origin()
        let proxy = try await RelayingProxy.start(to: origin.port)
        let client = try client(.http("http://me:s3cret@127.0.0.1:\(proxy.port)"))
        let inside = try await client.get(
            "https://origin.test/",
            headers: [.authorization: "Bearer origins", .proxyAuthorization: "Bearer own", .userAgent: "mine"]
        ).text()
        #expect(inside.contains("Bearer origins") && inside.contains("User-Agent: mine"))
        #expect(!inside.lowercased().contains("proxy-authorization"))
        let outside = proxy.receivedText()
        // The caller's own field overrides the proxy's credentials.
        #expect(outside.contains("\r\nProxy-Authorization: Bearer own\r\n") && !outside.contains("Basic"))
        #expect(!outside.contains("origins") && !outside.contains("mine"))
        await proxy.stop()
        await origin.stop()
    }
}
