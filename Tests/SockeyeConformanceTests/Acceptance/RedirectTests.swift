import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// Redirects.
@Suite struct RedirectTests {
    private let client = HTTPClient()

    @Test("redirect-02: 301, 302, 303 after POST; 307, 308 after POST with body", .timeLimit(.minutes(1)))
    func methods() async throws {
        let log = RequestLog()
        try await withTestServer { request in
            try await log.take(request)
            return request.path == "/end" ? .ok() : .redirect(to: "/end", status: Int(request.path.dropFirst()) ?? 0)
        } run: { server in
            for status in [301, 302, 303, 307, 308] {
                let headers: Headers = [.contentType: "text/plain", "Content-Language": "en"]
                _ = try await client.post(server.url("/\(status)"), .body("content"), headers: headers)
            }
            let ends = log.all.filter { $0.target == "/end" }
            #expect(ends.map(\.method) == ["GET", "GET", "GET", "POST", "POST"])
            #expect(ends.map { String(decoding: $0.body, as: UTF8.self) } == ["", "", "", "content", "content"])
            #expect(ends.map { $0.values("content-type").count } == [0, 0, 0, 1, 1])
            #expect(ends.map { $0.values("content-language").count } == [0, 0, 0, 1, 1])
            #expect(ends.map { $0.values("content-length") } == [[], [], [], ["7"], ["7"]])
        }
    }

    @Test(
        "redirect-03: relative, scheme-relative, absolute Location; non-ASCII bytes in it", .timeLimit(.minutes(1)))
    func targets() async throws {
        let other = try await TestServer.start { request in .ok("\(request["Host"] ?? "") \(request.target)") }
        let log = RequestLog()
        let raw = try await RawServer.start(
            script: [
                .run { connection in
                    while let head = try await connection.read(through: "\r\n\r\n") {
                        var bytes = Array(head)[...]
                        guard let request = HTTPText.takeHead(from: &bytes) else { return }
                        log.take(request)
                        let location = locations(other)[Int(request.target.dropFirst("/a/".count)) ?? 0]
                        guard request.target.hasPrefix("/a/"), let location else {
                            let text = "\(request.values("host").joined()) \(request.target)"
                            try await connection.write(
                                "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
                            continue
                        }
                        let start = Bytes("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ")
                        try await connection.write(Bytes(Array(start) + Array(location) + Array("\r\n\r\n".utf8)))
                    }
                }
            ])
        let here = "127.0.0.1:\(raw.port)"
        let there = "127.0.0.1:\(other.port)"
        let expected = ["\(here) /b", "\(here) /a/x?y", "\(there) /z", "\(there) /", "\(here) /caf%C3%A9/%FF"]
        for (index, expected) in expected.enumerated() {
            #expect(try await client.get(raw.url("/a/\(index + 1)")).text() == expected)
        }
        await raw.stop()
        await other.stop()
    }

    /// Returns the Location values: absent, absolute path, relative path, scheme-relative, absolute, and a path with
    /// `é` in UTF-8 and the byte 0xFF, which is invalid in UTF-8.
    @Sendable private func locations(_ other: TestServer) -> [Bytes?] {
        let text = ["/b", "x?y", "//127.0.0.1:\(other.port)/z", other.url("/")].map { Bytes($0) }
        return [nil] + text + [Bytes(Array("/caf\u{E9}/".utf8) + [0xFF])]
    }

    @Test(
        "redirect-04: Authorization, Cookie, Proxy-Authorization and custom secrets across origins",
        .timeLimit(.minutes(1)))
    func credentials() async throws {
        let second = try await TestServer.start { request in .ok(String(decoding: request.headBytes, as: UTF8.self)) }
        let first = try await TestServer.start { _ in .redirect(to: second.url(), status: 307) }
        let headers: Headers = [
            .authorization: "Bearer s3cret", .cookie: "a=s3cret", .proxyAuthorization: "Basic s3cret",
            "X-API-Key": "s3cret", "X-Own": "s3cret", "X-Harmless": "yes",
        ]
        var policy = RedirectPolicy.following
        policy.strippedFields.append("x-own")
        let text = try await client.adding(.redirects(policy)).get(first.url(), headers: headers).text()
        #expect(!text.contains("s3cret") && text.contains("X-Harmless: yes"))
        await first.stop()
        await second.stop()
    }

    @Test("redirect-05: https to http", .timeLimit(.minutes(1)))
    func downgrade() async throws {
        let authority = try TestCertificateAuthority()
        let plain = try await TestServer.start { _ in .ok("plain") }
        let secure = try await TestServer.start(tls: try TestTLS(authority)) { _ in .redirect(to: plain.url()) }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        let error = await failure { try await client.get(secure.url()) } as? SockeyeError
        #expect(error?.code == .redirectRefused)
        #expect(plain.activity.requests == 0)
        var policy = RedirectPolicy.following
        policy.allowsDowngrade = true
        #expect(try await client.adding(.redirects(policy)).get(secure.url()).text() == "plain")
        await plain.stop()
        await secure.stop()
    }

    /// A request's handler decides before its client's handler.
    @Test(
        "redirect-06: a handler that refuses, follows or rewrites; per request before per client",
        .timeLimit(.minutes(1)))
    func handlers() async throws {
        try await withTestServer { request in
            request.path == "/" ? .redirect(to: "/end") : .ok(request.path)
        } run: { server in
            let refusing = client.adding(.redirects(.following { _ in .refuse }))
            let error = await failure { try await refusing.get(server.url()) } as? SockeyeError
            #expect(error?.code == .redirectRefused)
            let stopping = client.adding(.redirects(.following { _ in .stop }))
            let stopped = try await stopping.get(server.url()).status
            #expect(stopped == .found)
            let followed = try await refusing.get(
                server.url(), options: .intercepting(.redirects(.following { .follow($0.request) }))
            ).text()
            #expect(followed == "/end")
            let rewritten = try await refusing.get(
                server.url(),
                options: .intercepting(
                    .redirects(
                        .following { proposal in
                            var request = proposal.request
                            request.url = try HTTPURL(server.url("/elsewhere"))
                            return .follow(request)
                        }))
            ).text()
            #expect(rewritten == "/elsewhere")
        }
    }
}
