import Foundation
import SockeyeTesting
import Testing

/// The snippets of the articles and documentation comments of SockeyeTesting, compiled here.
@Suite("Snippets of SockeyeTesting's documentation")
struct SnippetTests {
    @Test("this file contains every line of the snippets")
    func snippets() throws {
        func code(_ line: Substring) -> String {
            line.hasPrefix("//") ? "" : line.filter { !$0.isWhitespace }
        }
        let file = URL(filePath: #filePath)
        let compiled = try String(contentsOf: file, encoding: .utf8).filter { !$0.isWhitespace }
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appending(path: "Sources/SockeyeTesting")
        // The snippets of these files are compiled in the targets with their dependencies: SockeyeWebSocketTests and
        // SockeyeDiskCacheTests.
        let elsewhere = ["Server/TestResponder+WebSocket.swift", "Stores/CacheStoreContract.swift"]
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) {
            guard !elsewhere.contains(path),
                path.hasSuffix(".swift") || path.hasSuffix("Testing.md") && !path.hasSuffix("SockeyeTesting.md")
            else {
                continue
            }
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            let lines = text.split(separator: "\n").map { line in
                line.drop { $0 == " " }.hasPrefix("///") ? line.drop { $0 == " " }.dropFirst(3) : line
            }
            var isSnippet = false
            for line in lines {
                let trimmed = line.drop { $0 == " " }
                if trimmed.hasPrefix("```") {
                    isSnippet = trimmed == "```swift"
                } else if isSnippet, !trimmed.isEmpty, trimmed != "…" {
                    count += 1
                    let isCompiled = code(trimmed).isEmpty || compiled.contains(code(trimmed))
                    #expect(isCompiled, "\(path): \(trimmed)")
                }
            }
        }
        #expect(count > 100)
    }

    struct User: Decodable { var name: String }

    private let client = HTTPClient()

    func article(server: TestServer) async throws {
        let mock = MockTransport()
        mock.answer("GET /users/{id}") { request in .json(["id": request.parameters["id"]]) }
        mock.answer("POST /users", body: .json(["name": "Ada"]), with: .status(503), .status(.created))
        let client = HTTPClient(transport: mock).adding(.retry(max: 1))

        try await client.post(
            "https://api.example.com/users", .json(["name": "Ada"]),
            headers: ["Idempotency-Key": "1"])

        try mock.verify("POST /users", times: 2)
        try mock.verify("DELETE *", times: 0)
        try mock.checkForFailures()

        mock.enqueue(.failure(.unresolved), .failure(.refused), .failure(.tls))
        mock.enqueue(.ok("half of it").cut(after: 4), .ok("late").delayed(by: .seconds(30)))
        mock.enqueue(TestServerResponse.ok("page").after(interim: .earlyHints, headers: ["Link": "</style.css>"]))

        let clock = ManualClock()
        let timed = MockTransport(clock: clock) { _ in .ok().delayed(by: .seconds(30)) }
        let slow = HTTPClient(transport: timed, clock: clock)
        let late = try await clock.advancing(by: .seconds(1)) {
            try await slow.get("https://api.example.com/late")
        }
        print(late)
    }

    func articleServers() async throws {
        let server = try TestServer { request in
            switch request {
            case "GET /users/*": .json(["name": "Ada", "tags": [1, "b"]])
            case "POST /users": .text(try await request.text(), status: .created)
            default: .status(.notFound)
            }
        }
        let response = try await client.get(server.url("/users/1"))
        try server.checkForFailures()

        let authority = try TestCertificateAuthority()
        let secure = try TestServer(tls: TestTLS(authority)) { _ in .ok("secret") }
        let trusting = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        print(response, secure, trusting)

        let proxy = try FaultProxy(to: server)
        proxy.responses = [.latency(.milliseconds(20)), .bandwidth(bytesPerSecond: 50_000)]
        let report = try await client.get(proxy.url("/report"))

        proxy.responses = [.cut(after: 5000).inShare(0.1)]
        proxy.resetConnections()
        print(report)
    }

    func articleRecordings(token: String) async throws {
        try await withRecording("Recordings/users.txt") { client in
            let user = try await client.adding(.bearer(token)).get(
                "https://api.example.com/users/1", as: User.self)
            #expect(user.name == "Ada")
        }
        var rules = RecordingRules()
        rules.removeFields("X-Customer")
        rules.removeQueryItems("tenant")
        rules.removeMembers("iban", "birthday")
        rules.rewrite { $0.replacing(/\/hooks\/[\w\/]+/, with: "/hooks/\(RecordingRules.mark)") }
        let ordered = RecordedTransport.Matching(order: .strict, fields: [.range])
        let recorded = try RecordedTransport("Recordings/payments.txt", rules: rules, matching: ordered)
        print(recorded)
    }

    func recording() async throws {
        var rules = RecordingRules()
        rules.replace("customer-4711", with: "customer-1")
        let recorded = try RecordedTransport("Recordings/users.txt", rules: rules)
        let client = HTTPClient(transport: recorded).adding(.retry(max: 2))
        let user = try await client.get("https://api.example.com/users/1", as: User.self)
        try await recorded.finish()
        print(user)
    }

    func mocks(data: Bytes, chunks: Pieces) async throws {
        let client = HTTPClient(
            transport: MockTransport { request in
                switch request {
                case "GET /users/1": .json(["name": "Ada"])
                default: .status(.notFound)
                }
            })
        let mock = MockTransport()
        mock.answer("POST /users", body: .json(["name": "Ada"]), with: .status(.serviceUnavailable), .status(.created))
        mock.enqueue(.failure(.refused), .ok("first try"))
        mock.answer("POST /users", body: .json(["name": "Ada"]), with: .status(.created))
        mock.answer("POST /login", body: .form(["user": "ada"])) { _ in .ok() }
        mock.answer("https://api.example.com/*", with: .status(503))
        mock.answer(RequestPattern("GET /search?q=swift").header(.accept, "application/json"), with: .json([]))
        let responses: [TestServerResponse] = [
            .ok("hello"),
            .json(["id": 1]),
            .status(404),
            .bytes(data, contentType: "image/png"),
            .stream(chunks),
            .source(length: 1 << 30),
            .redirect(to: "/elsewhere"),
        ]
        print(client, responses)
    }

    func servers() async throws {
        let server = try await TestServer.start { request in
            switch (request.method, request.path) {
            case (.get, "/users/1"): .json(["name": "Ada"])
            case (.post, "/users"): .text(try await request.text(), status: 201)
            default: .status(404)
            }
        }
        let user = try await client.get(server.url("/users/1"), as: User.self)
        try server.checkForFailures()
        let other = try TestServer { request in
            switch request {
            case "GET /users/1": .json(["name": "Ada", "admin": true])
            default: .status(.notFound)
            }
        }
        try await withTestServer { request in
            .ok("hello")
        } run: { server in
            let text = try await client.get(server.url()).text()
            #expect(text == "hello")
        }
        print(user, other)
    }

    func rawServers() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead,
            .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"),
            .reset,
        ])
        await #expect(throws: SockeyeError.self) { try await client.get(server.url()).text() }
        #expect(server.receivedText().hasPrefix("GET / HTTP/1.1\r\n"))
    }

    func faults(server: TestServer) async throws {
        let proxy = try FaultProxy(to: server)
        proxy.responses = [.latency(.milliseconds(20), jitter: .milliseconds(5)), .bandwidth(bytesPerSecond: 50_000)]
        let response = try await client.get(proxy.url("/report"))
        proxy.responses = [.cut(after: 100)]
        await #expect(throws: SockeyeError.self) { try await client.get(proxy.url("/report")).bytes() }
        print(response)
    }

    func order() async throws {
        let mayAnswer = TestSignal()
        let server = try await TestServer.start { request in
            try await mayAnswer.wait()
            return .ok("late")
        }
        async let response = client.get(server.url())
        try await server.wait { $0.requests == 1 }
        mayAnswer.fire()
        _ = try await response
    }

    func time(server: TestServer) async throws {
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        let error = await #expect(throws: SockeyeError.self) {
            try await clock.advancing(by: .seconds(10)) { try await client.get(server.url("/silence")) }
        }
        #expect(error?.code == .timeout)
    }

    func certificates() async throws {
        let authority = try TestCertificateAuthority()
        let certificate = try authority.issue()
        var expired = TestCertificateOptions()
        expired.validUntil = .seconds(-60)
        let old = try authority.issue(expired)
        let tls = TLSOptions(roots: authority.roots)
        let server = try await TestServer.start(tls: TestTLS(authority)) { _ in .ok("secret") }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        print(certificate, old, tls, server, client)
    }

    struct MyTransport: HTTPTransport {
        private let client = HTTPClient()

        /// Bypasses the policies of `client`, because the client that uses this transport applies its own.
        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            try await client.transport.send(request)
        }
    }

    @Test func myTransport() async throws {
        let report = try await TransportConformance.report(on: MyTransport())
        #expect(report.failures.isEmpty, "\(report)")
    }
}
