import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeCache
@testable import SockeyeEngine

/// Runs exchanges without a client: the rest of the call is a mock transport.
@Suite("The exchange of a cache", .timeLimit(.minutes(1))) struct CacheExchangeTests {
    private let mock = MockTransport()
    private let clock = ManualClock()
    private let store = CachePolicy.MemoryStore(limit: 1 << 20)
    private let url = "https://a.test/x"

    /// Makes the exchange for a request; every call has a chain of its own.
    private func exchange(
        _ method: HTTPRequest.Method = .get, _ headers: Headers = [:], mode: CachedResponse.Mode = .useProtocol,
        store: (any CachePolicy.Store)? = nil, _ change: (inout CachePolicy) -> Void = { _ in }
    ) throws -> CacheExchange {
        var policy = CachePolicy(store ?? self.store)
        policy.mode = mode
        change(&policy)
        let request = try OutgoingRequest(method: method, url: url, headers: headers)
        let callClock = CallClock(time: clock.timeSource) { () throws(TransportError) in try .shared() }
        let chain = InterceptorChain(
            InterceptorList(), to: mock, monitors: [], clock: callClock, background: BackgroundWork())
        let call = Call(chain, at: 0, CallContext(callClock, total: nil, values: OutgoingRequest.Context()))
        let cacheRequest = try #require(
            CacheRequest(
                method: method, url: request.url, headers: headers, decodes: true, separators: [], secretFields: []))
        return CacheExchange(policy: policy, request: request, cacheRequest: cacheRequest, call: call)
    }

    /// Runs an exchange and reads the content.
    private func run(_ exchange: CacheExchange) async throws -> (text: String, told: String, response: IncomingResponse)
    {
        let response = try await exchange.run()
        return (try await response.text(), response.outcomeText, response)
    }

    /// Stores a response by a first exchange.
    private func keep(_ cacheControl: String, _ headers: Headers = [:]) async throws {
        mock.enqueue(CacheFixture.answer("stored", cacheControl, headers))
        #expect(try await run(exchange()).text == "stored" && store.count == 1)
    }

    @Test("a stored response is served with its age while it is fresh")
    func fresh() async throws {
        try await keep("max-age=60")
        clock.advance(by: .seconds(59))
        let (text, told, response) = try await run(exchange())
        #expect(text == "stored" && told == "hit (fresh)" && response[.age] == "59" && mock.requests.count == 1)
    }

    private static let modes: [(CachedResponse.Mode, isFresh: Bool, status: Int, sent: Headers?)] = [
        (.useProtocol, true, 200, nil), (.useProtocol, false, 200, ["If-None-Match": "\"1\""]),
        (.reloadIgnoringCache, true, 200, ["Cache-Control": "no-cache", "Pragma": "no-cache"]),
        (.reloadRevalidatingCache, true, 200, ["Cache-Control": "max-age=0", "If-None-Match": "\"1\""]),
        (.returnCacheElseLoad, false, 200, nil), (.returnCacheDontLoad, false, 200, nil),
    ]

    @Test("each cache mode sends a request with its own fields, or no request", arguments: modes.indices)
    func mode(index: Int) async throws {
        let (mode, isFresh, status, sent) = Self.modes[index]
        try await keep("max-age=60", [.eTag: "\"1\""])
        if !isFresh { clock.advance(by: .seconds(61)) }
        mock.enqueue(CacheFixture.answer("new"))
        let response = try await exchange(mode: mode).run()
        #expect(response.status.code == status && mock.requests.count == (sent == nil ? 1 : 2))
        for name in ["Cache-Control", "Pragma", "If-None-Match"] where mock.requests.count == 2 {
            #expect(mock.requests[1][Headers.Name(name)] == sent?[Headers.Name(name)], "\(name)")
        }
    }

    @Test("a request whose mode or field forbids the network gets 504 if no response is stored")
    func offline() async throws {
        for exchange in [
            try exchange(mode: .returnCacheDontLoad), try exchange(headers: [.cacheControl: "only-if-cached"]),
            try exchange(headers: [.cacheControl: "only-if-cached", "If-None-Match": "\"1\""]),
            try exchange(.post, mode: .returnCacheDontLoad), try exchange(.put, [.cacheControl: "only-if-cached"]),
            try exchange(.delete, mode: .returnCacheDontLoad),
        ] {
            let response = try await exchange.run()
            #expect(response.status == .gatewayTimeout && mock.requests.isEmpty)
        }
    }

    private func exchange(headers: Headers) throws -> CacheExchange { try exchange(.get, headers) }

    @Test("a 304 makes a stale response fresh again")
    func validated() async throws {
        try await keep("max-age=10", [.eTag: "\"1\""])
        clock.advance(by: .seconds(11))
        mock.enqueue(.status(304, headers: [.eTag: "\"1\"", .cacheControl: "max-age=100"]))
        let (text, told, _) = try await run(exchange())
        #expect(text == "stored" && told == "revalidated (stale)")
        clock.advance(by: .seconds(99))
        #expect(try await run(exchange()).told == "hit (fresh)" && mock.requests.count == 2)
    }

    @Test("after a 304 for another version the stored response is removed, and the whole resource is requested")
    func otherVersion() async throws {
        try await keep("max-age=10", [.eTag: "\"1\""])
        clock.advance(by: .seconds(11))
        mock.enqueue(.status(304, headers: [.eTag: "\"2\""]), CacheFixture.answer("second", "no-store"))
        let (text, told, response) = try await run(exchange())
        #expect(text == "second" && told.hasPrefix("miss") && store.count == 0)
        #expect(response.history.isEmpty && mock.requests.count == 3)
        #expect(mock.requests[2]["If-None-Match"] == nil)
    }

    @Test("an error of the server is returned unless the stale-if-error of a stale response allows replacing it")
    func errors() async throws {
        for (cacheControl, status, isReplaced) in [
            ("max-age=10, stale-if-error=60", 503, true), ("max-age=10, stale-if-error=60", 404, false),
            ("max-age=10, stale-if-error=5", 503, false), ("max-age=10, must-revalidate", 503, false),
        ] {
            store.removeAll()
            try await keep(cacheControl)
            clock.advance(by: .seconds(20))
            mock.enqueue(.status(status))
            let response = try await exchange().run()
            #expect(response.status.code == (isReplaced ? 200 : status), "\(cacheControl) \(status)")
        }
    }

    @Test(
        "a stale response is removed if a complete response supersedes it but must not be stored",
        arguments: [200, 404, 410], [true, false])
    func superseded(status: Int, hasValidator: Bool) async throws {
        try await keep("max-age=10, stale-if-error=60", hasValidator ? [.eTag: "\"1\""] : [:])
        clock.advance(by: .seconds(20))
        mock.enqueue(.text("new", status: status, headers: [.cacheControl: "no-store"]), .status(503))
        let (text, _, response) = try await run(exchange())
        #expect(text == "new" && response.cacheOutcome?.refusal == "noStore" && store.count == 0)
        #expect(try await exchange().run().status == .serviceUnavailable && mock.requests.count == 3)
    }

    @Test("an answer to a range request does not remove the stale response if it must not be stored")
    func notSuperseded() async throws {
        try await keep("max-age=10, stale-if-error=60")
        clock.advance(by: .seconds(20))
        mock.enqueue(.status(404))
        #expect(try await exchange(.get, [.range: "bytes=0-1"]).run().status == .notFound && store.count == 1)
    }

    @Test(
        "a mode that reloads returns an error of the server, whatever the stored response allows",
        arguments: [CachedResponse.Mode.reloadIgnoringCache, .reloadRevalidatingCache], [true, false])
    func errorsOfReloads(mode: CachedResponse.Mode, hasValidator: Bool) async throws {
        try await keep("max-age=10, stale-if-error=60", hasValidator ? [.eTag: "\"1\""] : [:])
        clock.advance(by: .seconds(20))
        mock.enqueue(.status(503))
        #expect(try await exchange(mode: mode).run().status == .serviceUnavailable && mock.requests.count == 2)
    }

    @Test("only a successful unsafe request removes the stored response", arguments: [200, 303, 400, 500])
    func unsafeMethod(status: Int) async throws {
        try await keep("max-age=60")
        mock.enqueue(.status(status))
        #expect(try await run(exchange(.post)).response.status.code == status)
        #expect(store.count == (status < 400 ? 0 : 1))
    }

    @Test("an unsafe request without a response throws the error of its connection")
    func failedUnsafe() async throws {
        try await keep("max-age=60")
        mock.answer(.post, "/x") { _ in throw SockeyeError.failure(.connectionClosed) }
        let error = await #expect(throws: SockeyeError.self) { try await exchange(.post).run() }
        #expect(error?.code == .connectionClosed)
    }

    @Test("a response that was invalidated while it was requested is returned but not stored")
    func invalidatedMeanwhile() async throws {
        let shared = CachePolicy(store)
        let (loading, key) = (try exchange { $0 = shared }, try exchange().key)
        mock.answer(.get, "/x") { _ in
            shared.activity.invalidate(key)
            return CacheFixture.answer("older")
        }
        #expect(try await run(loading).text == "older" && store.count == 0)
    }

    @Test("a response that is invalidated while `willCache` examines it is returned but not stored")
    func invalidatedDuringHook() async throws {
        var policy = CachePolicy(store)
        policy.willCache = { [activity = policy.activity, store, key = try exchange().key] response, _ in
            // An unsafe request that ends now has the same effect.
            activity.invalidate(key)
            store.removeAll(for: key)
            return response
        }
        let loading = try exchange { [policy] in $0 = policy }
        mock.enqueue(CacheFixture.answer("older"))
        let (text, _, response) = try await run(loading)
        #expect(text == "older" && response.cacheOutcome?.refusal == "invalidated" && store.count == 0)
    }

    @Test("if the store has lost the content of a response, the response is requested again")
    func lostContent() async throws {
        let store = FaultyStore(.loses)
        mock.answer(.get, "/x") { _ in CacheFixture.answer("sent") }
        for count in 1...2 {
            let (text, told, _) = try await run(exchange(store: store))
            #expect(text == "sent" && told.hasPrefix("miss") && mock.requests.count == count)
        }
    }
}
