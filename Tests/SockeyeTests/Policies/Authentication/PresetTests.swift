import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Credentials sent without a challenge", .timeLimit(.minutes(1))) struct PresetTests {
    private let mock = MockTransport { .ok($0["Authorization"] ?? "none") }
    private let url = "https://a.example/x"

    private func client(_ policy: AuthenticationPolicy) -> HTTPClient {
        HTTPClient(transport: mock, interceptors: [policy])
    }

    @Test("Basic and Bearer credentials are sent with each request")
    func sent() async throws {
        #expect(try await client(.basic(user: "ada", password: "l")).get(url).text() == "Basic YWRhOmw=")
        #expect(try await client(.bearer("t0ken")).get(url).text() == "Bearer t0ken")
        let asked = client(.basic(user: "ada", password: "wr0ng"))
        mock.enqueue(.status(401, headers: ["WWW-Authenticate": "Basic realm=a"]))
        #expect(try await asked.get(url).status == .unauthorized)
        #expect(mock.requests.count == 3)
    }

    @Test("an Authorization field of the call and credentials of the URL override the policy's")
    func precedence() async throws {
        let client = client(.basic(user: "ada", password: "l"))
        #expect(try await client.get(url, headers: [.authorization: "own"]).text() == "own")
        #expect(try await client.scoped(headers: [.authorization: "scope"]).get(url).text() == "scope")
        // The transport makes the Authorization field from the credentials in the URL.
        #expect(try await client.get("https://bob:b@a.example/").text() == "none")
    }

    @Test("a scope or a call can replace or remove the client's credentials")
    func clearing() async throws {
        let client = client(.basic(user: "ada", password: "l"))
        #expect(try await client.adding(.bearer("b")).get(url).text() == "Bearer b")
        #expect(try await client.get(url, options: .intercepting(.bearer("c"))).text() == "Bearer c")
        #expect(try await client.removing(.authentication).get(url).text() == "none")
        #expect(try await client.get(url, options: .skipping(.authentication)).text() == "none")
    }

    @Test("credentials for named origins are sent to no other origin")
    func origins() async throws {
        let client = client(.bearer("t", origins: ["https://a.example/ignored", "https://b.example:444"]))
        #expect(try await client.get(url).text() == "Bearer t")
        #expect(try await client.get("https://b.example:444/").text() == "Bearer t")
        for other in ["https://b.example/", "http://a.example/", "https://sub.a.example/", "https://a.example:444/"] {
            #expect(try await client.get(other).text() == "none", "\(other)")
        }
        let broken = self.client(.bearer("t", origins: ["nonsense"]))
        #expect(await #expect(throws: SockeyeError.self) { try await broken.get(url) }?.code == .invalidURL)
    }

    @Test(
        "over plain http, credentials are sent to this machine",
        arguments: ["http://localhost/", "http://127.0.0.1/", "http://[::1]/", "http://a.localhost/"])
    func loopback(url: String) async throws {
        #expect(try await client(.bearer("t")).get(url).text() == "Bearer t")
    }

    @Test("a request with credentials over http to another machine fails, unless allowed or over a unix socket")
    func plaintext() async throws {
        let url = "http://a.example/"
        for policy in [
            AuthenticationPolicy.bearer("t"), .basic(user: "a", password: "b"),
            .bearer { AuthenticationPolicy.Token("t") },
        ] {
            let error = await #expect(throws: SockeyeError.self) { try await client(policy).get(url) }
            #expect(error?.code == .insecureCredentials && error?.blame == .policy && error?.phase == .prepare)
            #expect(error?.url == url)
        }
        #expect(mock.requests.isEmpty)
        #expect(try await client(.bearer("t", allowsPlaintext: true)).get(url).text() == "Bearer t")
        var options = OutgoingRequest.Options()
        options.unixSocketPath = "/tmp/socket"
        #expect(try await client(.bearer("t")).get(url, options: options).text() == "Bearer t")
    }

    @Test(
        "credentials that cannot be sent fail the request, and the error does not show them",
        arguments: [
            AuthenticationPolicy.basic(user: "s3cret:x", password: ""), .basic(user: "a", password: "s3cret\n"),
            .bearer("s3cret\r\nX: y"), .bearer(""), .bearer { AuthenticationPolicy.Token("s3cret x") },
        ])
    func faults(policy: AuthenticationPolicy) async throws {
        let error = await #expect(throws: SockeyeError.self) { try await client(policy).get(url) }
        #expect(error?.code == .invalidRequest)
        #expect("\(error as Any)".contains("s3cret") == false)
        #expect(mock.requests.isEmpty)
    }

    @Test("no description or dump of policies, clients, requests, tokens or storages shows credentials")
    func secrecy() async throws {
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "s3cret"), for: url)
        let policies: [AuthenticationPolicy] = [
            .basic(user: "ada", password: "s3cret"), .bearer("s3cret"), .digest(user: "ada", password: "s3cret"),
            .credentials(storage),
            .bearer(initial: AuthenticationPolicy.Token("s3cret")) { AuthenticationPolicy.Token("s3cret") },
        ]
        var text = "\(storage) \(AuthenticationPolicy.Token("s3cret"))"
        dump(storage, to: &text)
        dump(AuthenticationPolicy.Token("s3cret", expiresIn: .seconds(1)), to: &text)
        for policy in policies {
            print(policy, terminator: "", to: &text)
            dump(policy, to: &text)
            dump(client(policy), to: &text)
            var seen: [OutgoingRequest] = []
            let recorder = Recorder<OutgoingRequest>()
            _ = try await client(policy).adding(Looking(log: recorder)).get(url)
            seen += recorder.values
            dump(seen, to: &text)
            print(seen, terminator: "", to: &text)
        }
        #expect(!text.contains("s3cret") && !text.contains("czNjcmV0"))
    }

    /// Records the request as it is sent.
    private struct Looking: Interceptor {
        let log: Recorder<OutgoingRequest>
        let stage = Call.Stage.attempt

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            log.append(request)
            return try await call.proceed(request)
        }
    }

    @Test("credentials of the URL are sent as Basic; a user name with a colon fails the request")
    func urls() async throws {
        try await withTestServer { request in
            .ok(request["Authorization"] ?? "none")
        } run: { server in
            func get(_ userInfo: String) async throws -> String {
                try await HTTPClient().get(server.url().replacing("127.0.0.1", with: "\(userInfo)@127.0.0.1")).text()
            }
            let first = try await get("ada:l")
            #expect(first == "Basic YWRhOmw=")
            #expect(try await get("ada") == "Basic YWRhOg==")
            let error = await #expect(throws: SockeyeError.self) { try await get("a%3Ab:c") }
            #expect(error?.code == .invalidRequest && error?.blame == .caller)
        }
    }
}
