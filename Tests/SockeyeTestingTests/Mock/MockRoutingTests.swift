import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Mock transport: routes and verification", .timeLimit(.minutes(1)))
struct MockRoutingTests {
    private let mock = MockTransport()
    private var client: HTTPClient { HTTPClient(transport: mock) }
    private let url = "http://api.test"

    @Test("a closure that is bound to a pattern receives the values of its placeholders")
    func parameters() async throws {
        mock.answer("GET /users/{id}") { request in .json(["id": request.parameters["id"], "admin": true]) }
        let reply = try await client.get("\(url)/users/a%20b", as: JSONValue.self)
        #expect(reply == ["id": "a b", "admin": true])
    }

    @Test("a route gives its answers in sequence and repeats the last one")
    func sequence() async throws {
        mock.answer("GET /x", with: .status(503), .status(.tooManyRequests), .ok("third"))
        var codes: [Int] = []
        for _ in 0..<4 { codes.append(try await client.get("\(url)/x").status.code) }
        #expect(codes == [503, 429, 200, 200])
    }

    @Test("a request that was matched before a reset uses up no answer of routes that are bound after the reset")
    func reset() async throws {
        let resetting = BodyPattern.matching { [mock] _ in
            mock.reset()
            mock.answer("POST /x", with: .ok("first"), .ok("second"))
            return true
        }
        mock.answer("POST /x", body: resetting, with: .ok("old"))
        var texts: [String] = []
        for _ in 0..<3 { texts.append(try await client.post("\(url)/x").text()) }
        #expect(texts == ["old", "first", "second"])
    }

    @Test(
        "an answer can be bound to a pattern for the request body",
        arguments: [
            (BodyPattern.json(["name": "Ada", "tags": [1, 2]]), #"{ "tags": [1.0, 2], "name": "\u0041da" }"#, true),
            (.json(["name": "Ada", "tags": [1, 2]]), #"{"name": "Ada", "tags": [1, 3]}"#, false),
            (.json(["name": "Ada"]), "no JSON", false), (.text("a\nb"), "a\nb", true), ("a", "b", false),
            (.text("\u{E9}"), "\u{E9}", true), (.text("\u{E9}"), "e\u{301}", false),
            (.form(["\u{E9}": "\u{E9}"]), "%C3%A9=%C3%A9", true), (.form(["a": "\u{E9}"]), "a=e%CC%81", false),
            (.form(["user": "a b"]), "x=1&user=a+b", true), (.form(["user": "ada"]), "user=bob", false),
            (.bytes([0x61]), "a", true), (.bytes([0x62]), "a", false), (.any, "", true),
            (.matching("a long body") { $0.body.count > 3 }, "1234", true),
            (.matching { _ in throw CancellationError() }, "1234", false),
        ] as [(BodyPattern, String, Bool)])
    func bodies(pattern: BodyPattern, body: String, matches: Bool) async throws {
        mock.answer("POST *") { _ in .ok("no") }
        mock.answer("POST /x", body: pattern) { _ in .ok("yes") }
        #expect(try await client.post("\(url)/x", .text(body)).text() == (matches ? "yes" : "no"))
        #expect(mock.requests(matching: "POST /x", body: pattern).count == (matches ? 1 : 0))
    }

    @Test("the error for an unmatched request names the differences from the closest route")
    func closest() async throws {
        mock.answer("DELETE /users/1", with: .ok())
        mock.answer("POST /users", body: .json(["name": "Ada", "age": 36]), with: .ok())
        let error = await #expect(throws: SockeyeError.self) {
            try await client.post("\(url)/users", .json(["name": "Bob", "age": 36]))
        }
        #expect((error?.underlying as? TestServerError)?.code == .unexpectedRequest)
        let message = error?.description ?? ""
        #expect(
            message.contains("no answer for POST http://api.test/users; the closest pattern, POST /users, differs in"))
        #expect(message.contains(#"body: .name: "Ada" expected, got "Bob""#))
        let failure = #expect(throws: TestServerError.self) { try mock.checkForFailures() }
        #expect(failure?.code == .unexpectedRequest)
    }

    @Test("`verify` checks which requests were sent and how often")
    func verification() async throws {
        mock.answer("*", with: .ok())
        for path in ["/a", "/a", "/b?page=1"] { #expect(try await client.get(url + path).status == .ok) }
        try mock.verify("GET /a", times: 2)
        try mock.verify("GET /a")
        try mock.verify("GET /a", times: 1...3)
        try mock.verify("GET /b?page=1", times: 1)
        try mock.verify("DELETE *", times: 0)
        try mock.checkForFailures()
        let error = #expect(throws: TestServerError.self) { try mock.verify("GET /b?page=2", times: 1) }
        #expect(error?.code == .verificationFailed)
        #expect(
            error?.message == """
                0 requests matched GET /b?page=2, expected 1; received requests:
                1. GET http://api.test/a (path /a; no page in the query)
                2. GET http://api.test/a (path /a; no page in the query)
                3. GET http://api.test/b?page=1 (query page=1)
                """)
        let once = #expect(throws: TestServerError.self) { try mock.verify("GET /b?page=1", times: 2) }
        #expect(once?.message.hasPrefix("1 request matched GET /b?page=1, expected 2;") == true)
        #expect(throws: TestServerError.self) { try mock.verify("GET /c") }
        mock.enqueue(.ok())
        #expect(throws: TestServerError.self) { try mock.checkForFailures() }
    }

    @Test("a request has its query and form as dictionaries")
    func items() async throws {
        mock.answer("POST /x") { request in
            .json([request.queryItems["q"], request.formItems["user"], request.formItems["none"]])
        }
        let reply = try await client.post("\(url)/x?q=a+b", .form(["user": "ada"]), as: [String?].self)
        #expect(reply == ["a b", "ada", nil])
    }

    @Test("interim responses and upload progress are reported as over a connection")
    func reports() async throws {
        mock.enqueue(TestServerResponse.ok("x").after(interim: 103, headers: ["Link": "</a.css>"]))
        let (interims, progress) = (Recorder<Int>(), Recorder<Int>())
        var options = OutgoingRequest.Options.reportingProgress { progress.append($0) }
        options.onInterim = { interims.append($0.status.code) }
        options.collectsMetrics = true
        let body = OutgoingRequest.Body.stream(Pieces(["ab", "cde"]))
        let response = try await client.post("\(url)/x", .body(body), options: options)
        #expect(interims.values == [103])
        #expect(progress.values == [2, 5])
        #expect(response.metrics?.bodyBytesSent == 5)
    }
}
