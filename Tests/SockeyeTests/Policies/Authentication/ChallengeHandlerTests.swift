import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Handlers of challenges", .timeLimit(.minutes(1))) struct ChallengeHandlerTests {
    private struct Broken: Error {}

    private let url = "https://a.example/"
    private let mock = MockTransport()

    private func client(
        _ storage: Credential.Storage? = nil,
        _ handler: @escaping @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition
    ) -> HTTPClient {
        HTTPClient(transport: mock).adding(.challengeHandler(storage: storage, handler))
    }

    private func refuse(_ times: Int, _ challenge: String = "Basic realm=r, Negotiate") {
        for _ in 0..<times { mock.enqueue(.text("who?", status: 401, headers: [.wwwAuthenticate: challenge])) }
        mock.enqueue(.ok("in"))
    }

    @Test("the handler gets request, challenges and number of failures, and is called again after a rejection")
    func asking() async throws {
        refuse(3)
        let failures = Recorder<Int>()
        let client = client { challenge in
            failures.append(challenge.previousFailures)
            #expect(challenge.challenges.map(\.scheme) == ["Basic", "Negotiate"])
            #expect(challenge.request.url.description == "https://a.example/")
            #expect(challenge.request.headers[.authorization] == nil && challenge.headers[.contentType] != nil)
            return .useCredential(.user("try", password: "\(challenge.previousFailures)"))
        }
        #expect(try await client.get(url).text() == "in")
        #expect(failures.values == [0, 1, 2])
        #expect(mock.requests.last?["Authorization"] == "Basic dHJ5OjI=")
    }

    @Test("the call ends with the 401 if the handler repeats a credential, cancels or has given eight credentials")
    func ending() async throws {
        refuse(2)
        let same = client { _ in .useCredential(.user("a", password: "b")) }
        #expect(try await same.get(url).status == .unauthorized)
        mock.reset()
        refuse(1)
        let response = try await client { _ in .cancel }.get(url)
        #expect(response.status == .unauthorized)
        #expect(try await response.text() == "who?")
        mock.reset()
        refuse(20)
        let asked = Recorder<Int>()
        let endless = client { challenge in
            asked.append(0)
            return .useCredential(.user("a", password: "\(challenge.previousFailures)"))
        }
        #expect(try await endless.get(url).status == .unauthorized)
        #expect(mock.requests.count == 9 && asked.values.count == 8)
    }

    @Test("a stale nonce is replaced without a call of the handler and is not a failure")
    func stale() async throws {
        let failures = Recorder<Int>()
        let client = client { challenge in
            failures.append(challenge.previousFailures)
            return challenge.previousFailures == 0 ? .useCredential(.user("a", password: "b")) : .cancel
        }
        refuse(1, "Digest realm=r, nonce=1, qop=auth")
        #expect(try await client.get(url).text() == "in")
        refuse(1, "Digest realm=r, nonce=2, qop=auth, stale=true")
        #expect(try await client.get(url).text() == "in")
        #expect(failures.values == [0])
        #expect(mock.requests.last?["Authorization"]?.contains("nonce=\"2\"") == true)
        // If a server calls every nonce stale, the answer counts as a failure, and the handler is asked.
        for nonce in 3...5 {
            let challenge = "Digest realm=r, nonce=\(nonce), qop=auth, stale=true"
            mock.enqueue(.text("who?", status: 401, headers: [.wwwAuthenticate: challenge]))
        }
        #expect(try await client.get(url).status == .unauthorized)
        #expect(failures.values.count == 2 && failures.values.last != 0)
    }

    @Test("performDefault uses the credentials of the storage or the URL")
    func performDefault() async throws {
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "l"), for: url)
        refuse(1)
        #expect(try await client(storage) { _ in .performDefault }.get(url).text() == "in")
        refuse(1, "Digest realm=r, nonce=n")
        let own = "https://bob:b@a.example/"
        #expect(try await client { _ in .performDefault }.get(own).text() == "in")
        #expect(mock.requests.last?["Authorization"]?.hasPrefix("Digest username=\"bob\"") == true)
        mock.reset()
        refuse(1)
        #expect(try await client { _ in .performDefault }.get(url).status == .unauthorized)
    }

    @Test("after performDefault, a credential that was removed from the storage is not sent to its protection space")
    func removedDefault() async throws {
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "l"), for: url)
        let client = client(storage) { _ in .performDefault }
        refuse(1)
        #expect(try await client.get(url).text() == "in")
        mock.enqueue(.ok("again"))
        #expect(try await client.get(url).text() == "again")
        storage.removeAll()
        refuse(1)
        #expect(try await client.get(url).status == .unauthorized)
        #expect(mock.requests.map { $0["Authorization"] } == [nil, "Basic YWRhOmw=", "Basic YWRhOmw=", nil])
    }

    @Test("after performDefault, the credentials of a URL are not sent with requests whose URL has none")
    func foreignDefault() async throws {
        let asked = Recorder<String>()
        let client = client { challenge in
            asked.append(challenge.request.url.description)
            return .performDefault
        }
        refuse(1, "Digest realm=r, nonce=n")
        #expect(try await client.get("https://bob:b@a.example/").text() == "in")
        refuse(1, "Digest realm=r, nonce=n")
        #expect(try await client.get(url).status == .unauthorized)
        #expect(asked.values.count == 2 && mock.requests.count == 3)
        #expect(mock.requests.last?["Authorization"] == nil)
    }

    @Test("the handler's answer to a challenge is reused for URLs that have only its user, but not for another user")
    func userInURL() async throws {
        let asked = Recorder<Int>()
        let client = client { challenge in
            asked.append(challenge.previousFailures)
            return .useCredential(.user("bob", password: "b"))
        }
        let own = "https://bob@a.example/"
        refuse(1, "Digest realm=r, nonce=n, qop=auth")
        #expect(try await client.get(own).text() == "in")
        mock.enqueue(.ok("again"))
        #expect(try await client.get(own).text() == "again")
        #expect(mock.requests.last?["Authorization"]?.contains("nc=00000002") == true)
        mock.enqueue(.ok("other"))
        #expect(try await client.get("https://ada@a.example/").text() == "other")
        #expect(mock.requests.last?["Authorization"] == nil && asked.values.count == 1)
    }

    @Test("an error of the handler is the cause of the call's error, which has the 401 as evidence")
    func failing() async throws {
        refuse(1)
        let error = await #expect(throws: SockeyeError.self) { try await client { _ in .fail(Broken()) }.get(url) }
        #expect(error?.code == .authenticationFailed && error?.underlying is Broken && error?.url == url)
        #expect(error?.response?.status == .unauthorized)
        mock.reset()
        refuse(1)
        let thrown = await #expect(throws: SockeyeError.self) {
            try await client { _ in throw CancellationError() }.get(url)
        }
        #expect(thrown?.code == .cancelled)
    }

    @Test("the handler can answer a Bearer challenge with a token")
    func bearer() async throws {
        refuse(1, "Basic realm=r, Bearer realm=t")
        #expect(try await client { _ in .useCredential(.bearer("t0ken")) }.get(url).text() == "in")
        #expect(mock.requests.last?["Authorization"] == "Bearer t0ken")
    }

    @Test("the handler is not asked about a 401 without a challenge")
    func withoutChallenge() async throws {
        mock.enqueue(.status(401))
        let client = client { _ in
            Issue.record("asked")
            return .cancel
        }
        #expect(try await client.get(url).status == .unauthorized)
    }

    // MARK: Other origins

    /// Redirects requests for a.example to another origin, which challenges for a password.
    private static func redirecting(_ request: MockRequest, to target: String = "https://evil.example/")
        -> TestServerResponse
    {
        if request.url.host == "a.example", request.path != "/back" { return .redirect(to: target) }
        if request.path == "/return" { return .redirect(to: "https://a.example/back") }
        guard request["Authorization"] == nil else { return .ok("in") }
        return .status(401, headers: [.wwwAuthenticate: "Basic realm=r"])
    }

    private func asking(
        _ mock: MockTransport, _ seen: Recorder<String>, anywhere: Bool = false
    ) -> HTTPClient {
        HTTPClient(transport: mock).adding(
            .challengeHandler { challenge in
                seen.append("\(challenge.origin) \(challenge.isFromRequestedOrigin)")
                return .useCredential(.user("ada", password: "s3cret"), anywhere: anywhere)
            })
    }

    @Test("after a redirect the handler's credential is not sent to another origin unless the handler sets `anywhere`")
    func redirected() async throws {
        let seen = Recorder<String>()
        let mock = MockTransport { Self.redirecting($0) }
        #expect(try await asking(mock, seen).get(url).status == .unauthorized)
        #expect(mock.requests.allSatisfy { $0["Authorization"] == nil })
        #expect(seen.values == ["https://evil.example false"])
        #expect(try await asking(mock, seen, anywhere: true).get(url).text() == "in")
        // An origin that the caller requests directly gets the credential.
        #expect(try await asking(mock, seen).get("https://evil.example/").text() == "in")
        #expect(seen.values.last == "https://evil.example true")
    }

    @Test("the handler's credential is not sent after a second redirect leads back to the first origin")
    func redirectedBack() async throws {
        let seen = Recorder<String>()
        let mock = MockTransport { Self.redirecting($0, to: "https://evil.example/return") }
        #expect(try await asking(mock, seen).get(url).status == .unauthorized)
        #expect(seen.values == ["https://a.example false"])
    }

    @Test("a credential that an origin accepted is not sent there again when a redirect leads to that origin")
    func remembered() async throws {
        let seen = Recorder<String>()
        let mock = MockTransport { Self.redirecting($0) }
        let client = asking(mock, seen)
        #expect(try await client.get("https://evil.example/").text() == "in")
        #expect(try await client.get("https://evil.example/").text() == "in")
        #expect(seen.values.count == 1 && mock.requests.count == 3)
        #expect(try await client.get(url).status == .unauthorized)
        #expect(mock.requests.last?["Authorization"] == nil)
    }

    @Test("after `anywhere`, a stale nonce of the redirect target is replaced without a call of the handler")
    func staleElsewhere() async throws {
        let tries = Recorder<Int>()
        let seen = Recorder<String>()
        let mock = MockTransport { request in
            if request.url.host == "a.example" { return .redirect(to: "https://evil.example/") }
            tries.append(0)
            guard tries.values.count < 3 else { return .ok("in") }
            let challenge = "Digest realm=r, nonce=n\(tries.values.count), qop=auth, stale=\(tries.values.count == 2)"
            return .status(401, headers: [.wwwAuthenticate: challenge])
        }
        #expect(try await asking(mock, seen, anywhere: true).get(url).text() == "in")
        #expect(seen.values.count == 1)
    }
}
