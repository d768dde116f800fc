import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Checks every byte that reaches a second origin, over sockets and with every policy enabled.
@Suite("All policies across origins", .timeLimit(.minutes(1))) struct EveryPolicyOriginTests {
    private static let authentication: [AuthenticationPolicy] = [
        .basic(user: "ada", password: "s3cret", allowsPlaintext: true),
        .bearer("s3cret", allowsPlaintext: true),
        .bearer(allowsPlaintext: true) { AuthenticationPolicy.Token("s3cret") },
        .digest(user: "ada", password: "s3cret"),
    ]

    /// Fields that the caller sets. At another origin only the harmless one arrives.
    private static let headers: Headers = [
        .proxyAuthorization: "Basic pr0xy", .cookie: "own=h4nd", "X-API-Key": "k3y", "X-Auth-Token": "t0ken",
        .origin: "https://0rigin.example", "X-Harmless": "kept",
    ]

    /// Values that must not reach the second origin.
    private static let secrets = ["s3cret", "YWRhOnMzY3JldA==", "ada", "c00kie", "earlier", "hidden"] + setByCaller
    /// Values that must not come back to the first origin either.
    private static let setByCaller = ["pr0xy", "h4nd", "k3y", "t0ken", "0rigin"]

    private static let challenge = "Digest realm=r, nonce=n, qop=auth"

    /// Challenges requests without credentials; redirects the others and sets a cookie.
    private static func first(_ request: TestRequest, _ status: Int, _ heads: Recorder<String>) -> TestServerResponse {
        heads.append(String(decoding: request.headBytes, as: UTF8.self))
        if request.path == "/final" { return .ok("end") }
        guard request["Authorization"] != nil else {
            return .status(401, headers: [.wwwAuthenticate: challenge])
        }
        return .redirect(to: request.query ?? "", status: status, headers: [.setCookie: "id=c00kie; Path=/"])
    }

    /// Fails once, so that the request is retried, then redirects or challenges. Tries to set a cookie for the first
    /// host, too.
    private static func second(
        _ request: TestRequest, _ status: Int, _ bytes: Recorder<String>
    ) async throws -> TestServerResponse {
        bytes.append(String(decoding: request.headBytes, as: UTF8.self) + (try await request.text()))
        var headers: Headers = [.setCookie: "there=1; Path=/"]
        headers.append(.setCookie, "id=stolen; Domain=first.test; Path=/")
        guard request["Cookie"] == "there=1" else { return .status(503, headers: headers) }
        if request.path == "/back" { return .redirect(to: request.query ?? "", status: status, headers: headers) }
        return .status(401, headers: [.wwwAuthenticate: challenge])
    }

    private static func client(
        _ policy: AuthenticationPolicy, _ first: TestServer, _ second: TestServer
    ) throws -> HTTPClient {
        let jar = CookiePolicy.Jar()
        try jar.set("before=earlier", from: HTTPURL("http://first.test/"))
        try jar.set("tls=hidden; Secure", from: HTTPURL("https://second.test/"))
        var configuration = HTTPClient.Configuration()
        configuration.hostOverrides = ["first.test": [first.address], "second.test": [second.address]]
        configuration.interceptors = [RetryPolicy.retry(backoff: .none), policy, CookiePolicy(jar)]
        return HTTPClient(configuration: configuration)
    }

    @Test(
        "no secret of the first origin reaches a second one, and the caller's fields do not return to the first",
        arguments: authentication,
        [301, 302, 303, 307, 308])
    func secrets(policy: AuthenticationPolicy, status: Int) async throws {
        let (there, here) = (Recorder<String>(), Recorder<String>())
        let second = try await TestServer.start { try await Self.second($0, status, there) }
        let first = try await TestServer.start { Self.first($0, status, here) }
        let client = try Self.client(policy, first, second)
        let start = "http://first.test:\(first.port)/?http://second.test:\(second.port)"
        let refused = try await client.get("\(start)/", headers: Self.headers)
        #expect(refused.status == .unauthorized)
        #expect(refused.history.map(\.reason).suffix(2) == [.redirected, .retried])
        let final = "http://first.test:\(first.port)/final"
        let returned = try await client.post("\(start)/back?\(final)", .bytes([120]), headers: Self.headers)
        #expect(try await returned.text() == "end")
        #expect(there.values.count == 3)
        for text in there.values {
            for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
            #expect(text.contains("X-Harmless: kept\r\n") && text.contains("Host: second.test:\(second.port)\r\n"))
        }
        // The cookies are those of the requested origin. Fields set by hand and credentials are missing.
        let last = try #require(here.values.last)
        #expect(last.contains("\r\nCookie: before=earlier; id=c00kie\r\n"), "\(last)")
        #expect(!last.contains("Authorization"), "\(last)")
        for secret in Self.setByCaller { #expect(!last.contains(secret), "\(last)") }
        // The first origin received the credentials and the fields before the redirect.
        let asked = here.values.filter { $0.contains("Authorization") }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.contains("own=h4nd") && $0.contains("k3y") })
        await first.stop()
        await second.stop()
    }
}
