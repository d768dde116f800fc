import Sockeye
import SockeyeTesting
import Testing

@Suite("Scoped clients", .timeLimit(.minutes(1)))
struct ScopeTests {
    private func echo() async throws -> TestServer {
        try await TestServer.start { request in
            .ok("\(request.target) \(request["X-Key"] ?? "-") \(request["Accept"] ?? "-")")
        }
    }

    @Test(
        "a relative URL is resolved against the base, after a slash is added to the path of the base",
        arguments: [
            ("/v1", "users", "/v1/users"), ("/v1/", "users", "/v1/users"), ("/v1", "/users", "/users"),
            ("/v1", "../v2/x", "/v2/x"), ("/v1?a=1", "?b=2", "/v1/?b=2"), ("/v1", "", "/v1/"),
        ])
    func base(path: String, reference: String, target: String) async throws {
        let server = try await echo()
        let api = HTTPClient().scoped(baseURL: server.url(path))
        #expect(try await api.get(reference).text().hasPrefix(target + " "))
    }

    @Test(
        "a confined scope refuses URLs outside its base",
        arguments: [
            ("users", true), ("", true), ("a/../b", true), ("?q=../..", true), ("http://a.test/v1/x", true),
            ("a%2Fb", true), ("..a", true), ("../v1/x", true), ("..", false), ("../v2/x", false), ("/", false),
            ("/v1", false), ("/v12/x", false), ("//b.test/v1/x", false), ("https://a.test/v1/x", false),
            ("http://a.test:81/v1/x", false), ("%2e%2e/x", false), ("x/..%2F..%2Fadmin", false), ("..%5Cx", false),
            ("..;/x", false), ("x/..%3Ba=b/y", false), ("a;b/x", true),
        ])
    func confinement(reference: String, isAllowed: Bool) async throws {
        let mock = MockTransport { .ok($0.path) }
        let api = HTTPClient(transport: mock).scoped(baseURL: "http://a.test/v1", isConfined: true)
        func check(_ method: String = "GET", _ send: () async throws -> IncomingResponse) async throws {
            if isAllowed {
                _ = try await send()
            } else {
                let error = await #expect(throws: SockeyeError.self) { _ = try await send() }
                #expect(error?.code == .invalidURL && error?.phase == .prepare && error?.blame == .caller)
                #expect(error?.method == method)
            }
        }
        try await check { try await api.get(reference) }
        try await check("POST") { try await api.scoped(headers: ["X": "y"]).post(reference, .body("x")) }
        let absolute = try HTTPURL("http://a.test/v1/").resolving(reference)
        try await check { try await api.send(OutgoingRequest(url: absolute)) }
        try await check { try await api.scoped(baseURL: reference).get("") }
        #expect(mock.requests.isEmpty != isAllowed)
    }

    @Test("a call's fields override the scope's, and an inner scope's override the outer scope's")
    func fields() async throws {
        let server = try await echo()
        let outer = HTTPClient().scoped(baseURL: server.url(), headers: ["X-Key": "outer", .accept: "text/plain"])
        let inner = outer.scoped(headers: ["x-key": "inner"])
        #expect(try await outer.get("/").text() == "/ outer text/plain")
        #expect(try await inner.get("/").text() == "/ inner text/plain")
        #expect(try await inner.get("/", headers: ["X-KEY": "call"]).text() == "/ call text/plain")
    }

    @Test("an invalid base URL fails each request instead of the program")
    func badBase() async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient().scoped(baseURL: "not a url").get("x")
        }
        #expect(error?.code == .invalidURL)
    }

    @Test("a request over a unix-domain socket has the URL's authority in its Host field")
    func unixSocket() async throws {
        try await withTestServer(on: .temporaryUnixSocket) { request in
            .ok(request["Host"] ?? "")
        } run: { server in
            let path = server.address.description.dropFirst("unix:".count)
            let client = HTTPClient().scoped(baseURL: "http://api.internal/", unixSocketPath: String(path))
            for target in ["x", "y"] {
                let host = try await client.get(target).text()
                #expect(host == "api.internal")
            }
            #expect(client.pool?.statistics.created == 1)
        }
    }
}
