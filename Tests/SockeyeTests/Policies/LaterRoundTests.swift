import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Policies that repeat requests follow the same rules in the second and third round as in the first.
@Suite("Policies in the second and third round of a call", .timeLimit(.minutes(1)))
struct LaterRoundTests {
    private static let rounds = 0...2

    private let mock = MockTransport()
    private let url = "https://a.example/start"

    // MARK: Retries

    /// Sends a request that fails `rounds` times before the response `last`.
    private func retried(_ rounds: Int, _ last: TestServerResponse, decides: Bool) async throws -> Int {
        for _ in 0..<rounds { mock.enqueue(.status(503)) }
        mock.enqueue(last, .ok("too far"))
        let policy = RetryPolicy.plain(max: 9) { policy in
            if decides { policy.decide = { _ in .retry(after: .zero) } }
        }
        let response = try await HTTPClient.retrying(mock, policy).get(url)
        #expect(mock.requests.count == rounds + 1)
        return response.status.code
    }

    @Test("a good response ends retries", arguments: rounds, [false, true])
    func goodResponse(rounds: Int, decides: Bool) async throws {
        #expect(try await retried(rounds, .ok(), decides: decides) == 200)
    }

    @Test("a status that is not transient ends retries", arguments: rounds)
    func answers(rounds: Int) async throws {
        #expect(try await retried(rounds, .status(404), decides: false) == 404)
    }

    @Test("a pause that is too long ends retries", arguments: rounds)
    func pauses(rounds: Int) async throws {
        let last = TestServerResponse.status(503, headers: ["Retry-After": "3600"])
        #expect(try await retried(rounds, last, decides: false) == 503)
    }

    @Test("an error that is not transient ends retries", arguments: rounds)
    func errors(rounds: Int) async throws {
        let answers = Recorder<Int>()
        let mock = MockTransport { _ in
            answers.append(1)
            if answers.values.count <= rounds { return .status(503) }
            throw SockeyeError.failure(.malformedResponse)
        }
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient.retrying(mock, .plain(max: 9)).get(url)
        }
        #expect(error?.code == .malformedResponse && error?.attempt == rounds + 1)
    }

    // MARK: Redirects

    private func redirected(_ rounds: Int, _ last: TestServerResponse) {
        for round in 0..<rounds { mock.enqueue(.redirect(to: "/\(round)", status: 307)) }
        mock.enqueue(last, .ok("followed"))
    }

    @Test("a redirect from https to http is refused", arguments: rounds)
    func downgrade(rounds: Int) async throws {
        redirected(rounds, .redirect(to: "http://a.example/"))
        let error = await #expect(throws: SockeyeError.self) { try await HTTPClient(transport: mock).get(url) }
        #expect(error?.code == .redirectRefused && mock.requests.count == rounds + 1)
    }

    @Test("credentials are not sent to another origin, nor after a redirect back", arguments: rounds)
    func credentials(rounds: Int) async throws {
        redirected(rounds, .redirect(to: "https://b.example/", status: 307))
        mock.enqueue(.redirect(to: "https://a.example/end", status: 307), .ok())
        let headers: Headers = [.authorization: "s3cret", "X-Vault-Token": "s3cret", "X-Session-Token": "s3cret"]
        _ = try await HTTPClient(transport: mock).post(url, .body("content"), headers: headers)
        for (number, request) in mock.requests.enumerated() {
            #expect((request["Authorization"] != nil) == (number <= rounds))
            #expect((request["X-Vault-Token"] != nil) == (number <= rounds))
            #expect((request["X-Session-Token"] != nil) == (number <= rounds))
        }
    }

    @Test("303 changes a POST to a GET, and a 304 is returned", arguments: rounds)
    func methods(rounds: Int) async throws {
        redirected(rounds, .redirect(to: "/end", status: 303))
        #expect(try await HTTPClient(transport: mock).post(url, .body("content")).text() == "followed")
        #expect(mock.requests.map(\.method.rawValue) == Array(repeating: "POST", count: rounds + 1) + ["GET"])
        redirected(rounds, .status(304, headers: ["Location": "/no"]))
        #expect(try await HTTPClient(transport: mock).get(url).status == .notModified)
    }

    // MARK: Challenges

    @Test("a challenge is answered once over https, and not at all over http", arguments: rounds, ["https", "http"])
    func challenges(rounds: Int, scheme: String) async throws {
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "l"), for: "\(scheme)://a.example")
        redirected(rounds, .status(401, headers: ["WWW-Authenticate": "Basic realm=a"]))
        let client = HTTPClient(transport: mock).adding(.credentials(storage))
        let status = try await client.get("\(scheme)://a.example/start").status
        #expect(status == (scheme == "https" ? .ok : .unauthorized))
        #expect(mock.requests.count == rounds + (scheme == "https" ? 2 : 1))
    }
}
