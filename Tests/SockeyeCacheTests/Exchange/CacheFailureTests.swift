import Sockeye
import SockeyeEngine
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeCache

@Suite("Faults of a cache", .timeLimit(.minutes(1))) struct CacheFailureTests {
    private let fixture = CacheFixture()
    private var mock: MockTransport { fixture.mock }
    private var url: String { fixture.url }

    private static let closed = SockeyeError(
        .init(.connectionClosed, phase: .head, blame: .peer, message: "closed"))

    @Test("a body that is read in part is not stored, and the next request is sent")
    func earlyStop() async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.pieces(["a", "b"]) }
        do {
            let response = try await fixture.client.get(url)
            var body = response.body.makeAsyncIterator()
            #expect(try await body.next() == Bytes("a"))
        }
        #expect(fixture.store.count == 0)
        #expect(try await fixture.client.get(url).text() == "ab" && fixture.store.count == 1)
    }

    @Test("with `finishesAbandonedBodies` an abandoned body is read to its end in the background")
    func finishing() async throws {
        let fixture = CacheFixture { $0.finishesAbandonedBodies = true }
        fixture.mock.answer(.get, "/x") { _ in CacheFixture.pieces(["a", "b"]) }
        do {
            let response = try await fixture.client.get(url)
            var body = response.body.makeAsyncIterator()
            _ = try await body.next()
        }
        await eventually("a stored response") { fixture.store.count == 1 }
        #expect(try await fixture.client.get(url).text() == "ab" && fixture.mock.requests.count == 1)
    }

    @Test("a body that breaks off is not stored")
    func brokenBody() async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.pieces(["a", "b"], then: Self.closed) }
        for _ in 0..<2 {
            await #expect(throws: SockeyeError.self) { try await fixture.client.get(url).text() }
        }
        #expect(mock.requests.count == 2 && fixture.store.count == 0)
    }

    /// Reads the body and returns the response nevertheless.
    private struct ReadingInterceptor: Interceptor {
        var stage: Call.Stage { .attempt }

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            let response = try await call.proceed(request)
            _ = try await response.bytes()
            return response
        }
    }

    @Test("a response whose body an inner interceptor has read is not stored", arguments: [false, true])
    func readBody(isStreamed: Bool) async throws {
        mock.answer(.get, "/x") { _ in isStreamed ? CacheFixture.pieces(["a", "b"]) : CacheFixture.answer("ab") }
        let client = fixture.client.adding(ReadingInterceptor())
        for count in 1...2 {
            let response = try await client.get(url)
            #expect(mock.requests.count == count && response.cacheOutcome?.refusal == "bodyConsumed")
            let error = await #expect(throws: SockeyeError.self) { try await response.text() }
            #expect(error?.code == .bodyConsumed && fixture.store.count == 0)
        }
    }

    @Test("a body whose reading task is cancelled is not stored")
    func cancelledBody() async throws {
        mock.answer(.get, "/x") { _ in
            .stream(AsyncStream<[UInt8]> { $0.yield([1]) }, headers: [.cacheControl: "max-age=60"])
        }
        let response = try await fixture.client.get(url)
        let reading = Task { try await response.bytes() }
        reading.cancel()
        _ = await reading.result
        #expect(fixture.store.count == 0)
    }

    @Test(
        "a stale response replaces an error if its stale-if-error allows that",
        arguments: [
            ("max-age=1, stale-if-error=60", true), ("max-age=1", false), ("max-age=1, stale-if-error=1", false),
        ])
    func staleIfError(cacheControl: String, isServed: Bool) async throws {
        mock.enqueue(CacheFixture.answer("a", cacheControl, [.eTag: "\"1\""]))
        _ = try await fixture.client.get(url)
        fixture.clock.advance(by: .seconds(10))
        mock.answer(.get, "/x") { _ in .status(503) }
        #expect(try await fixture.client.get(url).status == (isServed ? .ok : .serviceUnavailable))
        mock.answer(.get, "/x") { _ in throw Self.closed }
        if isServed {
            let response = try await fixture.client.get(url)
            #expect(
                response.outcomeText == "staleHit (staleIfError)"
                    && response.history.first?.error?.code == .connectionClosed)
        } else {
            await #expect(throws: SockeyeError.self) { try await fixture.client.get(url) }
        }
    }

    @Test("with stale-while-revalidate a stale response is served, and one background request refreshes it")
    func background() async throws {
        let gate = AsyncGate()
        mock.enqueue(CacheFixture.answer("a", "max-age=1, stale-while-revalidate=60"))
        _ = try await fixture.client.get(url)
        fixture.clock.advance(by: .seconds(10))
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("b")
        }
        for _ in 0..<3 {
            let response = try await fixture.client.get(url)
            #expect(try await response.text() == "a" && response.outcomeText == "staleHit (staleWhileRevalidate)")
        }
        gate.open()
        await eventually("the end of the revalidation in the background") { !fixture.policy.isRevalidating }
        #expect(mock.requests.count == 2)
        #expect(try await fixture.client.get(url).text() == "b" && mock.requests.count == 2)
    }

    @Test(
        "a background request whose response must not be stored removes the stale response",
        arguments: [true, false])
    func refusedRefresh(hasValidator: Bool) async throws {
        let validator: Headers = hasValidator ? [.eTag: "\"1\""] : [:]
        mock.enqueue(CacheFixture.answer("a", "max-age=1, stale-while-revalidate=60", validator))
        #expect(try await fixture.client.get(url).text() == "a")
        fixture.clock.advance(by: .seconds(10))
        mock.answer(.get, "/x") { _ in CacheFixture.answer("b", "no-store") }
        #expect(try await fixture.client.get(url).text() == "a")
        await eventually("the end of the revalidation in the background") { !fixture.policy.isRevalidating }
        #expect(fixture.store.count == 0)
        #expect(try await fixture.client.get(url).text() == "b" && mock.requests.count == 3)
    }

    @Test("a cancelled unsafe request removes the stored response, even from a store that reacts to cancellation")
    func cancelledUnsafe() async throws {
        let client = fixture.client(over: mock, with: CachePolicy(CancellableStore(base: fixture.store)))
        mock.answer(.get, "/x") { _ in CacheFixture.answer("a") }
        #expect(try await client.get(url).text() == "a" && fixture.store.count == 1)
        let isSent = AsyncGate()
        mock.answer(.post, "/x") { _ in
            isSent.open()
            try await Task.sleep(for: .seconds(60))
            return .status(200)
        }
        let post = Task { [url] in try await client.post(url) }
        await isSent.pass()
        post.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await post.value }
        #expect(error?.code == .cancelled)
        await eventually("the removal of the stored response") { fixture.store.count == 0 }
    }

    /// Answers as the cache does if OpenSSL cannot compute the digest that separates users.
    private struct WithoutDigest: Interceptor {
        let policy: CachePolicy
        var stage: Call.Stage { .cache }

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            try await policy.respondWithoutDigest(to: request, in: call)
        }
    }

    @Test("without a digest a request bypasses the cache, but is not sent if it permits only stored responses")
    func withoutDigest() async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.answer("a") }
        let client = HTTPClient(transport: mock, interceptors: [WithoutDigest(policy: fixture.policy)])
        let sent = try await client.get(url)
        #expect(try await sent.text() == "a" && sent.outcomeText == "bypass (storeFailed)")
        let refused = [
            try await client.get(url, options: .caching(.returnCacheDontLoad)),
            try await client.get(url, headers: [.cacheControl: "only-if-cached"]),
        ]
        for response in refused {
            #expect(response.status == .gatewayTimeout && response.outcomeText == "bypass (storeFailed)")
        }
        #expect(mock.requests.count == 1)
    }

    @Test("a fault of the store has the effect of a miss", arguments: FaultyStore.Fault.allCases)
    func poisoned(fault: FaultyStore.Fault) async throws {
        let store = FaultyStore(fault)
        mock.answer(.get, "/x") { _ in CacheFixture.answer("abc") }
        let client = fixture.client(over: mock, with: CachePolicy(store))
        for _ in 0..<2 { #expect(try await client.get(url).text() == "abc") }
        #expect(mock.requests.count == 2)
    }

    @Test("content that a store cuts off while streaming is an error and not a short response")
    func cutStream() async throws {
        let store = FaultyStore(.cutStream)
        mock.answer(.get, "/x") { _ in CacheFixture.answer("abc") }
        let client = fixture.client(over: mock, with: CachePolicy(store))
        _ = try await client.get(url)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url).text() }
        #expect(error?.code == .connectionClosed)
    }
}

/// A gate that is opened once.
final class AsyncGate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// A store that removes nothing for a cancelled task.
private struct CancellableStore: CachePolicy.Store {
    let base: CachePolicy.MemoryStore

    func responses(for key: String) -> [CachedResponse] { base.responses(for: key) }
    func body(of response: CachedResponse, for key: String) -> CachedResponse.Body? {
        base.body(of: response, for: key)
    }
    func writer(for response: CachedResponse, key: String) -> (any CachePolicy.Writer)? {
        base.writer(for: response, key: key)
    }
    func update(_ response: CachedResponse, for key: String) { base.update(response, for: key) }
    func remove(_ response: CachedResponse, for key: String) { base.remove(response, for: key) }

    func removeAll(for key: String) async throws {
        try Task.checkCancellation()
        base.removeAll(for: key)
    }
}

/// A store with one fault.
struct FaultyStore: CachePolicy.Store {
    enum Fault: String, CaseIterable, Sendable {
        case throwsLookup, throwsBody, loses, shortens, lengthens, otherStatus, otherPartition, throwsWriting, cutStream

        static var allCases: [Fault] {
            [.throwsLookup, .throwsBody, .loses, .shortens, .lengthens, .otherStatus, .otherPartition, .throwsWriting]
        }
    }

    struct Failure: Error {}

    let fault: Fault
    private let store = CachePolicy.MemoryStore(limit: 1 << 20)

    init(_ fault: Fault) { self.fault = fault }

    func responses(for key: String) async throws -> [CachedResponse] {
        if fault == .throwsLookup { throw Failure() }
        return try store.responses(for: key).map { response in
            var response = response
            if fault == .lengthens { response.bodyLength += 1 }
            if fault == .otherStatus { response.status = 206 }
            guard fault == .otherPartition else { return response }
            let other = CacheRequest(
                method: .get, url: try HTTPURL(key), headers: [.cookie: "a=1"], decodes: true)
            return CachedResponse(
                id: response.id, status: 200, reason: "", headers: response.headers, isDecoded: false,
                to: try #require(other), requestTime: response.requestTime, responseTime: response.responseTime)
        }
    }

    func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        switch fault {
        case .throwsBody: throw Failure()
        case .loses: return nil
        case .shortens: return .pieces([Bytes("ab")])
        case .cutStream:
            return .stream { _ in
                AsyncThrowingStream<Bytes, any Error> { continuation in
                    continuation.yield(Bytes("ab"))
                    continuation.finish()
                }
            }
        default: return store.body(of: response, for: key)
        }
    }

    func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)? {
        if fault == .throwsWriting { throw Failure() }
        return store.writer(for: response, key: key)
    }

    func update(_ response: CachedResponse, for key: String) async throws { store.update(response, for: key) }
    func remove(_ response: CachedResponse, for key: String) async throws { store.remove(response, for: key) }
    func removeAll(for key: String) async throws { store.removeAll(for: key) }
}
