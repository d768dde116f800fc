import Sockeye
import SockeyeTesting
import Testing

/// Checks every byte that reaches a second origin, over sockets.
@Suite("Redirects across origins", .timeLimit(.minutes(1))) struct RedirectOriginTests {
    private static let secrets = ["t0ken", "pr0xy", "c00kie", "k3y", "passw0rd", "ada", "virtual.example", "0rigin"]

    private static let headers: Headers = [
        .authorization: "Bearer t0ken", .proxyAuthorization: "Basic pr0xy", .cookie: "id=c00kie", "X-API-Key": "k3y",
        .host: "virtual.example", .origin: "https://0rigin.example", "X-Harmless": "kept",
    ]

    @Test(
        "after a redirect to another origin no credential is sent, even if a second redirect leads back",
        arguments: [301, 302, 303, 307, 308])
    func credentials(status: Int) async throws {
        let second = try await TestServer.start { request in
            let text = String(decoding: request.headBytes, as: UTF8.self)
            // Redirects back to the first origin. The credentials stay removed.
            return request.path == "/back"
                ? .redirect(to: request.query ?? "", status: status) : .ok(text)
        }
        let first = try await TestServer.start { request in
            if request.path == "/final" { return .ok(String(decoding: request.headBytes, as: UTF8.self)) }
            return .redirect(to: request.query ?? "", status: status)
        }
        let there = first.url("/?\(second.url("/"))").replacing(
            "127.0.0.1", with: "ada:passw0rd@127.0.0.1", maxReplacements: 1)
        let seen = try await HTTPClient().get(there, headers: Self.headers).text()
        for secret in Self.secrets { #expect(!seen.contains(secret), "\(seen)") }
        #expect(seen.contains("Host: 127.0.0.1:\(second.port)\r\n") && seen.contains("X-Harmless: kept"))
        let back = first.url("/?\(second.url("/back?\(first.url("/final"))"))")
        let returned = try await HTTPClient().get(back, headers: Self.headers).text()
        for secret in Self.secrets { #expect(!returned.contains(secret), "\(returned)") }
        await first.stop()
        await second.stop()
    }

    @Test(
        "a field in which services expect secrets is not sent to another origin",
        arguments: RedirectPolicy.usualStrippedFields)
    func usualFields(name: Headers.Name) async throws {
        let mock = MockTransport { request in
            request.url.host == "a.example" ? .redirect(to: "https://b.example/") : .ok(request[name] ?? "none")
        }
        let lowercase = Headers.Name(name.description.lowercased())
        let headers: Headers = [lowercase: "s3cret", "X-Harmless": "kept"]
        #expect(try await HTTPClient(transport: mock).get("https://a.example/", headers: headers).text() == "none")
        #expect(mock.requests.last?["X-Harmless"] == "kept")
    }

    @Test(
        "a field whose name says that it holds a secret stays at its origin, unless the list lacks usual fields",
        arguments: ["apikey", "DD-API-KEY", "X-Acme-Token", "Token", "X-Auth"])
    func secretNames(text: String) async throws {
        let name = Headers.Name(text)
        let mock = MockTransport { request in
            request.url.host == "a.example" ? .redirect(to: "https://b.example/") : .ok(request[name] ?? "none")
        }
        let client = HTTPClient(transport: mock)
        let headers: Headers = [name: "s3cret"]
        #expect(try await client.get("https://a.example/", headers: headers).text() == "none")
        var policy = RedirectPolicy()
        policy.strippedFields.append("X-Own")
        #expect(try await client.adding(policy).get("https://a.example/", headers: headers).text() == "none")
        policy.strippedFields = []
        #expect(try await client.adding(policy).get("https://a.example/", headers: headers).text() == "s3cret")
    }

    @Test(
        "Referer shows no path to another origin, and nothing of https to http",
        arguments: [
            ("https://b.example/", "https://a.example/s3cret?q", "https://a.example/"),
            ("https://b.example/", "https://c.example:8443/s3cret", "https://c.example:8443/"),
            ("https://b.example/", "https://ada:s3cret@a.example/", "https://a.example/"),
            ("https://b.example/", "http://a.example/s3cret", "http://a.example/"),
            ("https://b.example/", "https://b.example/page", "https://b.example/page"),
            ("https://b.example/", "/s3cret", "none"), ("http://b.example/", "https://a.example/s3cret", "none"),
            ("http://b.example/", "http://a.example/s3cret", "none"),
            ("/next", "https://c.example/page", "https://c.example/page"),
        ])
    func referer(target: String, referer: String, expected: String) async throws {
        let mock = MockTransport { request in
            request.url.description == "https://a.example/"
                ? .redirect(to: target) : .ok(request["Referer"] ?? "none")
        }
        var policy = RedirectPolicy()
        policy.allowsDowngrade = true
        let client = HTTPClient(transport: mock).adding(policy)
        #expect(try await client.get("https://a.example/", headers: [.referer: referer]).text() == expected)
    }

    @Test("a signature is not sent after a redirect back to the first origin")
    func signature() async throws {
        let mock = MockTransport { request in
            if request.path == "/end" { return .ok(request["X-Signature"] ?? "none") }
            return .redirect(to: request.url.host == "a.example" ? "https://b.example/" : "https://a.example/end")
        }
        let client = HTTPClient(transport: mock).adding(
            .signing { request, _ in request.headers["X-Signature"] = "s1gned" })
        #expect(try await client.get("https://a.example/").text() == "none")
    }

    @Test("a redirect within an origin keeps the Cookie field and the Basic credentials of the URL")
    func sameOrigin() async throws {
        try await withTestServer { request in
            if request.path == "/" { return .redirect(to: "/next") }
            return .ok("\(request["Authorization"] ?? "none") \(request["Cookie"] ?? "none")")
        } run: { server in
            let url = server.url().replacing("127.0.0.1", with: "ada:lovelace@127.0.0.1")
            let text = try await HTTPClient().get(url, headers: [.cookie: "a=b"]).text()
            #expect(text == "Basic YWRhOmxvdmVsYWNl a=b")
        }
    }

    @Test("the connection of a redirect is released before the next request")
    func connections() async throws {
        try await withTestServer { request in
            // The client closes the connection of an abandoned response with a body of this length.
            let long = String(repeating: "x", count: 1 << 20)
            return request.path == "/last" ? .ok("end") : .text(long, status: 302, headers: [.location: "/last"])
        } run: { server in
            var configuration = ClientConfiguration(timeouts: Timeouts(total: .seconds(20)))
            configuration.pool.connectionsPerOrigin = 1
            let client = HTTPClient(configuration: configuration)
            let text = try await client.get(server.url()).text()
            #expect(text == "end")
        }
    }

    @Test("a chain of small redirects uses one connection")
    func reuse() async throws {
        try await withTestServer { request in
            request.path.count < 6 ? .text("see", status: 302, headers: [.location: request.path + "a"]) : .ok("end")
        } run: { server in
            let text = try await HTTPClient().get(server.url("/")).text()
            #expect(text == "end")
            #expect(server.activity.connections == 1)
        }
    }

    @Test("the total deadline covers the whole chain of redirects")
    func deadline() async throws {
        let clock = ManualClock()
        try await withTestServer { request in
            if request.path == "/" {
                clock.advance(by: .seconds(6))
                return .status(302, headers: [.location: "/slow"])
            }
            clock.advance(by: .seconds(6))
            return .never
        } run: { server in
            let client = HTTPClient(clock: clock)
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url("/"), options: .timeout(total: .seconds(10)))
            }
            #expect(error?.code == .timeout)
            #expect(error?.limit?.name == "timeouts.total")
            #expect(error?.history.count == 1)
        }
    }

    @Test("after a redirect from a unix-domain socket to another origin the socket is not used")
    func unixSocket() async throws {
        let second = try await TestServer.start { _ in .ok("over TCP") }
        let first = try await TestServer.start(on: .temporaryUnixSocket) { _ in .redirect(to: second.url()) }
        let path = String(first.address.description.dropFirst("unix:".count))
        let client = HTTPClient().scoped(baseURL: "http://service.internal/", unixSocketPath: path)
        let text = try await client.get("start").text()
        #expect(text == "over TCP")
        await first.stop()
        await second.stop()
    }
}
