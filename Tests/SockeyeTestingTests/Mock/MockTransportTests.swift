import Sockeye
import SockeyeTesting
import Testing

@Suite("Mock transport", .timeLimit(.minutes(1)))
struct MockTransportTests {
    private static let url = "http://example.com/users/1?a=b"

    @Test("the transport answers with a closure that sees the whole request")
    func closure() async throws {
        let client = HTTPClient(
            transport: MockTransport { request in
                #expect(request.method == .post)
                #expect(request.path == "/users/1")
                #expect(request.query == "a=b")
                #expect(request["content-type"] == "application/json")
                return .json(["got": try request.json([String: Int].self)["id"]])
            })
        let reply = try await client.post(Self.url, .json(["id": 7]), as: [String: Int].self)
        #expect(reply == ["got": 7])
    }

    @Test("queued answers come first, then bound ones, the latest first, then the closure's")
    func order() async throws {
        let mock = MockTransport { _ in .ok("closure") }
        mock.answer(.get, "/users/*") { _ in .ok("users") }
        mock.answer(nil, "/users/1") { _ in .ok("one") }
        mock.enqueue(.status(503), .ok("queued"))
        let client = HTTPClient(transport: mock)
        #expect(try await client.get(Self.url).status == .serviceUnavailable)
        #expect(mock.pendingAnswers == 1)
        #expect(try await client.get(Self.url).text() == "queued")
        #expect(try await client.get(Self.url).text() == "one")
        #expect(try await client.get("http://example.com/users/2").text() == "users")
        #expect(try await client.post("http://example.com/users/2").text() == "closure")
        #expect(mock.requests.map(\.path) == ["/users/1", "/users/1", "/users/1", "/users/2", "/users/2"])
        mock.reset()
        #expect(mock.requests.isEmpty)
    }

    @Test("an unexpected request fails with the reason")
    func unexpected() async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient(transport: MockTransport()).get(Self.url)
        }
        #expect((error?.underlying as? TestServerError)?.code == .unexpectedRequest)
    }

    @Test("head, reason, repeated fields and trailers are delivered as from a connection")
    func head() async throws {
        let client = HTTPClient(
            transport: MockTransport { _ in
                .text("x", status: 418, headers: ["Set-Cookie": "a=1", "Set-Cookie": "b=2"]).trailers(["Sum": "1"])
            })
        let response = try await client.get(Self.url)
        #expect(response.status.code == 418)
        #expect(response.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(response[.contentType] == "text/plain; charset=utf-8")
        #expect(try await response.text() == "x")
        #expect(response.trailers?["Sum"] == "1")
    }

    @Test("a response has no body if none is allowed", arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func bodyless(method: String, status: Int) async throws {
        let client = HTTPClient(transport: MockTransport { _ in .text("body", status: status) })
        let response = try await client.request(#require(.init(rawValue: method)), Self.url)
        #expect(response[.contentLength] == (method == "HEAD" ? "4" : nil))
        #expect(try await response.bytes().isEmpty)
    }

    @Test("bodies are streamed in both directions")
    func streams() async throws {
        let mock = MockTransport { request in
            #expect(request.bodyLength == nil)
            #expect(request.trailers["T"] == "v")
            return .stream(Pieces([request.text, "", "!"]))
        }
        let body = OutgoingRequest.Body.stream(Pieces(["a", "b", "c"])).trailers { ["T": "v"] }
        let response = try await HTTPClient(transport: mock).post(Self.url, .body(body))
        var pieces: [String] = []
        for try await piece in response.body { pieces.append(String(decoding: piece, as: UTF8.self)) }
        #expect(pieces == ["abc", "!"])
    }

    @Test("the size of a collected request body is limited, and a body with a wrong length is detected")
    func limits() async throws {
        let client = HTTPClient(transport: MockTransport(bodyLimit: 3) { _ in .ok() })
        #expect(try await client.post(Self.url, .body("abc")).status == .ok)
        let tooLarge = await #expect(throws: SockeyeError.self) { try await client.post(Self.url, .body("abcd")) }
        #expect((tooLarge?.underlying as? TestServerError)?.code == .bodyTooLarge)
        let ignored = await #expect(throws: SockeyeError.self) {
            try await client.post(
                Self.url,
                .writer { body in
                    for piece in ["abcd", "abc"] { try? await body.write(piece) }
                })
        }
        #expect((ignored?.underlying as? TestServerError)?.code == .bodyTooLarge)
        let tooShort = await #expect(throws: SockeyeError.self) {
            try await client.post(Self.url, .stream(Pieces(["a"]), length: 2))
        }
        #expect((tooShort?.underlying as? TestServerError)?.code == .malformedRequest)
    }

    @Test("errors of the closure and of a body reach the caller")
    func errors() async throws {
        struct Oops: Error {}
        let client = HTTPClient(
            transport: MockTransport { request in
                guard request.path == "/body" else { throw Oops() }
                return .stream(
                    AsyncThrowingStream<[UInt8], any Error> { continuation in
                        continuation.yield([1])
                        continuation.finish(throwing: Oops())
                    })
            })
        let error = await #expect(throws: SockeyeError.self) { try await client.get(Self.url) }
        #expect(error?.underlying is Oops)
        let response = try await client.get("http://example.com/body")
        let bodyError = await #expect(throws: SockeyeError.self) { try await response.bytes() }
        #expect(bodyError?.code == .connectionClosed)
    }

    @Test("the `never` answer waits until the task is cancelled")
    func never() async throws {
        let asked = TestSignal()
        let client = HTTPClient(
            transport: MockTransport { _ in
                asked.fire()
                return .never
            })
        let task = Task { try await client.get(Self.url) }
        try await asked.wait()
        task.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
