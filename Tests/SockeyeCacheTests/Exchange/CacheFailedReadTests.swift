import Sockeye
import SockeyeCache
import SockeyeHTTP
import SockeyeTesting
import Synchronization
import Testing

@Suite("A cache with a store that fails to read content", .timeLimit(.minutes(1))) struct CacheFailedReadTests {
    private let fixture = CacheFixture()

    /// A client with a store that holds one response and fails at its next reading of content.
    private func client(
        over store: InterruptedStore, _ cacheControl: String
    ) async throws -> HTTPClient {
        var policy = CachePolicy(store)
        // The caller itself carries out its exchange, and not a task that may end after the call.
        policy.joinsRequests = false
        let client = fixture.client(over: fixture.mock, with: policy)
        fixture.mock.enqueue(CacheFixture.answer("a", cacheControl, [.eTag: "\"1\""]))
        #expect(try await client.get(fixture.url).text() == "a" && fixture.store.count == 1)
        fixture.mock.answer(.get, "/x") { request in .status(request[.ifNoneMatch] == nil ? 503 : 304) }
        return client
    }

    @Test(
        "a call that is cancelled while the store reads fails as cancelled, and the response remains stored",
        arguments: [("max-age=60", [:]), ("max-age=0", [:]), ("max-age=60", [.cacheControl: "only-if-cached"])]
            as [(String, Headers)])
    func cancelled(cacheControl: String, headers: Headers) async throws {
        let store = InterruptedStore(base: fixture.store, next: .hang)
        let (client, url) = (try await client(over: store, cacheControl), fixture.url)
        let call = Task { try await client.get(url, headers: headers) }
        await store.isReading.pass()
        call.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await call.value }
        #expect(error?.code == .cancelled && fixture.store.count == 1)
        #expect(try await client.get(url).text() == "a")
    }

    @Test(
        "after an error of the store the server is asked, and the response remains stored",
        arguments: ["max-age=60", "max-age=0"])
    func failing(cacheControl: String) async throws {
        let store = InterruptedStore(base: fixture.store, next: .error)
        let client = try await client(over: store, cacheControl)
        #expect(try await client.get(fixture.url).status == .serviceUnavailable)
        #expect(try await client.get(fixture.url).text() == "a")
    }
}

/// A store in which one reading of content fails.
private final class InterruptedStore: CachePolicy.Store {
    enum Failure {
        /// Waits until the task is cancelled.
        case hang
        case error
    }

    private struct ReadError: Error {}

    let isReading = AsyncGate()
    private let base: CachePolicy.MemoryStore
    private let next: Mutex<Failure?>

    init(base: CachePolicy.MemoryStore, next: Failure) {
        self.base = base
        self.next = Mutex(next)
    }

    func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        switch next.withLock({ $0.take() }) {
        case .hang:
            isReading.open()
            try await Task.sleep(for: .seconds(60))
            return nil
        case .error: throw ReadError()
        case nil: return base.body(of: response, for: key)
        }
    }

    func responses(for key: String) -> [CachedResponse] { base.responses(for: key) }
    func writer(for response: CachedResponse, key: String) -> (any CachePolicy.Writer)? {
        base.writer(for: response, key: key)
    }
    func update(_ response: CachedResponse, for key: String) { base.update(response, for: key) }
    func remove(_ response: CachedResponse, for key: String) { base.remove(response, for: key) }
    func removeAll(for key: String) { base.removeAll(for: key) }
}
