import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization
import Testing

/// Authentication over the wire. The server computes the expected response by itself.
@Suite struct AuthenticationTests {
    private static let variants: [String] = [
        "qop=\"auth\"", "qop=\"auth\", algorithm=MD5", "qop=\"auth,auth-int\", algorithm=MD5-sess",
        "qop=\"auth\", algorithm=SHA-256", "qop=auth, algorithm=SHA-256-sess", "qop=\"auth\", algorithm=SHA-512-256",
        "qop=\"auth\", algorithm=SHA-512-256-sess, userhash=true", "qop=\"auth-int\", algorithm=SHA-256",
        "qop=\"auth-int\", algorithm=MD5-sess", "", "algorithm=MD5", "algorithm=SHA-256",
    ]

    @Test(
        "auth-02: MD5, SHA-256, -sess, qop auth, auth-int, none; stale nonce; nc on reuse; wrong password",
        .timeLimit(.minutes(1)))
    func digest() async throws {
        for parameters in Self.variants {
            var settings = DigestServer.Settings()
            settings.parameters = parameters
            let digest = DigestServer(settings)
            let server = try await digest.start()
            let client = HTTPClient().adding(.digest(user: settings.user, password: settings.password))
            // The target is sent and hashed with its query. The nonce is reused, and its counter goes up.
            #expect(try await client.get(server.url("/a%20b?q=%22x%22")).text() == "in: ", "\(parameters)")
            #expect(
                try await client.post(server.url("/other"), .body("content")).text() == "in: content", "\(parameters)")
            #expect(try await client.get(server.url("/")).status == .ok)
            #expect(digest.statuses == [false, true, true, true], "\(parameters)")
            await server.stop()
        }
    }

    @Test(
        "auth-02: if the server calls a nonce stale, the call repeats its request once with the new nonce",
        .timeLimit(.minutes(1)))
    func stale() async throws {
        var settings = DigestServer.Settings()
        settings.answersOfNonce = 2
        let digest = DigestServer(settings)
        let server = try await digest.start()
        let client = HTTPClient().adding(.digest(user: settings.user, password: settings.password))
        for _ in 0..<4 { #expect(try await client.get(server.url()).status == .ok) }
        #expect(digest.authorizations.map { $0?["nonce"] } == [nil, "n1", "n1", "n1", "n2", "n2"])
        #expect(
            digest.authorizations.map { $0?["nc"] } == [
                nil, "00000001", "00000002", "00000003", "00000001", "00000002",
            ])
        await server.stop()
        settings.isNeverContent = true
        let endless = DigestServer(settings)
        let other = try await endless.start()
        #expect(try await client.get(other.url()).status == .unauthorized)
        #expect(endless.statuses == [false, true, true])
        await other.stop()
    }

    @Test(
        "auth-02: the client uses the next nonce that the server announces, without another refusal",
        .timeLimit(.minutes(1)))
    func nextNonce() async throws {
        var settings = DigestServer.Settings()
        (settings.answersOfNonce, settings.announces) = (1, true)
        let digest = DigestServer(settings)
        let server = try await digest.start()
        let client = HTTPClient().adding(.digest(user: settings.user, password: settings.password))
        for _ in 0..<3 { #expect(try await client.get(server.url()).status == .ok) }
        #expect(digest.authorizations.map { $0?["nonce"] } == [nil, "n1", "n2", "n3"])
        #expect(Set(digest.authorizations.dropFirst().map { $0?["cnonce"] }).count == 3)
        await server.stop()
    }

    @Test("auth-02: with a wrong password, the call returns the 401", .timeLimit(.minutes(1)))
    func wrongPassword() async throws {
        let digest = DigestServer()
        let server = try await digest.start()
        let client = HTTPClient().adding(.digest(user: "Mufasa", password: "wrong"))
        for _ in 0..<2 {
            let response = try await client.get(server.url())
            #expect(response.status == .unauthorized && response.history.count == 1)
            #expect(try await response.text() == "who?")
        }
        #expect(digest.statuses == [false, true, false, true])
        await server.stop()
    }

    @Test(
        "a user with a name beyond ASCII is authenticated",
        .timeLimit(.minutes(1)), arguments: ["", ", charset=UTF-8", ", userhash=true"])
    func names(parameter: String) async throws {
        var settings = DigestServer.Settings()
        settings.user = "J\u{E4}s\u{F8}n Doe"
        settings.parameters = "qop=auth, algorithm=SHA-512-256" + parameter
        let server = try await DigestServer(settings).start()
        let client = HTTPClient().adding(.digest(user: settings.user, password: settings.password))
        #expect(try await client.get(server.url()).status == .ok)
        await server.stop()
    }

    @Test("auth-03: digest after a POST body; with a streamed body", .timeLimit(.minutes(1)))
    func bodies() async throws {
        let bodies: [(OutgoingRequest.Body, String?)] = [
            ("content", "content"), (.stream(makingEach: { Self.pieces() }), "piece"),
            // A one-shot stream cannot be sent again, so the call returns the challenge.
            (.stream(Self.pieces()), nil),
        ]
        for (body, text) in bodies {
            let digest = DigestServer()
            let server = try await digest.start()
            let client = HTTPClient().adding(.digest(user: "Mufasa", password: "Circle of Life"))
            let response = try await client.post(server.url(), .body(body))
            #expect(response.status == (text == nil ? .unauthorized : .ok))
            #expect(try await response.text() == text.map { "in: \($0)" } ?? "who?")
            #expect(digest.log.all.map(\.body.count) == (text.map { [$0.count, $0.count] } ?? [5]))
            await server.stop()
        }
    }

    private static func pieces() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            continuation.yield(Array("piece".utf8))
            continuation.finish()
        }
    }

    @Test("auth-04: 401 to many parallel requests with a refreshing interceptor", .timeLimit(.minutes(1)))
    func refresh() async throws {
        let count = Mutex(0)
        let log = RequestLog()
        try await withTestServer { request in
            try await log.take(request)
            return request["Authorization"] == "Bearer new" ? .ok("in") : .status(401)
        } run: { server in
            let client = HTTPClient().adding(
                .bearer(initial: AuthenticationPolicy.Token("old")) {
                    count.withLock { $0 += 1 }
                    return AuthenticationPolicy.Token("new")
                })
            try await concurrently(60, width: 20) { _, _ in
                let text = try await client.get(server.url()).text()
                #expect(text == "in")
            }
            #expect(count.withLock(\.self) == 1)
            #expect(log.all.count <= 60 + 20)
        }
    }

    private struct Broken: Error {}

    @Test(
        "auth-04: a failed refresh fails the calls that wait for it, and 40 calls refresh at most five times",
        .timeLimit(.minutes(1)))
    func failingRefresh() async throws {
        let count = Mutex(0)
        try await withTestServer { _ in
            .status(401)
        } run: { server in
            let client = HTTPClient().adding(
                .bearer(initial: AuthenticationPolicy.Token("old")) {
                    count.withLock { $0 += 1 }
                    throw Broken()
                })
            try await concurrently(40, width: 20) { _, _ in
                let error = await #expect(throws: SockeyeError.self) { _ = try await client.get(server.url()) }
                #expect(error?.code == .authenticationFailed || error?.code == .limitExceeded)
                #expect(error?.response?.status == .unauthorized)
            }
            #expect(count.withLock(\.self) <= 5)
        }
    }

    @Test("the answer to the challenge of one origin is not sent to another origin", .timeLimit(.minutes(1)))
    func origins() async throws {
        let (one, other) = (DigestServer(), DigestServer())
        let (first, second) = (try await one.start(), try await other.start())
        let client = HTTPClient().adding(.digest(user: "Mufasa", password: "Circle of Life"))
        _ = try await client.get(first.url())
        _ = try await client.get(second.url())
        #expect(one.statuses == [false, true] && other.statuses == [false, true])
        let nonces = (one.authorizations + other.authorizations).compactMap { $0?["cnonce"] }
        #expect(Set(nonces).count == 2)
        await first.stop()
        await second.stop()
    }
}
