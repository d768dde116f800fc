import Sockeye
import SockeyeCache
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Caches of clients", .timeLimit(.minutes(1))) struct CachePolicyTests {
    private let fixture = CacheFixture()
    private var mock: MockTransport { fixture.mock }
    private var url: String { fixture.url }

    private func get(_ url: String? = nil, _ headers: Headers = [:], _ options: OutgoingRequest.Options = .init())
        async throws -> IncomingResponse
    {
        try await fixture.client.get(url ?? self.url, headers: headers, options: options)
    }

    @Test("a client caches nothing by default")
    func offByDefault() async throws {
        let client = HTTPClient(transport: mock)
        mock.enqueue(CacheFixture.answer("a"), CacheFixture.answer("b"))
        for text in ["a", "b"] {
            let response = try await client.get(url)
            #expect(try await response.text() == text && response.cacheOutcome == nil)
        }
    }

    @Test("a fresh response is served with its age, and a stale one is validated")
    func lifecycle() async throws {
        mock.enqueue(
            CacheFixture.answer("a", "max-age=60", [.eTag: "\"1\""]),
            .status(304, headers: [.eTag: "\"1\"", "X-New": "1"]))
        let first = try await get()
        #expect(try await first.text() == "a" && first.outcomeText == "miss (notStored)")
        fixture.clock.advance(by: .seconds(7))
        let hit = try await get()
        #expect(
            try await hit.text() == "a" && hit.outcomeText == "hit (fresh)" && hit["Age"] == "7" && hit.history.isEmpty)
        fixture.clock.advance(by: .seconds(60))
        let confirmed = try await get()
        #expect(try await confirmed.text() == "a" && confirmed.outcomeText == "revalidated (stale)")
        #expect(confirmed["X-New"] == "1" && confirmed["Age"] == "0" && confirmed.status == .ok)
        #expect(confirmed.history.map(\.reason) == [.revalidated] && confirmed.history[0].status?.code == 304)
        #expect(mock.requests.map { $0[.ifNoneMatch] } == [nil, "\"1\""])
    }

    @Test("a 304 for another version is ignored, and the full response is requested")
    func wrongConfirmation() async throws {
        mock.enqueue(
            CacheFixture.answer("a", "max-age=0", [.eTag: "\"1\""]), .status(304, headers: [.eTag: "\"2\""]),
            CacheFixture.answer("b"))
        for text in ["a", "b", "b"] { #expect(try await get().text() == text) }
        #expect(mock.requests.map { $0[.ifNoneMatch] } == [nil, "\"1\"", nil])
    }

    @Test("responses for other credentials, cookies and API keys are not served from a shared store")
    func sharedStore() async throws {
        let users: [Headers] = [
            [:], [.authorization: "Bearer a"], [.authorization: "Bearer b"], [.cookie: "s=1"], [.cookie: "s=2"],
            ["X-API-Key": "k"],
        ]
        mock.answer(.get, "/x") { request in
            CacheFixture.answer(
                "\(request[.authorization] ?? "") \(request[.cookie] ?? "") \(request["X-API-Key"] ?? "")",
                "public, max-age=60")
        }
        for _ in 0..<2 {
            for user in users {
                let client = fixture.client(over: mock, with: CachePolicy(fixture.store))
                let text = try await client.get(url, headers: user).text()
                #expect(text == "\(user[.authorization] ?? "") \(user[.cookie] ?? "") \(user["X-API-Key"] ?? "")")
            }
        }
        #expect(mock.requests.count == users.count)
    }

    @Test(
        "a response is not served to a request with another value of a field that identifies the user",
        arguments: ["Ocp-Apim-Subscription-Key", "X-Session-Token", "X-Company-User", "X-Named-By-The-Client"])
    func privateAnswers(name: String) async throws {
        var redirects = RedirectPolicy()
        redirects.strippedFields = ["X-Named-By-The-Client"]
        let field = Headers.Name(name)
        let directives = name == "X-Named-By-The-Client" ? "max-age=60" : "private, max-age=60"
        mock.answer(.get, "/x") { CacheFixture.answer($0[field] ?? "", directives) }
        let client = fixture.client.adding(redirects)
        for _ in 0..<2 {
            for user in ["a", "b"] { #expect(try await client.get(url, headers: [field: user]).text() == user) }
        }
        #expect(mock.requests.count == 2)
    }

    @Test(
        "the client's secret fields separate responses even if a call skips or replaces the redirect policy",
        arguments: [OutgoingRequest.Options.skipping(.redirects), .intercepting(.redirects(.manual))])
    func secretFieldsOfClient(options: OutgoingRequest.Options) async throws {
        var redirects = RedirectPolicy()
        redirects.strippedFields = ["X-Tenant"]
        mock.answer(.get, "/x") { CacheFixture.answer($0["X-Tenant"] ?? "none") }
        let client = fixture.client.adding(redirects)
        for _ in 0..<2 {
            for user in ["a", "b"] {
                let response = try await client.get(url, headers: ["X-Tenant": user], options: options)
                #expect(try await response.text() == user)
            }
        }
        #expect(mock.requests.count == 2)
    }

    @Test("credentials that policies add separate responses like those of the caller")
    func policies() async throws {
        mock.answer(.get, "/x") { CacheFixture.answer($0[.authorization] ?? "none") }
        let (a, b) = (fixture.client.adding(.bearer("a")), fixture.client.adding(.bearer("b")))
        for _ in 0..<2 {
            #expect(try await a.get(url).text() == "Bearer a")
            #expect(try await b.get(url).text() == "Bearer b")
        }
        #expect(mock.requests.count == 2)
    }

    @Test("partitions, sockets and codings have separate responses, and a call with its own TLS bypasses the cache")
    func separations() async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.answer("a") }
        var socket = OutgoingRequest.Options()
        socket.unixSocketPath = "/run/a"
        var raw = OutgoingRequest.Options()
        raw.decompresses = false
        var tls = OutgoingRequest.Options()
        tls.tls = TLSOptions()
        #expect(try await get().outcomeText == "miss (notStored)")
        #expect(try await get(nil, [:], socket).outcomeText == "miss (vary)")
        #expect(try await get(nil, [.acceptEncoding: "br"]).outcomeText == "miss (vary)")
        // The stored response has no coding.
        #expect(try await get(nil, [:], raw).outcomeText == "hit (fresh)")
        #expect(try await get(nil, [:], tls).outcomeText == "bypass (ownTLS)")
        var other = CachePolicy(fixture.store)
        other.partition = "other"
        #expect(try await fixture.client(over: mock, with: other).get(url).outcomeText == "miss (vary)")
    }

    @Test("a successful unsafe request removes the responses that it may have changed, for all users")
    func invalidation() async throws {
        mock.answer(.get, "*") { _ in CacheFixture.answer("a") }
        mock.answer(.post, "/x") { _ in .status(201, headers: [.location: "/new", .contentLocation: "https://b.test/"])
        }
        mock.answer(.put, "/x") { _ in .status(500) }
        let urls = [url, "https://a.test/new", "https://b.test/", "https://a.test/other"]
        for url in urls { _ = try await get(url) }
        _ = try await get(nil, [.authorization: "Bearer a"])
        #expect(try await fixture.client.put(url, .text("b")).outcomeText == "bypass (method)")
        #expect(fixture.store.count == 5)
        _ = try await fixture.client.post(url, .text("b"))
        #expect(fixture.store.count == 2)
        for url in urls[2...] { #expect(try await get(url).outcomeText == "hit (fresh)") }
    }

    @Test("each cache mode serves, revalidates, reloads or refuses as its name says")
    func modes() async throws {
        #expect(try await get(nil, [:], .caching(.returnCacheDontLoad)).status == .gatewayTimeout)
        #expect(try await get(nil, [.cacheControl: "only-if-cached"]).status == .gatewayTimeout)
        mock.answer(.get, "/x") {
            $0[.ifNoneMatch] == nil ? CacheFixture.answer("a", "max-age=60", [.eTag: "\"1\""]) : .status(304)
        }
        _ = try await get()
        fixture.clock.advance(by: .seconds(100))
        #expect(try await get(nil, [:], .caching(.returnCacheDontLoad)).outcomeText == "staleHit (mode)")
        #expect(try await get(nil, [:], .caching(.returnCacheElseLoad)).outcomeText == "staleHit (mode)")
        #expect(try await get(nil, [:], .caching(.reloadRevalidatingCache)).outcomeText == "revalidated (mode)")
        #expect(try await get().outcomeText == "hit (fresh)")
        #expect(try await get(nil, [:], .caching(.reloadIgnoringCache)).outcomeText == "miss (mode)")
        #expect(mock.requests.last?[.cacheControl] == "no-cache" && mock.requests.count == 3)
    }

    @Test(
        "modes that accept any age find a response without lifetime and validator", arguments: [true, false])
    func nothingSaid(isStoredByMode: Bool) async throws {
        mock.answer(.get, "/x") { _ in .ok("a") }
        let first = OutgoingRequest.Options.caching(isStoredByMode ? .returnCacheElseLoad : .useProtocol)
        _ = try await get(nil, [:], first).text()
        for mode in [CachePolicy.Mode.returnCacheElseLoad, .returnCacheDontLoad] {
            let response = try await get(nil, [:], .caching(mode))
            #expect(try await response.text() == "a" && response.outcomeText == "staleHit (mode)")
        }
        #expect(mock.requests.count == 1)
        #expect(try await get().outcomeText == "miss (stale)" && mock.requests.count == 2)
    }

    @Test("revalidation sends max-age=0 unless the caller sets Cache-Control")
    func revalidating() async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.answer("a", "max-age=60", [.eTag: "\"1\""]) }
        for headers in [[:], [:], [.cacheControl: "min-fresh=5"]] as [Headers] {
            _ = try await get(nil, headers, .caching(.reloadRevalidatingCache)).text()
        }
        #expect(mock.requests.map { $0[.cacheControl] } == ["max-age=0", "max-age=0", "min-fresh=5"])
        #expect(mock.requests.map { $0[.ifNoneMatch] } == [nil, "\"1\"", "\"1\""])
    }

    @Test("a stored response does not set its cookies again, but the 304 that confirms it sets new ones")
    func cookies() async throws {
        let jar = CookiePolicy.Jar(clock: fixture.clock)
        let client = fixture.client.adding(.cookies(jar))
        mock.enqueue(
            CacheFixture.answer("a", "max-age=60", [.eTag: "\"1\"", .setCookie: "a=1; Domain=a.test; Path=/none"]))
        #expect(try await client.get(url).headers[.setCookie] != nil && jar.count == 1)
        jar.removeAll()
        let hit = try await client.get(url)
        #expect(hit.outcomeText == "hit (fresh)" && jar.count == 0 && hit.headers[.setCookie] == nil)
        fixture.clock.advance(by: .seconds(60))
        mock.enqueue(.status(304, headers: [.setCookie: "b=2; Path=/none"]))
        #expect(try await client.get(url).outcomeText == "revalidated (stale)" && jar.cookies.map(\.name) == ["b"])
    }

    @Test("a response that is still being received when its URL is invalidated is not stored")
    func overtaken() async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.pieces(["a", "b"]) }
        mock.answer(.post, "/x") { _ in .status(200) }
        let slow = try await get()
        _ = try await fixture.client.post(url)
        #expect(try await slow.text() == "ab" && fixture.store.count == 0)
    }

    @Test("HEAD is served from a stored GET response, which a different HEAD response removes")
    func head() async throws {
        mock.enqueue(CacheFixture.answer("abc", "max-age=60", [.eTag: "\"1\""]))
        _ = try await get()
        let served = try await fixture.client.head(url)
        #expect(
            try await served.bytes().isEmpty && served.outcomeText == "hit (fresh)" && served["Content-Length"] == "3")
        fixture.clock.advance(by: .seconds(60))
        mock.enqueue(
            .status(200, headers: [.eTag: "\"1\"", .contentLength: "3", .cacheControl: "max-age=60", "X-A": "1"]))
        // The mock frames the empty body and sends another Content-Length.
        _ = try await fixture.client.head(url)
        #expect(fixture.store.count == 0)
    }

    @Test("a range is served from a full response, and partial responses are not stored")
    func ranges() async throws {
        mock.enqueue(
            TestServerResponse(
                status: .partialContent, headers: [.contentRange: "bytes 0-1/4", .cacheControl: "max-age=60"],
                body: Bytes("ab")),
            CacheFixture.answer(
                "abcd", "max-age=60", ["Content-Digest": "sha-256=:AA==:", "Content-MD5": "AA==", "Repr-Digest": "b=1"])
        )
        _ = try await get(nil, [.range: "bytes=0-1"])
        #expect(try await get().text() == "abcd")
        let part = try await get(nil, [.range: "bytes=1-2"])
        #expect(try await part.text() == "bc" && part.status == .partialContent)
        #expect(part["Content-Range"] == "bytes 1-2/4" && part["Content-Length"] == "2" && mock.requests.count == 2)
        // They are about the whole content (RFC 9530 2).
        #expect(part["Content-Digest"] == nil && part.headers["Content-MD5"] == nil && part["Repr-Digest"] == "b=1")
    }

    @Test("`willCache` can change or refuse the response to be stored")
    func willCache() async throws {
        let fixture = CacheFixture {
            $0.willCache = { response, request in
                guard request.url.path != "/no" else { return nil }
                var response = response
                response.headers[.cacheControl] = "max-age=5"
                return response
            }
        }
        fixture.mock.answer(.get, "*") { _ in CacheFixture.answer("a") }
        for path in ["no", "yes"] { _ = try await fixture.client.get("https://a.test/" + path) }
        #expect(fixture.store.count == 1)
        fixture.clock.advance(by: .seconds(5))
        #expect(try await fixture.client.get("https://a.test/yes").outcomeText == "miss (stale)")
    }

    @Test("a response that `willCache` makes private is served to the same user only")
    func madePrivate() async throws {
        let fixture = CacheFixture {
            $0.willCache = { response, _ in
                var response = response
                response.headers[.cacheControl] = "private, max-age=60"
                return response
            }
        }
        fixture.mock.answer(.get, "/x") { CacheFixture.answer($0["X-User"] ?? "none") }
        for user in ["a", "b", "a"] {
            #expect(try await fixture.client.get(fixture.url, headers: ["X-User": user]).text() == user)
        }
        #expect(fixture.mock.requests.count == 2)
    }

    @Test(
        "after a 304 or an answer to HEAD, a stored response has the fields that `willCache` gives it",
        arguments: [true, false])
    func updatedResponse(isHead: Bool) async throws {
        let fixture = CacheFixture {
            $0.willCache = { response, _ in
                var response = response
                response.headers[.cacheControl] = "private, max-age=60"
                response.headers["X-Token"] = nil
                return response
            }
        }
        let fields: Headers = [.eTag: "\"1\"", "X-Token": "t"]
        fixture.mock.answer(nil, "/x") {
            guard $0[.ifNoneMatch] == nil else {
                return .status(304, headers: fields.merging([.cacheControl: "max-age=60"]))
            }
            return CacheFixture.answer($0["X-Tenant"] ?? "none", "max-age=60", fields)
        }
        let (client, url, user) = (fixture.client, fixture.url, ["X-Tenant": "a"] as Headers)
        #expect(try await client.get(url, headers: user).text() == "a")
        fixture.clock.advance(by: .seconds(60))
        _ = isHead ? try await client.head(url, headers: user) : try await client.get(url, headers: user)
        #expect(fixture.store.count == 1 && fixture.mock.requests.count == 2)
        // The response of one user stays private.
        #expect(try await client.get(url, headers: ["X-Tenant": "b"]).text() == "b")
        let hit = try await client.get(url, headers: user)
        #expect(try await hit.text() == "a" && hit.outcomeText == "hit (fresh)" && hit["X-Token"] == nil)
    }

    @Test("a stored response whose update by a 304 is refused by `willCache` is served to the call, and then removed")
    func refusedUpdate() async throws {
        let fixture = CacheFixture {
            $0.willCache = { response, _ in response.headers["X-No"] == nil ? response : nil }
        }
        fixture.mock.enqueue(
            CacheFixture.answer("a", "max-age=60", [.eTag: "\"1\""]), .status(304, headers: ["X-No": "1"]))
        #expect(try await fixture.client.get(fixture.url).text() == "a" && fixture.store.count == 1)
        fixture.clock.advance(by: .seconds(60))
        let confirmed = try await fixture.client.get(fixture.url)
        #expect(try await confirmed.text() == "a" && confirmed.outcomeText == "revalidated (stale)")
        #expect(fixture.store.count == 0)
    }

    @Test(
        "a Vary that `willCache` adds or removes decides which requests the stored response answers",
        arguments: [(nil, "X-Kind", "none"), ("X-Kind", nil, "a")] as [(String?, String?, String)])
    func changedVary(sent: String?, kept: String?, text: String) async throws {
        let fixture = CacheFixture {
            $0.willCache = { response, _ in
                var response = response
                response.headers[.vary] = kept
                return response
            }
        }
        fixture.mock.answer(.get, "/x") {
            CacheFixture.answer($0["X-Kind"] ?? "none", "max-age=60", sent.map { [.vary: $0] } ?? [:])
        }
        let kind: Headers = ["X-Kind": "a"]
        #expect(try await fixture.client.get(fixture.url, headers: kind).text() == "a")
        #expect(try await fixture.client.get(fixture.url).text() == text)
        #expect(try await fixture.client.get(fixture.url, headers: kind).outcomeText == "hit (fresh)")
    }

    @Test("responses of the cache are not retried")
    func retries() async throws {
        let client = fixture.client.adding(.retry(max: 3))
        let refused = try await client.get(url, options: .caching(.returnCacheDontLoad))
        #expect(refused.status == .gatewayTimeout && mock.requests.isEmpty && refused.history.isEmpty)
        mock.enqueue(CacheFixture.answer("a", "max-age=60, stale-if-error=60"))
        _ = try await client.get(url)
        #expect(try await client.get(url).outcomeText == "hit (fresh)" && mock.requests.count == 1)
    }

    @Test("the body limit of a call applies to stored responses")
    func limits() async throws {
        mock.enqueue(CacheFixture.answer("abcd"))
        _ = try await get()
        let error = await #expect(throws: SockeyeError.self) { try await get(nil, [:], .limit(body: 3)).text() }
        #expect(error?.code == .limitExceeded)
    }
}
