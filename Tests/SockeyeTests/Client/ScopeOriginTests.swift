import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// Calls of a scope whose URL leads to another origin than the scope's base.
@Suite("Credentials of scopes", .timeLimit(.minutes(1))) struct ScopeOriginTests {
    private static let secrets: Headers = [
        .authorization: "Bearer s3cret", .cookie: "id=s3cret", .proxyAuthorization: "Basic s3cret",
        "X-API-Key": "s3cret",
        "X-Amz-Security-Token": "s3cret", "Private-Token": "s3cret", .host: "s3cret.example", .origin: "https://s3cret",
        .referer: "https://s3cret/", "X-Harmless": "kept", .accept: "text/plain",
    ]

    private static let policies: [@Sendable () -> any Interceptor] = [
        { .basic(user: "s3cret", password: "s3cret") }, { .bearer("s3cret") },
        { .bearer { AuthenticationPolicy.Token("s3cret") } },
        { .digest(user: "s3cret", password: "s3cret") }, { .setting(.authorization, to: "s3cret") },
        { .appending("x-api-key", "s3cret") }, { .setting(.referer, to: "https://api.example/s3cret") }, { Own() },
        { .challengeHandler { _ in .useCredential(.user("s3cret", password: "s3cret")) } },
        { .signing { request, _ in request.headers["X-Signature"] = "s3cret" } },
    ]

    /// A custom authentication interceptor.
    private struct Own: Interceptor {
        var carriesCredentials: Bool { true }
        var stage = Call.Stage.call

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            var request = request
            request.headers["X-Own"] = "s3cret"
            return try await call.proceed(request)
        }
    }

    private static let base = "https://api.example/v1/"
    /// References that resolve to another origin than the base.
    private static let otherOriginReferences = [
        "//evil.example/x", " //evil.example/x", "\n//evil.example/x", "http://evil.example/x",
        "HTTPS://evil.example/x",
        "https://api.example@evil.example/x", "//api.example:444/x", "http://api.example/x", "//api.example./x",
        "//\u{430}pi.example/x", "//api%2eexample.evil.example/x", "https://sub.api.example/x", "//evil.example",
    ]
    /// References that resolve to the origin of the base.
    private static let sameOriginReferences = [
        "x", "/x", "", "?q=//evil.example", "#//evil.example", "..//evil.example", "/.//evil.example",
        "x//evil.example",
        "//api.example/x", "HTTPS://API.EXAMPLE:443/x", "//%61pi.example/x", "https://u@api.example/x",
    ]

    /// Challenges every request without an `Authorization` field.
    private let mock = MockTransport { request in
        guard request["Authorization"] == nil else { return .ok("in") }
        var headers: Headers = [.wwwAuthenticate: "Basic realm=r"]
        headers.append(.wwwAuthenticate, "Digest realm=r, nonce=n, qop=auth")
        return .status(401, headers: headers)
    }

    private func arrived(_ mock: MockTransport) -> String {
        mock.requests.flatMap { request in request.headers.map { "\($0.name): \($0.value)" } }.joined(separator: "\n")
    }

    @Test(
        "a scope's credentials are not sent to a URL outside the origin of its base", arguments: otherOriginReferences)
    func fields(reference: String) async throws {
        let api = HTTPClient(transport: mock).scoped(
            baseURL: Self.base, headers: Self.secrets, unixSocketPath: "/run/s3cret.sock")
        _ = try await api.get(reference)
        let request = try #require(mock.requests.last)
        #expect(!arrived(mock).contains("s3cret"), "\(arrived(mock))")
        #expect(request.options.unixSocketPath == nil)
        #expect(request["X-Harmless"] == "kept" && request["Accept"] == "text/plain")
    }

    @Test(
        "a field whose name says that it holds a secret is not sent outside the origin of the base",
        arguments: ["apikey", "DD-API-KEY", "X-Acme-Token", "Token", "X-Auth"])
    func secretNames(text: String) async throws {
        let name = Headers.Name(text)
        let settings = ParameterSerializer.Options(headers: [name: "s3cret"])
        let client = HTTPClient(transport: mock).scoped(baseURL: Self.base)
        let scopes = [
            client.scoped(headers: [name: "s3cret"]), client.adding(.setting(name, to: "s3cret")),
            client.adding(.appending(name, "s3cret")), client.scoped(requestSerializer: .form(options: settings)),
        ]
        for api in scopes {
            _ = try await api.post("//evil.example/x", .parameters(["a": 1]))
            #expect(mock.requests.last?[name] == nil)
            _ = try await api.post("x", .parameters(["a": 1]))
            #expect(mock.requests.last?[name] == "s3cret")
        }
        var redirects = RedirectPolicy()
        redirects.strippedFields = []
        _ = try await scopes[0].adding(redirects).get("//evil.example/x")
        #expect(mock.requests.last?[name] == "s3cret")
    }

    @Test("a scope's credentials are sent to the origin of its base, in any spelling", arguments: sameOriginReferences)
    func sameOrigin(reference: String) async throws {
        let api = HTTPClient(transport: mock).scoped(
            baseURL: Self.base, headers: Self.secrets, unixSocketPath: "/run/s3cret.sock")
        _ = try await api.get(reference)
        let request = try #require(mock.requests.last)
        #expect(request.url.origin.description == "https://api.example")
        #expect(request["Authorization"] == "Bearer s3cret" && request["Cookie"] == "id=s3cret")
        #expect(request.options.unixSocketPath == "/run/s3cret.sock")
    }

    @Test(
        "a policy's credentials are not sent to other origins, whether the policy is added before or after the base",
        arguments: 0..<10, [true, false])
    func policies(index: Int, isBefore: Bool) async throws {
        let policy = Self.policies[index]()
        let client = HTTPClient(transport: mock)
        let api =
            isBefore
            ? client.adding(policy).scoped(baseURL: Self.base) : client.scoped(baseURL: Self.base).adding(policy)
        for reference in Self.otherOriginReferences { _ = try await api.get(reference) }
        #expect(!arrived(mock).contains("s3cret") && !arrived(mock).contains("Digest"), "\(arrived(mock))")
        #expect(!arrived(mock).contains("Authorization"), "\(arrived(mock))")
        _ = try await api.get("x")
        let own = arrived(mock)
        #expect(own.contains("s3cret") || own.contains("Authorization: "), "\(own)")
    }

    @Test("a serializer's TLS settings are not used for other origins than the base")
    func tls() async throws {
        var options = OutgoingRequest.Options()
        options.tls = TLSOptions(verification: .chainOnly)
        let api = HTTPClient(transport: mock).scoped(
            baseURL: Self.base, requestSerializer: .json(options: ParameterSerializer.Options(requestOptions: options)))
        _ = try await api.post("x", .parameters(["a": 1]))
        #expect(mock.requests.last?.options.tls != nil)
        for reference in Self.otherOriginReferences {
            _ = try await api.post(reference, .parameters(["a": 1]))
            #expect(mock.requests.last?.options.tls == nil, "\(reference)")
            _ = try await api.post(reference, .parameters(["a": 1]), options: options)
            #expect(mock.requests.last?.options.tls != nil, "\(reference)")
        }
    }

    @Test("credentials set by a call, or by a policy of the call, are sent to other origins")
    func ofTheCall() async throws {
        let api = HTTPClient(transport: mock).scoped(baseURL: Self.base, headers: Self.secrets).adding(
            .bearer("s3cret"))
        _ = try await api.get("//evil.example/", headers: [.authorization: "Bearer own", "X-API-Key": "mine"])
        #expect(mock.requests.last?["Authorization"] == "Bearer own" && mock.requests.last?["X-API-Key"] == "mine")
        _ = try await api.get("//evil.example/", options: .intercepting(.bearer("mine")))
        #expect(mock.requests.last?["Authorization"] == "Bearer mine")
        #expect(!arrived(mock).contains("s3cret"))
    }

    @Test("credentials that are given or stored for another origin are sent to that origin")
    func named() async throws {
        let client = HTTPClient(transport: mock)
        let named = client.adding(.bearer("t", origins: ["https://other.example"])).scoped(baseURL: Self.base)
        _ = try await named.get("//other.example/")
        #expect(mock.requests.last?["Authorization"] == "Bearer t")
        let storage = Credential.Storage()
        try storage.set(.user("a", password: "b"), for: "https://other.example")
        let stored = client.scoped(baseURL: Self.base).adding(.credentials(storage))
        #expect(try await stored.get("//other.example/").text() == "in")
    }

    @Test("an overridden policy sends no credentials, even to its own origins")
    func overridden() async throws {
        let client = HTTPClient(transport: mock).adding(.bearer("old", origins: ["https://other.example"]))
        _ = try await client.scoped(baseURL: Self.base).adding(.bearer("s3cret")).get("//other.example/")
        #expect(!arrived(mock).contains("Authorization"), "\(arrived(mock))")
    }

    @Test("an outer scope's credentials are not sent through an inner scope of another origin")
    func nested() async throws {
        let outer = HTTPClient(transport: mock).scoped(
            baseURL: Self.base, headers: Self.secrets, unixSocketPath: "/run/s3cret.sock"
        ).adding(.bearer("s3cret"))
        let inner = outer.scoped(baseURL: "//other.example/v2", headers: ["X-Auth-Token": "inner"])
        _ = try await inner.get("x")
        #expect(mock.requests.last?.url.description == "https://other.example/v2/x")
        #expect(mock.requests.last?["X-Auth-Token"] == "inner" && !arrived(mock).contains("s3cret"), "\(arrived(mock))")
        // A call of the inner scope to the outer base sends neither scope's credentials.
        _ = try await inner.get(Self.base)
        #expect(!arrived(mock).contains("s3cret") && mock.requests.last?["X-Auth-Token"] == nil)
        let sameOrigin = outer.scoped(baseURL: "sub", headers: ["X-Auth-Token": "inner"])
        _ = try await sameOrigin.get("x")
        #expect(
            mock.requests.last?["Authorization"] == "Bearer s3cret" && mock.requests.last?["X-Auth-Token"] == "inner")
        _ = try await sameOrigin.get("//other.example/")
        #expect(mock.requests.last?["Authorization"] == nil && mock.requests.last?["X-Auth-Token"] == nil)
    }

    @Test("credentials of a scope without a base are sent to every origin until an inner scope sets a base")
    func withoutBase() async throws {
        let client = HTTPClient(transport: mock).scoped(headers: [.authorization: "Bearer t"])
        _ = try await client.get("https://any.example/")
        #expect(mock.requests.last?["Authorization"] == "Bearer t")
        _ = try await client.scoped(baseURL: Self.base).get("https://any.example/")
        #expect(mock.requests.last?["Authorization"] == nil)
    }

    @Test("credentials are sent to further origins that the scope trusts, and to no others")
    func trusting() async throws {
        let api = HTTPClient(transport: mock).scoped(baseURL: Self.base, headers: Self.secrets)
            .scoped(trusting: ["https://up.example/any"])
        _ = try await api.get("//up.example/x")
        #expect(mock.requests.last?["Authorization"] == "Bearer s3cret")
        _ = try await api.scoped(baseURL: "//up.example/v2").get("/x")
        #expect(mock.requests.last?["Authorization"] == "Bearer s3cret")
        for other in ["http://up.example/", "//evil.example/"] {
            _ = try await api.get(other)
            #expect(mock.requests.last?["Authorization"] == nil)
        }
        let error = await #expect(throws: SockeyeError.self) { try await api.scoped(trusting: ["nonsense"]).get("x") }
        #expect(error?.code == .invalidURL)
    }

    @Test("no kind of call sends a scope's credentials to another origin")
    func kinds() async throws {
        let settings = ParameterSerializer.Options(
            headers: Self.secrets, requestOptions: .intercepting(.bearer("s3cret")))
        let api = HTTPClient(transport: mock).scoped(
            baseURL: Self.base, headers: Self.secrets, requestSerializer: .form(options: settings)
        ).adding(.bearer("s3cret"))
        let url = "https://evil.example/"
        _ = try await api.send(OutgoingRequest(url: url))
        _ = try await api.post(url, .json(["a": 1]))
        _ = try await api.post(url, .form(["a": 1]))
        _ = try await api.post(url, .parameters(["a": 1]))
        _ = try await api.request(.get, url, .parameters(["a": 1]))
        _ = try await api.post(url, .multipart { $0.field("a", "b") })
        _ = try await api.post(url, .body("x"), options: .compressing(.gzip))
        _ = await api.batch([try OutgoingRequest(url: url)], as: .text).results()
        _ = await (try api.batch([url], as: .text)).results()
        _ = try? await api.dataTask(.get, url, as: .text).value
        _ = try? await api.uploadTask(.put, url, .body("x")).value
        let file = try TemporaryFolder()
        _ = try? await api.download(url, to: .file(file("x"))).value
        let inner = api.scoped(baseURL: url)
        _ = try await inner.post("x", .parameters(["a": 1]))
        _ = try await inner.scoped(decoder: .json).post("x", .parameters(["a": 1]))
        #expect(mock.requests.count >= 13)
        #expect(!arrived(mock).contains("s3cret"), "\(arrived(mock))")
        _ = try await api.scoped(headers: [.authorization: ""]).post("x", .parameters(["a": 1]))
        #expect(arrived(mock).contains("s3cret"))
    }

    @Test("an upgrade does not send a scope's credentials to another origin")
    func upgrade() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), .readToEnd,
        ])
        let api = HTTPClient().scoped(
            baseURL: "http://api.invalid/", headers: Self.secrets, unixSocketPath: "/nonexistent/s3cret.sock")
        await #expect(throws: SockeyeError.self) { try await api.upgrade(OutgoingRequest(url: server.url()), to: "x") }
        #expect(server.receivedText().hasPrefix("GET ") && !server.receivedText().contains("s3cret"))
    }

    @Test("prewarming of another origin does not use the scope's unix-domain socket")
    func prewarming() async throws {
        try await withTestServer { _ in
            .ok("")
        } run: { server in
            let api = HTTPClient().scoped(baseURL: "http://api.invalid/", unixSocketPath: "/nonexistent/s3cret.sock")
            try await api.pool?.prewarm(server.url(), as: api)
            await eventually("a connection") { api.pool?.statistics.idle == 1 }
        }
    }

    @Test("a redirect from another origin back to the base gets no credentials")
    func redirectedBack() async throws {
        let mock = MockTransport { request in
            request.url.host == "evil.example" ? .redirect(to: "https://api.example/v1/back") : .ok("back")
        }
        let api = HTTPClient(transport: mock).adding(.retry(max: 1)).scoped(baseURL: Self.base, headers: Self.secrets)
            .adding(.bearer("s3cret")).adding(.signing { request, _ in request.headers["X-Signature"] = "s3cret" })
        #expect(try await api.get("//evil.example/").text() == "back")
        #expect(mock.requests.count == 2 && !arrived(mock).contains("s3cret"), "\(arrived(mock))")
    }

    @Test("an interceptor inside of the redirect policy adds no credentials after a redirect to another origin or back")
    func ownBehindRedirects() async throws {
        let mock = MockTransport { request in
            switch request.url.description {
            case "https://api.example/": .redirect(to: "https://evil.example/")
            case "https://evil.example/": .redirect(to: "https://api.example/back")
            default: .ok("back")
            }
        }
        let client = HTTPClient(transport: mock).adding(Own(stage: .attempt))
        #expect(try await client.get("https://api.example/").text() == "back")
        #expect(mock.requests.map { $0["X-Own"] } == ["s3cret", nil, nil])
    }

    @Test("an invalid base URL fails every request, even one with an absolute URL")
    func badBase() async throws {
        let api = HTTPClient(transport: mock).scoped(baseURL: "not a url", headers: Self.secrets)
        let error = await #expect(throws: SockeyeError.self) {
            try await api.send(OutgoingRequest(url: "https://evil.example/"))
        }
        #expect(error?.code == .invalidURL && mock.requests.isEmpty)
    }

    @Test("calls stay with the host of a base whose path begins with two slashes")
    func doubledSlash() async throws {
        let client = HTTPClient(transport: mock)
        _ = try await client.scoped(baseURL: "http://api.example//evil.example").get("x")
        #expect(mock.requests.last?.url.description == "http://api.example//evil.example/x")
        _ = try await client.scoped(baseURL: Self.base).scoped(baseURL: "/.//evil.example").get("x")
        #expect(mock.requests.last?.url.description == "https://api.example//evil.example/x")
    }
}
