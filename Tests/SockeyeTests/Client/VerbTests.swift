import Sockeye
import SockeyeTesting
import Testing

/// The bytes that each kind of call sends.
@Suite("Methods, fields and URLs of calls", .timeLimit(.minutes(1)))
struct VerbTests {
    private let client = HTTPClient()

    /// Runs a server that answers with the method and target on one line and the body on the next.
    private func withEcho(_ body: (TestServer) async throws -> Void) async throws {
        try await withTestServer(
            handler: { request in
                let content = try await request.text()
                return .ok("\(request.method) \(request.target)\n\(content)")
            }, run: body)
    }

    @Test("get, head, post, put, patch, delete and options send their method")
    func verbs() async throws {
        try await withEcho { server in
            let url = server.url("/x")
            let bodyless: [(String, IncomingResponse)] = [
                ("GET", try await client.get(url)), ("DELETE", try await client.delete(url)),
                ("OPTIONS", try await client.request(.options, url)),
            ]
            for (method, response) in bodyless { #expect(try await response.text() == "\(method) /x\n") }
            let withBody: [(String, IncomingResponse)] = [
                ("POST", try await client.post(url, .body("a"))), ("PUT", try await client.put(url, .body("a"))),
                ("PATCH", try await client.patch(url, .body("a"))),
            ]
            for (method, response) in withBody { #expect(try await response.text() == "\(method) /x\na") }
            let head = try await client.head(url)
            #expect(head.status == .ok)
            #expect(try await head.text().isEmpty)
        }
    }

    @Test("a method without a call of its own, such as PURGE, can be sent")
    func otherMethod() async throws {
        try await withEcho { server in
            let purge = try #require(HTTPRequest.Method("PURGE"))
            #expect(try await client.request(purge, server.url("/x")).text() == "PURGE /x\n")
        }
    }

    @Test("the fields of a call are sent in order and with repetitions")
    func headers() async throws {
        try await withTestServer { request in
            .ok(
                request.headers.filter { "\($0.name)".hasPrefix("X-") }.map { "\($0.name): \($0.value)" }.joined(
                    separator: "|"))
        } run: { server in
            let text = try await client.get(server.url(), headers: ["X-A": "1", "X-B": "2", "X-A": "3"]).text()
            #expect(text == "X-A: 1|X-B: 2|X-A: 3")
        }
    }

    @Test(
        "a field that could not be sent safely is an error, and nothing is sent",
        arguments: [
            ("X-A", "a\r\nX-Injected: 1"), ("X-A", "a\0b"), ("X A", "1"), ("", "1"), ("X-Ä", "1"), ("X:", "1"),
        ])
    func injection(name: String, value: String) async throws {
        try await withEcho { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url(), headers: [Headers.Name(name): value])
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.blame == .caller)
            #expect(error?.description.contains("Injected") == false)
            #expect(server.activity.requests == 0)
        }
    }

    @Test(
        "an invalid URL is an error and never a trap",
        arguments: [
            "", "nonsense", "ftp://example.com/", "http://", "http://[::1", "http://127.0.0.1:99999/",
            "http://ho st/", "http://a%2Fb/", "file:///etc/passwd",
        ])
    func badURL(url: String) async throws {
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .invalidURL)
        #expect(error?.phase == .prepare)
    }

    @Test("user name and password in a URL become Basic credentials and appear nowhere else")
    func userInfo() async throws {
        try await withTestServer { request in
            .ok("\(request["Authorization"] ?? "") \(request["Host"] ?? "")")
        } run: { server in
            let url = "http://ada:s%20cret@127.0.0.1:\(server.port)/"
            let response = try await client.get(url)
            #expect(try await response.text() == "Basic YWRhOnMgY3JldA== 127.0.0.1:\(server.port)")
            #expect(!response.url.description.contains("cret"))
        }
    }

    @Test("credentials in a URL are not sent over plain http to other machines unless allowed")
    func plaintextUserInfo() async throws {
        try await withTestServer { request in
            .ok(request["Authorization"] ?? "none")
        } run: { server in
            let url = "http://ada:s3cret@a.example:\(server.port)/"
            var configuration = ClientConfiguration()
            configuration.hostOverrides = ["a.example": [server.address]]
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient(configuration: configuration).get(url)
            }
            #expect(error?.code == .insecureCredentials && error?.blame == .policy && error?.phase == .prepare)
            #expect(error.map { "\($0)" }?.contains("s3cret") == false && server.activity.connections == 0)
            configuration.allowsPlaintextCredentials = true
            let text = try await HTTPClient(configuration: configuration).get(url).text()
            #expect(text == "Basic YWRhOnMzY3JldA==")
            // A field set by the caller is always sent.
            configuration.allowsPlaintextCredentials = false
            let own = HTTPClient(configuration: configuration)
            #expect(try await own.get(url, headers: [.authorization: "own"]).text() == "own")
        }
    }

    @Test("sequential requests share one connection of the pool")
    func reuse() async throws {
        try await withTestServer { request in
            .ok("\(request.connection)")
        } run: { server in
            let client = HTTPClient()
            for _ in 0..<20 { #expect(try await client.get(server.url()).text() == "0") }
            let statistics = try #require(client.pool?.statistics)
            #expect(statistics.created == 1)
            #expect(statistics.reused == 19)
        }
    }
}
