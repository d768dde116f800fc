import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Tokens from a provider", .timeLimit(.minutes(1))) struct BearerTests {
    private struct Broken: Error {}

    /// A provider of numbered tokens.
    private final class Issuer: Sendable {
        private let state = Mutex((count: 0, failing: false))
        var count: Int { state.withLock(\.count) }

        func issue(lifetime: Duration? = nil) throws -> AuthenticationPolicy.Token {
            let (count, isFailing) = state.withLock { state in
                state.count += 1
                return (state.count, state.failing)
            }
            if isFailing { throw Broken() }
            return AuthenticationPolicy.Token("t\(count)", expiresIn: lifetime)
        }

        func fail(_ failing: Bool = true) { state.withLock { $0.failing = failing } }
    }

    private let issuer = Issuer()
    private let url = "https://a.example/x"

    private func refusing(_ tokens: String...) -> MockTransport {
        MockTransport { request in
            let token = request["Authorization"] ?? "none"
            return tokens.contains(token) || token == "none" ? .status(401) : .ok(token)
        }
    }

    @Test("a token is fetched once and used until a 401; then the request is sent once more with a new token")
    func refreshing() async throws {
        let mock = MockTransport { .ok($0["Authorization"] ?? "none") }
        let issuer = issuer
        let client = HTTPClient(transport: mock).adding(.bearer { try issuer.issue() })
        #expect(try await client.get(url).text() == "Bearer t1")
        #expect(try await client.get(url).text() == "Bearer t1")
        mock.enqueue(.text("no", status: 401), .ok("yes"))
        let response = try await client.post(url, .body("content"))
        #expect(try await response.text() == "yes")
        #expect(response.history.map(\.reason) == [.challenged])
        let last = mock.requests.suffix(2)
        #expect(
            last.map { $0["Authorization"] } == ["Bearer t1", "Bearer t2"] && last.allSatisfy { $0.text == "content" })
        #expect(issuer.count == 2)
    }

    @Test("if the request with the new token gets a 401, too, that 401 is returned")
    func refusedTwice() async throws {
        let issuer = issuer
        let client = HTTPClient(transport: refusing("Bearer t1", "Bearer t2")).adding(.bearer { try issuer.issue() })
        #expect(try await client.get(url).status == .unauthorized)
        #expect(issuer.count == 2)
        // The second refusal may concern only this resource, so the token t2 is kept. The next request sends it, is
        // refused, and fetches t3.
        #expect(try await client.get(url).text() == "Bearer t3")
    }

    @Test("the initial token is used first")
    func initial() async throws {
        let issuer = issuer
        let client = HTTPClient(transport: refusing("Bearer t1")).adding(
            .bearer(initial: AuthenticationPolicy.Token("first")) { try issuer.issue() })
        #expect(try await client.get(url).text() == "Bearer first")
        #expect(issuer.count == 0)
    }

    @Test("a thousand concurrent requests that get a 401 wait for one new token")
    func singleFlight() async throws {
        let issuer = issuer
        let (waiting, release) = (TestSignal(), TestSignal())
        let mock = refusing("Bearer old")
        let client = HTTPClient(transport: mock).adding(
            .bearer(initial: AuthenticationPolicy.Token("old")) {
                waiting.fire()
                try await release.wait(timeout: .seconds(20))
                return try issuer.issue()
            })
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await client.get(url).text() } }
            try await waiting.wait(timeout: .seconds(20))
            release.fire()
            for try await text in group { #expect(text == "Bearer t1") }
        }
        #expect(issuer.count == 1)
        #expect(mock.requests.count <= 2000)
    }

    @Test("a request that is cancelled while it waits for a token ends, and the other request gets the token")
    func cancellation() async throws {
        let issuer = issuer
        let (waiting, release) = (TestSignal(), TestSignal())
        let client = HTTPClient(transport: refusing()).adding(
            .bearer {
                waiting.fire()
                try await release.wait(timeout: .seconds(20))
                return try issuer.issue()
            })
        let first = Task { try await client.get(url).text() }
        try await waiting.wait(timeout: .seconds(20))
        let second = Task { try await client.get(url).text() }
        first.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        release.fire()
        #expect(try await second.value == "Bearer t1")
        #expect(issuer.count == 1)
    }

    @Test("a token is replaced before it expires")
    func expiry() async throws {
        let clock = ManualClock()
        let issuer = issuer
        try await withTestServer {
            .ok($0["Authorization"] ?? "none")
        } run: { server in
            let client = HTTPClient(clock: clock).adding(.bearer { try issuer.issue(lifetime: .seconds(600)) })
            let first = try await client.get(server.url()).text()
            #expect(first == "Bearer t1")
            clock.advance(by: .seconds(569))
            #expect(try await client.get(server.url()).text() == "Bearer t1")
            clock.advance(by: .seconds(2))
            #expect(try await client.get(server.url()).text() == "Bearer t2")
        }
    }

    @Test("an error of the provider is the cause of the call's error, which has the 401, if any, as evidence")
    func failing() async throws {
        let issuer = issuer
        issuer.fail()
        let client = HTTPClient(transport: refusing("Bearer old")).adding(.bearer { try issuer.issue() })
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .authenticationFailed && error?.underlying is Broken && error?.response == nil)
        let refused = client.adding(.bearer(initial: AuthenticationPolicy.Token("old")) { try issuer.issue() })
        let other = await #expect(throws: SockeyeError.self) { try await refused.get(url) }
        #expect(other?.code == .authenticationFailed && other?.underlying is Broken)
        #expect(other?.response?.status == .unauthorized && other?.history.count == 1 && other?.url == url)
        issuer.fail(false)
        #expect(try await refused.get(url).text() == "Bearer t3")
    }

    @Test("tokens are fetched at most five times in 30 seconds")
    func storm() async throws {
        let clock = ManualClock()
        let issuer = issuer
        try await withTestServer { _ in
            .status(401)
        } run: { server in
            let client = HTTPClient(clock: clock).adding(
                .bearer(initial: AuthenticationPolicy.Token("old")) { try issuer.issue() })
            for _ in 0..<5 {
                let response = try await client.get(server.url())
                #expect(response.status == .unauthorized)
            }
            let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
            #expect(error?.code == .limitExceeded && error?.limit?.name == "maximumCount")
            #expect(error?.response?.status == .unauthorized && error?.blame == .policy)
            #expect(issuer.count == 5)
            clock.advance(by: .seconds(31))
            #expect(try await client.get(server.url()).status == .unauthorized)
        }
    }

    @Test("a request with a one-shot body gets the 401, and the next request uses a new token")
    func replay() async throws {
        let issuer = issuer
        let client = HTTPClient(transport: refusing("Bearer t1")).adding(.bearer { try issuer.issue() })
        let once = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1])
            continuation.finish()
        }
        #expect(try await client.put(url, .stream(once)).status == .unauthorized)
        #expect(issuer.count == 1)
        #expect(try await client.get(url).text() == "Bearer t2")
    }

    @Test(
        "requests that the provider sends through the same client get no token and do not wait for one",
        arguments: [nil, AuthenticationPolicy.Token("old")])
    func reentrance(initial: AuthenticationPolicy.Token?) async throws {
        let mock = MockTransport { request in
            let token = request["Authorization"] ?? "fresh"
            return token == "Bearer old" ? .status(401) : .ok(token)
        }
        let shared = Recorder<HTTPClient>()
        let client = HTTPClient(transport: mock).adding(
            .bearer(initial: initial) {
                let client = try #require(shared.values.first)
                return AuthenticationPolicy.Token(try await client.get("https://a.example/token").text())
            })
        shared.append(client)
        #expect(try await client.get(url).text() == "Bearer fresh")
        #expect(mock.requests.first { $0.path == "/token" }?["Authorization"] == nil)
    }

    @Test(
        "the provider's request gets the only connection, although the body of the 401 has not arrived completely",
        arguments: [false, true])
    func onlyConnection(fails: Bool) async throws {
        // The server never sends the rest.
        let start = String(repeating: "x", count: 64 << 10)
        let refusal = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 1000000\r\n\r\n" + start
        let server = try await RawServer.start(scripts: [
            [.readRequest, .send(refusal), .readToEnd],
            [.loop([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nt1")])],
        ])
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 1
        let shared = Recorder<HTTPClient>()
        // The clock stands still, so that a busy machine has time to receive the start of the body.
        let client = HTTPClient(configuration: configuration, clock: ManualClock()).adding(
            .bearer(initial: AuthenticationPolicy.Token("old")) {
                let client = try #require(shared.values.first)
                let token = try await client.get(server.url("/token")).text()
                if fails { throw Broken() }
                return AuthenticationPolicy.Token(token)
            })
        shared.append(client)
        if fails {
            let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
            #expect(error?.code == .authenticationFailed && error?.underlying is Broken)
            // The bytes that had arrived with the head.
            #expect(error?.response?.status == .unauthorized && start.hasPrefix(error?.response?.text ?? "none"))
        } else {
            #expect(try await client.get(server.url()).text() == "t1")
            #expect(server.receivedText(1).contains("Authorization: Bearer t1\r\n"))
        }
        #expect(server.connectionCount == 2)
        await client.shutDown(graceful: false)
        await server.stop()
    }

    @Test("a task that the provider started and that outlives the fetch gets new tokens")
    func startedByProvider() async throws {
        let mock = MockTransport { request in
            let token = request["Authorization"] ?? "none"
            return request.path == "/later" && token == "Bearer t1" ? .status(401) : .ok(token)
        }
        let (issuer, release) = (issuer, TestSignal())
        let shared = Recorder<HTTPClient>()
        let started = Recorder<Task<String, any Error>>()
        let client = HTTPClient(transport: mock).adding(
            .bearer {
                let client = try #require(shared.values.first)
                if started.values.isEmpty {
                    started.append(
                        Task {
                            try await release.wait()
                            return try await client.get("https://a.example/later").text()
                        })
                }
                return try issuer.issue()
            })
        shared.append(client)
        #expect(try await client.get(url).text() == "Bearer t1")
        release.fire()
        #expect(try await started.values.first?.value == "Bearer t2")
    }

    @Test("calls of a client that was shut down do not use up the number of fetches")
    func endedClient() async throws {
        let issuer = issuer
        let policy = AuthenticationPolicy.bearer { try issuer.issue() }
        let mock = MockTransport { .ok($0["Authorization"] ?? "none") }
        let (one, other) = (HTTPClient(transport: mock).adding(policy), HTTPClient(transport: mock).adding(policy))
        await one.shutDown(graceful: false)
        for _ in 0..<6 {
            let error = await #expect(throws: SockeyeError.self) { try await one.get(url) }
            #expect(error?.code == .shutDown)
        }
        #expect(issuer.count == 0)
        #expect(try await other.get(url).text() == "Bearer t1")
    }

    @Test(
        "a provider that no call waits for is cancelled after 60 seconds or when its client shuts down",
        arguments: [true, false])
    func unawaited(isShutDown: Bool) async throws {
        let clock = ManualClock()
        let (began, ended) = (TestSignal(), TestSignal())
        let client = HTTPClient(clock: clock).adding(
            .bearer(allowsPlaintext: true) {
                began.fire()
                do { try await Task.sleep(for: .seconds(3600)) } catch { ended.fire() }
                return AuthenticationPolicy.Token("t")
            })
        let call = Task { try await client.get("http://a.test/") }
        try await began.wait()
        call.cancel()
        _ = await call.result
        #expect(!ended.isFired)
        if isShutDown { await client.shutDown(graceful: false) } else { clock.advance(by: .seconds(60)) }
        try await ended.wait()
    }

    @Test("if a client shuts down while it fetches a token, its call fails, and another client's call fetches again")
    func endOfOneClient() async throws {
        let count = Mutex(0)
        let began = TestSignal()
        let policy = AuthenticationPolicy.bearer {
            let number = count.withLock { count in
                count += 1
                return count
            }
            began.fire()
            if number == 1 { try await Task.sleep(for: .seconds(3600)) }
            return AuthenticationPolicy.Token("t\(number)")
        }
        let mock = MockTransport { .ok($0["Authorization"] ?? "none") }
        let (one, other) = (HTTPClient(transport: mock).adding(policy), HTTPClient(transport: mock).adding(policy))
        let own = Task { try await one.get(url) }
        try await began.wait()
        let others = Task { try await other.get(url).text() }
        await one.shutDown(graceful: false)
        let error = await #expect(throws: SockeyeError.self) { try await own.value }
        #expect(error?.code == .shutDown)
        #expect(try await others.value == "Bearer t2" && count.withLock(\.self) == 2)
    }

    @Test("the wait for a provider that hangs ends at the refresh timeout or at the call's total deadline")
    func hanging() async throws {
        let clock = ManualClock()
        try await withTestServer {
            .ok($0["Authorization"] ?? "none")
        } run: { server in
            let count = Mutex(0)
            let client = HTTPClient(clock: clock).adding(
                .bearer {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if number == 1 { try await clock.sleep(until: clock.now.advanced(by: .seconds(1_000_000))) }
                    return AuthenticationPolicy.Token("t\(number)")
                })
            let short = OutgoingRequest.Options.timeout(total: .seconds(20))
            let early = await #expect(throws: SockeyeError.self) {
                try await clock.advancing(by: .seconds(1)) { try await client.get(server.url(), options: short) }
            }
            #expect(early?.code == .timeout && early?.limit?.name == "timeouts.total")
            let error = await #expect(throws: SockeyeError.self) {
                try await clock.advancing(by: .seconds(1)) {
                    try await client.get(server.url(), options: .timeout(total: .unlimited))
                }
            }
            #expect(error?.code == .timeout && error?.limit?.name == "timeouts.refresh")
            let text = try await client.get(server.url()).text()
            #expect(text == "Bearer t2")
        }
    }
}
