import Sockeye
import SockeyeTesting
import Testing

@Suite("Request patterns", .timeLimit(.minutes(1)))
struct RequestPatternTests {
    /// Returns a request as the mock receives it.
    private func request(
        _ line: String, headers: Headers = [:], _ content: HTTPClient.Content? = nil
    ) async throws -> MockRequest {
        let words = line.split(separator: " ")
        let method = try #require(HTTPRequest.Method(String(words[0])))
        let mock = MockTransport { _ in .ok() }
        try await HTTPClient(transport: mock).request(method, String(words[1]), content, headers: headers)
        return try #require(mock.requests.first)
    }

    @Test(
        "a pattern matches method, origin, path and query",
        arguments: [
            ("GET /users/1", true), ("/users/1", true), ("*", true), ("GET *", true), ("/users/*", true),
            ("POST /users/1", false), ("GET /users", false), ("GET /users/2", false), ("/users/1/", false),
            ("http://example.com/users/1", true), ("GET http://example.com:80/users/*", true),
            ("https://example.com/users/1", false), ("http://example.com:81/*", false), ("http://example.com", true),
            ("GET /users/1?q=a b", true), ("GET /users/1?n=2&q=a+b", true), ("GET /users/1?q=a", false),
            ("GET /users/1?x=1", false), ("GET /users/1?n=2", true), ("GET /users/1?q={text}", true),
            ("GET /users/1?y={text}", false), ("GET *?n=2", true), ("/users/1?q=a b", true),
            ("/users/2?q=a b", false), ("GET /users/1?q=http://x", false), ("/login?next=http://x/users/1", false),
        ] as [(String, Bool)])
    func heads(pattern: String, matches: Bool) async throws {
        let request = try await request("GET http://example.com/users/1?q=a%20b&n=2")
        #expect((request.parameters(in: RequestPattern(pattern)) != nil) == matches)
    }

    @Test(
        "a template gives the values of its placeholders",
        arguments: [
            ("/users/{id}", "/users/a%20b", ["id": "a b"]), ("/{a}/{b}", "/x/y", ["a": "x", "b": "y"]),
            ("/files/{name}.json", "/files/a.b.json", ["name": "a.b"]), ("/{a}-{b}", "/1-2-3", ["a": "1-2", "b": "3"]),
            ("/v{version}/*", "/v2/a/b", ["version": "2"]), ("/x?page={page}", "/x?page=7", ["page": "7"]),
            ("/{a}", "/x/y", nil), ("/users/{id}", "/users/", nil), ("/{a}/z", "/x/y", nil),
        ] as [(String, String, [String: String]?)])
    func templates(pattern: String, target: String, values: [String: String]?) async throws {
        let request = try await request("GET http://h\(target)")
        #expect(request.parameters(in: RequestPattern(pattern)) == values)
    }

    @Test(
        "a pattern compares query items byte by byte",
        arguments: [("/?q=\u{E9}", false), ("/?q=%C3%A9", false), ("/?q=e\u{301}", true), ("/?q=e%CC%81", true)])
    func equivalents(pattern: String, matches: Bool) async throws {
        let request = try await request("GET http://h/?q=e%CC%81")
        #expect((request.parameters(in: RequestPattern(pattern)) != nil) == matches)
    }

    @Test("a pattern matches the fields and query items that builders add")
    func builders() async throws {
        let request = try await request("GET http://h/x?page=2&q=1", headers: ["X-A": "1", "X-A": "2"])
        let pattern = RequestPattern("GET /x")
        #expect(request.parameters(in: pattern.header("x-a").header("X-A", "2").query("page", 2).query("q")) != nil)
        #expect(request.parameters(in: pattern.header("X-A", "3")) == nil)
        #expect(request.parameters(in: pattern.header("X-B")) == nil)
        #expect(request.parameters(in: pattern.query("page", 3)) == nil)
        #expect(request.parameters(in: pattern.query("z")) == nil)
        #expect("\(pattern.header("X-B").query("page", 3))" == "GET /x with X-B with ?page=3")
    }

    @Test("a handler of a mock or a server can use patterns as cases of a switch")
    func cases() async throws {
        let client = HTTPClient(
            transport: MockTransport { request in
                switch request {
                case "GET /users/*": .ok("one")
                case "POST /users": .ok("new")
                default: .status(.notFound)
                }
            })
        #expect(try await client.get("http://h/users/1").text() == "one")
        #expect(try await client.post("http://h/users").text() == "new")
        #expect(try await client.put("http://h/users").status == .notFound)
        let server = try TestServer { request in
            switch request {
            case "GET http://127.0.0.1/*": .ok("never: the port is another")
            case "GET /users/*": .ok("one \(request.parameters(in: "/users/{id}")?["id"] ?? "")")
            default: .status(.notFound)
            }
        }
        #expect(try await HTTPClient().get(server.url("/users/7")).text() == "one 7")
        #expect(try await HTTPClient().get(server.url("/groups")).status == .notFound)
    }
}
