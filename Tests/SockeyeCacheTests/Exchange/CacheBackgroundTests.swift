import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Background work of a cache", .timeLimit(.minutes(1))) struct CacheBackgroundTests {
    private let mock = MockTransport()
    private let url = "https://a.test/x"
    private static let piece = [UInt8](repeating: 1, count: 64 << 10)
    private static let stale: Headers = [.cacheControl: "max-age=0, stale-while-revalidate=60"]

    /// Answers the first request with content that is stale at once, and later ones with the stream of `later`.
    private func answer(_ later: @escaping @Sendable () -> AsyncStream<[UInt8]>) {
        mock.answer(.get, "/x") { _ in
            guard mock.requests.count > 1 else { return .ok("a", headers: Self.stale) }
            return .stream(later(), headers: [.cacheControl: "max-age=60"])
        }
    }

    /// An endless body that counts its pieces.
    private final class Endless: Sendable {
        private let pieces = Atomic(0)

        var count: Int { pieces.load(ordering: .relaxed) }

        var stream: AsyncStream<[UInt8]> {
            AsyncStream(unfolding: { [self] in
                pieces.wrappingAdd(1, ordering: .relaxed)
                return CacheBackgroundTests.piece
            })
        }
    }

    /// Gets a stale response, which starts a refresh.
    private func refresh(by client: HTTPClient) async throws {
        for _ in 0..<2 { #expect(try await client.get(url).text() == "a") }
    }

    private static func policy(_ change: (inout CachePolicy) -> Void) -> CachePolicy {
        var policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 30))
        change(&policy)
        return policy
    }

    @Test("a refresh of an endless body ends at the byte limit and stores nothing")
    func bytes() async throws {
        let endless = Endless()
        answer { endless.stream }
        let policy = Self.policy { $0.background.bytes = 1 << 20 }
        let client = HTTPClient(transport: mock, interceptors: [policy])
        try await refresh(by: client)
        await eventually("the end of the refresh") { !policy.isRevalidating }
        #expect(endless.count <= 18 && mock.requests.count == 2)
        #expect(try await client.get(url).text() == "a")
    }

    @Test("a refresh ends when the store refuses more content")
    func refusedByStore() async throws {
        let endless = Endless()
        answer { endless.stream }
        let policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20, entryLimit: 128 << 10))
        try await refresh(by: HTTPClient(transport: mock, interceptors: [policy]))
        await eventually("the end of the refresh") { !policy.isRevalidating }
        #expect(endless.count <= 4)
    }

    @Test("a refresh from a silent server ends at its time limit")
    func time() async throws {
        answer { AsyncStream { _ in } }
        let policy = Self.policy { $0.background.duration = .milliseconds(50) }
        try await refresh(by: HTTPClient(transport: mock, interceptors: [policy]))
        await eventually("the end of the refresh") { !policy.isRevalidating }
        #expect(mock.requests.count == 2)
    }

    @Test("background work with a time limit of zero or less does not begin", arguments: [Duration.zero, .seconds(-1)])
    func noTime(limit: Duration) async {
        let background = BackgroundWork()
        let (begun, timeouts) = (Recorder<Int>(), Recorder<Int>())
        for number in 1...100 {
            let task = background.start(
                within: limit, by: .system, isAwaited: false, work: { begun.append(number) },
                ended: { if case .timedOut = $0 { timeouts.append(number) } })
            await task?.value
        }
        #expect(begun.values.isEmpty && timeouts.values.count == 100)
    }

    @Test(
        "a refresh ends when its client is shut down or the client's last copy is released",
        arguments: [false, true])
    func client(isReleased: Bool) async throws {
        try await withTestServer { request in
            guard request.number > 0 else { return .ok("a", headers: Self.stale) }
            return .stream(AsyncStream<[UInt8]> { $0.yield([1]) }, headers: [.cacheControl: "max-age=60"])
        } run: { server in
            let policy = Self.policy { _ in }
            var client: HTTPClient? = HTTPClient().adding(.cache(policy))
            for _ in 0..<2 {
                let text = try await client?.get(server.url()).text()
                #expect(text == "a")
            }
            #expect(policy.isRevalidating)
            await eventually("the second request") { server.activity.requests == 2 }
            if !isReleased { await client?.shutDown(graceful: false) }
            client = nil
            await eventually("the end of the refresh") { !policy.isRevalidating }
            _ = server.takeFailures()
        }
    }

    @Test("an abandoned body is read in the background only up to the byte limit")
    func abandonedBody() async throws {
        let endless = Endless()
        mock.answer(.get, "/x") { _ in .stream(endless.stream, headers: [.cacheControl: "max-age=60"]) }
        let ended = AsyncGate()
        let store = EndingStore(base: CachePolicy.MemoryStore(limit: 1 << 30)) { ended.open() }
        var policy = CachePolicy(store)
        policy.finishesAbandonedBodies = true
        policy.background.bytes = 1 << 20
        let client = HTTPClient(transport: mock, interceptors: [policy])
        do {
            var body = try await client.get(url).body.makeAsyncIterator()
            _ = try await body.next()
        }
        await ended.pass()
        #expect(endless.count <= 20)
    }

    @Test("a body is not read in the background after a redirect or a retry has discarded it", arguments: [302, 503])
    func replacedBody(status: Int) async throws {
        let endless = Endless()
        mock.answer(.get, "/x") { _ in
            guard mock.requests.count == 1 else { return .ok("end") }
            return .stream(
                endless.stream, status: status, headers: [.cacheControl: "max-age=60", .location: "/y"])
        }
        mock.answer(.get, "/y") { _ in .ok("end") }
        let ended = AsyncGate()
        let store = EndingStore(base: CachePolicy.MemoryStore(limit: 1 << 30)) { ended.open() }
        var policy = CachePolicy(store)
        policy.finishesAbandonedBodies = true
        policy.background.bytes = 1 << 20
        let client = HTTPClient(
            transport: mock, interceptors: [policy, RetryPolicy.retry(backoff: .none, budget: nil)])
        #expect(try await client.get(url).text() == "end")
        await ended.pass()
        #expect(endless.count <= 1)
    }
}

/// A store that reports abandoned writes.
private struct EndingStore: CachePolicy.Store {
    let base: CachePolicy.MemoryStore
    let abandoned: @Sendable () -> Void

    func responses(for key: String) -> [CachedResponse] { base.responses(for: key) }
    func body(of response: CachedResponse, for key: String) -> CachedResponse.Body? {
        base.body(of: response, for: key)
    }
    func update(_ response: CachedResponse, for key: String) { base.update(response, for: key) }
    func remove(_ response: CachedResponse, for key: String) { base.remove(response, for: key) }
    func removeAll(for key: String) { base.removeAll(for: key) }

    func writer(for response: CachedResponse, key: String) -> (any CachePolicy.Writer)? {
        base.writer(for: response, key: key).map { Writer(base: $0, abandoned: abandoned) }
    }

    private struct Writer: CachePolicy.Writer {
        let base: any CachePolicy.Writer
        let abandoned: @Sendable () -> Void

        func write(_ piece: Bytes) async throws { try await base.write(piece) }
        func commit() async throws { try await base.commit() }

        func abandon() {
            base.abandon()
            abandoned()
        }
    }
}
