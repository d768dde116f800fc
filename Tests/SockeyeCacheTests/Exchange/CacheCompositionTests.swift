import Sockeye
import SockeyeCache
import SockeyeEngine
import SockeyeTesting
import Testing

@Suite("A cache with other policies", .timeLimit(.minutes(1))) struct CacheCompositionTests {
    private let fixture = CacheFixture()
    private var mock: MockTransport { fixture.mock }
    private var url: String { fixture.url }

    private func client(_ breaker: RetryPolicy.CircuitBreaker, max: Int = 0) -> HTTPClient {
        var policy = RetryPolicy.retry(max: max, backoff: .none, budget: nil)
        policy.breaker = breaker
        return fixture.client.adding(.retry(policy))
    }

    // MARK: Circuit breaker and retries

    @Test("the cache's own 504 does not count as a failure of the origin")
    func breakerOwnAnswers() async throws {
        let client = client(.opening(after: 1))
        for _ in 0..<3 {
            let refused = try await client.get(url, options: .caching(.returnCacheDontLoad))
            #expect(refused.status == .gatewayTimeout)
        }
        mock.enqueue(CacheFixture.answer("a"))
        #expect(try await client.get(url).text() == "a" && mock.requests.count == 1)
    }

    @Test("a stored response does not close an open circuit; the probe is sent to the origin")
    func breakerProbe() async throws {
        let client = client(.opening(after: 2, coolDown: .seconds(30)))
        mock.answer(.get, "/x") { _ in CacheFixture.answer("a", "max-age=3600") }
        _ = try await client.get(url)
        mock.answer(.get, "/down") { _ in .status(503) }
        for _ in 0..<2 { _ = try await client.get("https://a.test/down") }
        fixture.clock.advance(by: .seconds(30))
        #expect(try await client.get(url).outcomeText == "hit (fresh)")
        #expect(try await client.get("https://a.test/down").status == .serviceUnavailable)
        // The failed probe opens the circuit again at once. If the hit had closed the circuit, two failures would be
        // needed to open it.
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .circuitOpen && mock.requests.count == 4)
    }

    @Test("the circuit breaker counts a failure even if a stale response replaces it")
    func breakerSubstitute() async throws {
        let client = client(.opening(after: 2))
        mock.enqueue(CacheFixture.answer("a", "max-age=1, stale-if-error=3600"))
        _ = try await client.get(url)
        fixture.clock.advance(by: .seconds(10))
        mock.answer(.get, "/x") { _ in .status(503) }
        for _ in 0..<2 {
            let response = try await client.get(url)
            #expect(
                response.outcomeText == "staleHit (staleIfError)" && response.history.map(\.reason) == [.substituted])
        }
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .circuitOpen)
    }

    @Test("a retry is answered by the origin even if the cache stored the error response")
    func storedError() async throws {
        let client = fixture.client.adding(.retry(max: 3, backoff: .none))
        mock.enqueue(
            TestServerResponse.text("busy", status: 503, headers: [.cacheControl: "max-age=60"]),
            CacheFixture.answer("a"))
        let response = try await client.get(url)
        #expect(try await response.text() == "a" && response.outcomeText == "miss (retried)")
        #expect(response.history.map(\.cacheOutcome?.description) == ["miss (notStored)"])
        #expect(try await client.get(url).outcomeText == "hit (fresh)" && mock.requests.count == 2)
    }

    @Test("a stored error neither replaces an error nor ends the retries, even if stale responses may replace errors")
    func storedErrorInsteadOfError() async throws {
        let fixture = CacheFixture { $0.staleIfError = .seconds(3600) }
        let client = fixture.client.adding(.retry(max: 3, backoff: .none))
        let busy = TestServerResponse.text("busy", status: 503, headers: [.cacheControl: "max-age=5"])
        fixture.mock.enqueue(busy, busy, CacheFixture.answer("a"))
        let response = try await client.get(url)
        #expect(try await response.text() == "a" && response.outcomeText == "miss (retried)")
        #expect(fixture.mock.requests.count == 3)
    }

    @Test("clients with different values of User-Agent do not share a response with `Vary: User-Agent`")
    func userAgents() async throws {
        let store = fixture.store
        try await withTestServer { request in
            CacheFixture.answer(request[.userAgent] ?? "none", "max-age=60", [.vary: "User-Agent"])
        } run: { server in
            for name in ["a", "b"] {
                var configuration = HTTPClient.Configuration()
                configuration.userAgent = name
                let client = HTTPClient(configuration: configuration).adding(.cache(store))
                for kind in [CachePolicy.Outcome.Kind.miss, .hit] {
                    let response = try await client.get(server.url())
                    #expect(try await response.text() == name && response.cacheOutcome?.kind == kind)
                }
            }
        }
    }

    // MARK: Redirects

    @Test("permanent redirects are served from the store, and the history says so", arguments: [301, 308])
    func redirects(status: Int) async throws {
        mock.answer(.get, "/x") { _ in
            .redirect(to: "/y", status: status, headers: [.cacheControl: "max-age=60"])
        }
        mock.answer(.get, "/y") { _ in CacheFixture.answer("y") }
        for kind in [CachePolicy.Outcome.Kind.miss, .hit] {
            let response = try await fixture.client.get(url)
            #expect(
                try await response.text() == "y" && response.url.path == "/y" && response.cacheOutcome?.kind == kind)
            #expect(response.history.map(\.cacheOutcome?.kind) == [kind] && response.history[0].status?.code == status)
        }
        #expect(mock.requests.count == 2)
    }

    @Test("a loop of stored redirects fails the call with `redirectLoop`")
    func circle() async throws {
        mock.answer(.get, "*") { request in
            .redirect(to: request.path == "/x" ? "/y" : "/x", status: 301, headers: [.cacheControl: "max-age=60"])
        }
        for _ in 0..<2 {
            let error = await #expect(throws: SockeyeError.self) { try await fixture.client.get(url) }
            #expect(error?.code == .redirectLoop)
        }
    }

    @Test(
        "calls after a redirect to another origin or outside of a scope do not share responses with direct calls",
        arguments: [false, true])
    func otherOrigins(directFirst: Bool) async throws {
        mock.answer(.get, "/from") { _ in .redirect(to: "https://b.test/x") }
        mock.answer(.get, "/x") { _ in CacheFixture.answer("x") }
        mock.answer(.get, "/y") { _ in CacheFixture.answer("y") }
        let client = fixture.client
        let scope = client.scoped(baseURL: "https://a.test")
        let redirected = [(client, "https://a.test/from"), (client, "https://b.test/x")]
        let outside = [(scope, "https://b.test/y"), (client, "https://b.test/y")]
        for calls in [redirected, outside] {
            for kind in [CachePolicy.Outcome.Kind.miss, .hit] {
                for (client, url) in directFirst ? calls.reversed() : calls {
                    let response = try await client.get(url)
                    #expect(try await response.text() == String(response.url.path.dropFirst()))
                    #expect(response.cacheOutcome?.kind == kind)
                }
            }
        }
    }

    // MARK: Credentials

    @Test("a challenge is not stored, because its nonce is for one client and one moment")
    func challenges() async throws {
        mock.answer(.get, "/x") { request in
            guard request[.authorization] == nil else { return CacheFixture.answer("secret") }
            return .status(
                401,
                headers: [
                    .wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256",
                    .cacheControl: "max-age=60",
                ])
        }
        let client = fixture.client.adding(.digest(user: "u", password: "p"))
        #expect(try await client.get(url).text() == "secret")
        let other = fixture.client.adding(.digest(user: "u", password: "p"))
        #expect(try await other.get(url).text() == "secret")
        #expect(mock.requests.map { $0[.authorization] == nil } == [true, false, true, false])
        // Each answer to a challenge is different, so no stored response is served.
        #expect(try await client.get(url).cacheOutcome?.kind == .miss)
    }

    @Test("clients with different credentials in URL or scope never get each other's responses")
    func scopes() async throws {
        mock.answer(.get, "/x") { request in
            CacheFixture.answer(
                "\(request.url.user ?? "-") \(request[.authorization] ?? "-") \(request["X-API-Key"] ?? "-")",
                "public, max-age=60")
        }
        let client = fixture.client
        let calls: [(client: HTTPClient, url: String, text: String)] = [
            (client, url, "- - -"), (client, "https://ada:1@a.test/x", "ada"),
            (client, "https://bob:1@a.test/x", "bob"),
            (client, "https://ada:2@a.test/x", "ada"), (client.scoped(headers: [.authorization: "Bearer t"]), url, "t"),
            (client.scoped(headers: ["X-API-Key": "k"]), url, "k"),
        ]
        var texts: [String] = []
        for (client, url, text) in calls {
            texts.append(try await client.get(url).text())
            #expect(texts.last?.contains(text) == true)
        }
        let count = mock.requests.count
        #expect(count == calls.count)
        for (call, text) in zip(calls, texts) { #expect(try await call.client.get(call.url).text() == text) }
        #expect(mock.requests.count == count)
    }

    @Test(
        "a request that an interceptor signs behind the cache bypasses it, unless the cache has a partition",
        arguments: [false, true])
    func hiddenCredentials(crossingOrigins: Bool) async throws {
        func signed(_ key: String, partition: String = "") -> HTTPClient {
            var policy = CachePolicy(fixture.store)
            policy.partition = partition
            return fixture.client(over: mock, with: policy)
                .adding(
                    .signing(crossingOrigins: crossingOrigins) { request, _ in request.headers["X-Signature"] = key })
        }
        mock.answer(.get, "/x") { CacheFixture.answer($0["X-Signature"] ?? "none", "public, max-age=60") }
        for key in ["a", "b", "a"] {
            let response = try await signed(key).get(url)
            #expect(try await response.text() == key && response.outcomeText == "bypass (hiddenCredentials)")
        }
        for outcome in ["miss (notStored)", "hit (fresh)"] {
            let response = try await signed("a", partition: "a").get(url)
            #expect(try await response.text() == "a" && response.outcomeText == outcome)
        }
        #expect(try await signed("b", partition: "b").get(url).text() == "b")
    }

    // MARK: Conditions, ranges and HEAD of the caller's own

    @Test("conditions of the caller are sent to the server, whose 304 or 412 is for that caller only")
    func conditions() async throws {
        mock.answer(.get, "/x") { request in
            let fields: Headers = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            if request[.ifNoneMatch] == "\"1\"" { return .status(304, headers: fields) }
            if request[.ifMatch] != nil { return .text("no", status: 412, headers: fields) }
            return .ok("a", headers: fields)
        }
        let client = fixture.client
        #expect(try await client.get(url, headers: [.ifMatch: "\"0\""]).status.code == 412)
        #expect(fixture.store.count == 0)
        for _ in 0..<2 {
            let confirmed = try await client.get(url, headers: [.ifNoneMatch: "\"1\""])
            #expect(confirmed.status == .notModified && confirmed.outcomeText == "bypass (conditional)")
        }
        let other = try await client.get(url, headers: [.ifNoneMatch: "\"0\""])
        #expect(try await other.text() == "a")
        // The full response to a conditional request is stored for all callers.
        #expect(try await client.get(url).outcomeText == "hit (fresh)" && mock.requests.count == 4)
    }

    @Test("a 416 for one caller's range does not affect other callers")
    func unsatisfiedRange() async throws {
        mock.answer(.get, "/x") { request in
            request[.range] == nil
                ? CacheFixture.answer("abcd")
                : .status(416, headers: [.contentRange: "bytes */4", .cacheControl: "max-age=60"])
        }
        #expect(try await fixture.client.get(url, headers: [.range: "bytes=9-"]).status.code == 416)
        #expect(try await fixture.client.get(url).text() == "abcd")
        let part = try await fixture.client.get(url, headers: [.range: "bytes=1-2"])
        #expect(try await part.text() == "bc" && part["content-range"] == "bytes 1-2/4" && part["AGE"] == "0")
        #expect(part.headers[.contentRange] == "bytes 1-2/4" && part.headers[.contentLength] == "2")
        #expect(try await fixture.client.get(url, headers: [.range: "bytes=9-"]).status.code == 416)
        #expect(try await fixture.client.get(url).outcomeText == "hit (fresh)")
    }

    @Test("Vary: * prevents storing; a response that varies by a field is served for equal values of the field")
    func vary() async throws {
        mock.answer(.get, "*") { request in
            CacheFixture.answer(
                request[.acceptLanguage] ?? "-", "max-age=60",
                [
                    .vary: request.path == "/all" ? "Accept-Language, *" : "Accept-Language, Accept-Encoding"
                ])
        }
        let client = fixture.client
        for _ in 0..<2 {
            let response = try await client.get("https://a.test/all")
            #expect(response.outcomeText == "miss (notStored)" && response.cacheOutcome?.refusal == "vary")
        }
        for kind in [CachePolicy.Outcome.Kind.miss, .hit] {
            for language in ["de", "en"] {
                let response = try await client.get(url, headers: [.acceptLanguage: language])
                #expect(try await response.text() == language && response.cacheOutcome?.kind == kind)
            }
        }
    }

    // MARK: What a 304 may do

    @Test("a 304 with no-store removes the stored response")
    func forbiddingConfirmation() async throws {
        mock.enqueue(
            CacheFixture.answer("a", "max-age=0", [.eTag: "\"1\"", .lastModified: "Thu, 01 Jan 2015 00:00:00 GMT"]))
        mock.enqueue(.status(304, headers: [.cacheControl: "no-store"]))
        _ = try await fixture.client.get(url)
        let confirmed = try await fixture.client.get(url)
        #expect(try await confirmed.text() == "a" && confirmed.outcomeText == "revalidated (stale)")
        #expect(fixture.store.count == 0)
    }

    @Test("the store does not grow without limit when each 304 adds new fields")
    func growingFields() async throws {
        let filler = String(repeating: "f", count: 1000)
        mock.answer(.get, "/x") { request in
            let fields: Headers = [.cacheControl: "max-age=0", .eTag: "\"1\""]
            guard request[.ifNoneMatch] != nil else { return .ok("a", headers: fields) }
            return .status(304, headers: fields.merging([Headers.Name("X-\(mock.requests.count)"): filler]))
        }
        for _ in 0..<200 {
            #expect(try await fixture.client.get(url).text() == "a")
            #expect(fixture.store.byteCount < 80_000)
        }
        #expect(fixture.store.count <= 1 && mock.requests.count == 200)
    }
}
