import Sockeye
import SockeyeTesting
import Testing

@Suite("Answers to challenges", .timeLimit(.minutes(1))) struct ChallengeTests {
    private let storage = Credential.Storage()
    private let url = "https://a.example/x/y"
    private let ada = "Basic YWRhOmw="

    private func challenge(_ values: String..., status: Int = 401) -> TestServerResponse {
        var headers = Headers()
        for value in values { headers.append(.wwwAuthenticate, value) }
        return .text("who are you?", status: status, headers: headers)
    }

    private func stored(_ mock: MockTransport, realm: String? = nil, plaintext: Bool = false) throws -> HTTPClient {
        try storage.set(.user("ada", password: "l"), for: url, realm: realm)
        try storage.set(.user("ada", password: "l"), for: "http://a.example", realm: realm)
        return HTTPClient(transport: mock).adding(.credentials(storage, allowsPlaintext: plaintext))
    }

    @Test("a challenge is answered with the credential of its realm, which later requests below the path send at once")
    func basic() async throws {
        let mock = MockTransport()
        let client = try stored(mock, realm: "r")
        mock.enqueue(challenge("Basic realm=r"), .ok("in"), .ok("again"), .ok("elsewhere"))
        let response = try await client.post(url, .body("content"))
        #expect(try await response.text() == "in")
        #expect(response.history.map(\.reason) == [.challenged] && response.history.first?.status == .unauthorized)
        #expect(try await client.get("https://a.example/x/z").text() == "again")
        #expect(try await client.get("https://a.example/").text() == "elsewhere")
        #expect(mock.requests.map { $0["Authorization"] } == [nil, ada, ada, nil])
        #expect(mock.requests.map(\.text) == ["content", "content", "", ""])
    }

    @Test("an answer that the server behind a unix-domain socket accepted is sent only over the same socket")
    func sockets() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        var options = OutgoingRequest.Options()
        options.unixSocketPath = "/run/a"
        mock.enqueue(challenge("Basic realm=r"), .ok(), .ok(), .ok(), .ok())
        for _ in 0..<2 { #expect(try await client.get(url, options: options).status == .ok) }
        for path in ["/run/b", nil] {
            options.unixSocketPath = path
            #expect(try await client.get(url, options: options).status == .ok)
        }
        #expect(mock.requests.map { $0["Authorization"] } == [nil, ada, ada, nil, nil])
    }

    @Test("the Digest answer for a CONNECT covers its target, which is an authority")
    func connect() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        mock.enqueue(challenge("Digest realm=r, nonce=n, qop=auth"), .ok())
        let response = try await client.send(OutgoingRequest(method: .connect, url: url))
        #expect(response.status == .ok)
        #expect(mock.requests.last?["Authorization"]?.contains("uri=\"a.example:443\"") == true)
    }

    @Test(
        "a 401 whose challenge cannot be answered is returned",
        arguments: [
            ["Basic realm=other"], ["Negotiate"], [], ["Basic realm=\"r"], ["Bearer realm=r"], ["Digest realm=r"],
            ["Digest realm=r, nonce=n, algorithm=X"],
        ])
    func unanswerable(values: [String]) async throws {
        let mock = MockTransport()
        let client = try stored(mock, realm: "r")
        var headers = Headers()
        for value in values { headers.append(.wwwAuthenticate, value) }
        mock.enqueue(.text("who are you?", status: 401, headers: headers))
        let response = try await client.get(url)
        #expect(response.status == .unauthorized)
        #expect(try await response.text() == "who are you?")
        #expect(mock.requests.count == 1)
    }

    @Test("each challenge is answered once, and a rejected answer is not reused by later requests")
    func once() async throws {
        let mock = MockTransport()
        let refusal = challenge("Basic realm=r", "Digest realm=r, nonce=n")
        mock.answer(nil, "/*") { _ in refusal }
        let client = try stored(mock)
        #expect(try await client.get(url).status == .unauthorized)
        // Digest and then Basic, each once.
        #expect(mock.requests.map { $0["Authorization"]?.prefix(6) } == [nil, "Digest", "Basic "])
        #expect(try await client.get(url).status == .unauthorized)
        #expect(mock.requests.count == 6 && mock.requests[3]["Authorization"] == nil)
    }

    @Test("the strongest challenge is answered")
    func strongest() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        mock.enqueue(
            challenge(
                "Basic realm=r, Digest realm=r, nonce=n, qop=auth",
                "Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256, Digest realm=r, nonce=n, algorithm=MD5"), .ok())
        #expect(try await client.get(url).status == .ok)
        #expect(mock.requests[1]["Authorization"]?.contains("algorithm=SHA-256") == true)
    }

    @Test("over plain http a Digest challenge is answered, and a Basic challenge only if the policy allows it")
    func plaintext() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        let plain = "http://a.example/"
        mock.enqueue(challenge("Basic realm=r"))
        #expect(try await client.get(plain).status == .unauthorized)
        mock.enqueue(challenge("Basic realm=r, Digest realm=r, nonce=n"), .ok())
        #expect(try await client.get(plain).status == .ok)
        #expect(mock.requests.last?["Authorization"]?.hasPrefix("Digest ") == true)
        let allowed = try stored(mock, plaintext: true)
        mock.enqueue(challenge("Basic realm=r"), .ok())
        #expect(try await allowed.get(plain).status == .ok)
        #expect(mock.requests.last?["Authorization"] == ada)
    }

    @Test("a request with a one-shot body gets the 401 as its response")
    func replay() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        mock.enqueue(challenge("Basic realm=r"))
        let once = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1])
            continuation.finish()
        }
        #expect(try await client.put(url, .stream(once)).status == .unauthorized)
        #expect(mock.requests.count == 1)
    }

    @Test("an Authorization field of the caller is neither changed nor replaced")
    func ownField() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        mock.enqueue(challenge("Basic realm=r"))
        #expect(try await client.get(url, headers: [.authorization: "own"]).status == .unauthorized)
        #expect(mock.requests.count == 1)
    }

    @Test("statuses other than 401 are not answered, even with a challenge")
    func otherStatus() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        for status in [407, 403, 200] {
            mock.enqueue(challenge("Basic realm=r", status: status))
            #expect(try await client.get(url).status.code == status)
        }
        #expect(mock.requests.count == 3)
    }

    @Test("a credential removed from the storage or replaced is not sent any more")
    func changes() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        mock.enqueue(challenge("Basic realm=r"), .ok(), .ok(), .ok())
        _ = try await client.get(url)
        try storage.set(.user("ada", password: "new"), for: url)
        _ = try await client.get(url)
        storage.removeAll()
        _ = try await client.get(url)
        #expect(mock.requests.map { $0["Authorization"] } == [nil, ada, nil, nil])
    }

    @Test("credentials of the URL override the storage's and answer Digest challenges")
    func urlCredentials() async throws {
        let mock = MockTransport()
        let client = try stored(mock)
        mock.enqueue(challenge("Digest realm=r, nonce=n, qop=auth"), .ok(), .ok())
        let own = "https://bob:b@a.example/x/y"
        #expect(try await client.get(own).status == .ok)
        #expect(mock.requests[1]["Authorization"]?.contains("username=\"bob\"") == true)
        // The answer learned for the user in the URL is not used for other requests.
        #expect(try await client.get(url).status == .ok)
        #expect(mock.requests[2]["Authorization"] == nil)
        // A challenge is not answered with an answer that the request already had. The request of the first of these
        // calls had a Digest answer, so that call tries Basic once.
        mock.enqueue(challenge("Basic realm=r"), challenge("Basic realm=r"), challenge("Basic realm=r"))
        #expect(try await client.get(own).status == .unauthorized)
        #expect(try await client.get(own).status == .unauthorized)
        #expect(mock.requests.count == 6 && mock.pendingAnswers == 0)
    }

    @Test("a credential storage distinguishes realms and origins")
    func storageRules() throws {
        let origin = try HTTPURL("https://a.example/").origin
        storage.set(.user("all", password: ""), for: origin)
        storage.set(.user("one", password: ""), for: origin, realm: "r")
        #expect(storage.credential(for: origin)?.user == "all")
        #expect(storage.credential(for: origin, realm: "r")?.user == "one")
        #expect(storage.credential(for: origin, realm: "other")?.user == "all")
        #expect(storage.credential(for: try HTTPURL("https://a.example:444/").origin) == nil)
        storage.remove(for: origin)
        #expect(storage.credential(for: origin, realm: "r")?.user == "one" && storage.credential(for: origin) == nil)
        let error = #expect(throws: SockeyeError.self) { try storage.set(.bearer("t"), for: "nonsense") }
        #expect(error?.code == .invalidURL)
    }
}
