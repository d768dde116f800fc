import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Checks every byte that reaches a second origin, over sockets.
@Suite("Credentials across origins", .timeLimit(.minutes(1))) struct CredentialOriginTests {
    private static let policies: [AuthenticationPolicy] = [
        .basic(user: "ada", password: "s3cret"), .bearer("s3cret"), .bearer { AuthenticationPolicy.Token("s3cret") },
        .digest(user: "ada", password: "s3cret"),
    ]

    private static let secrets = ["s3cret", "YWRhOnMzY3JldA==", "Authorization", "ada"]

    /// Responds with a Digest challenge, which only the Digest policy answers, and records the heads of requests.
    private static func asking(_ request: TestRequest, _ heads: Recorder<String>) -> TestServerResponse {
        heads.append(String(decoding: request.headBytes, as: UTF8.self))
        if request.path == "/back" { return .redirect(to: request.query ?? "") }
        return .status(401, headers: ["WWW-Authenticate": "Digest realm=r, nonce=n, qop=auth"])
    }

    @Test(
        "after a redirect to another origin no credentials are sent, even if a second redirect leads back",
        arguments: policies)
    func redirects(policy: AuthenticationPolicy) async throws {
        let heads = Recorder<String>()
        let final = Recorder<String>()
        let second = try await TestServer.start { Self.asking($0, heads) }
        let first = try await TestServer.start { request in
            if request.path == "/final" { final.append(String(decoding: request.headBytes, as: UTF8.self)) }
            if request["Authorization"] == nil {
                return .status(401, headers: ["WWW-Authenticate": "Digest realm=r, nonce=n, qop=auth"])
            }
            return .redirect(to: request.query ?? "")
        }
        let client = HTTPClient().adding(policy)
        #expect(try await client.get(first.url("/?\(second.url("/"))")).status == .unauthorized)
        #expect(heads.values.count == 1)
        let back = first.url("/?\(second.url("/back?\(first.url("/final"))"))")
        #expect(try await client.get(back).status == .unauthorized)
        #expect(heads.values.count == 2 && final.values.count == 1)
        for text in heads.values + final.values {
            for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
        }
        await first.stop()
        await second.stop()
    }

    @Test("credentials for a named origin are sent there after a redirect from another origin")
    func named() async throws {
        try await withTestServer {
            .ok($0["Authorization"] ?? "none")
        } run: { second in
            try await withTestServer {
                $0["Authorization"] == nil ? .redirect(to: second.url("/")) : .status(400)
            } run: { first in
                let client = HTTPClient().adding(.bearer("t", origins: [second.url("/")]))
                let text = try await client.get(first.url("/")).text()
                #expect(text == "Bearer t")
            }
        }
    }

    @Test("a request made by a redirect hook has only the credentials that the hook set")
    func hook() async throws {
        try await withTestServer {
            .ok($0["Authorization"] ?? "none")
        } run: { second in
            try await withTestServer { _ in
                .redirect(to: "/")
            } run: { first in
                let target = second.url("/")
                let bare = HTTPClient().adding(.bearer("s3cret")).adding(
                    .redirects(.following { _ in .follow(try OutgoingRequest(url: target)) }))
                let text = try await bare.get(first.url("/")).text()
                #expect(text == "none")
            }
        }
    }

    @Test("credentials are sent again after a redirect within the origin")
    func sameOrigin() async throws {
        try await withTestServer { request in
            request.path == "/" ? .redirect(to: "/next") : .ok(request["Authorization"] ?? "none")
        } run: { server in
            let text = try await HTTPClient().adding(.bearer("t")).get(server.url("/")).text()
            #expect(text == "Bearer t")
        }
    }

    @Test("each origin gets its own credentials of the storage")
    func storage() async throws {
        let challenge: Headers = ["WWW-Authenticate": "Basic realm=r"]
        let second = try await TestServer.start { request in
            request["Authorization"].map { .ok($0) } ?? .status(401, headers: challenge)
        }
        let first = try await TestServer.start { request in
            request["Authorization"] == nil ? .status(401, headers: challenge) : .redirect(to: second.url("/"))
        }
        let storage = Credential.Storage()
        try storage.set(.user("first", password: "1"), for: first.url("/"))
        let client = HTTPClient().adding(.credentials(storage))
        #expect(try await client.get(first.url("/")).status == .unauthorized)
        try storage.set(.user("second", password: "2"), for: second.url("/"))
        #expect(try await client.get(first.url("/")).text() == "Basic c2Vjb25kOjI=")
        storage.removeAll()
        #expect(try await client.get(second.url("/")).status == .unauthorized)
        await first.stop()
        await second.stop()
    }
}
