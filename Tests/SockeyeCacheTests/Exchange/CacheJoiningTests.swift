import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Concurrent identical requests", .timeLimit(.minutes(1))) struct CacheJoiningTests {
    private let fixture: CacheFixture
    /// A single client. Requests of different clients never share an exchange.
    private let client: HTTPClient
    private let gate = AsyncGate()
    private var mock: MockTransport { fixture.mock }
    private var url: String { fixture.url }

    init() throws {
        var fixture = CacheFixture()
        // The callers' clock is manual. By a real clock a caller on a busy machine might need more than two seconds for
        // its first read, and would lose its share of the response.
        fixture.poller = try EventPoller(time: fixture.clock.timeSource)
        self.fixture = fixture
        client = fixture.client
    }

    /// Starts requests that cannot be answered before the gate opens.
    private func start(_ count: Int, _ headers: Headers = [:], _ options: OutgoingRequest.Options = .init())
        -> [Task<String, any Error>]
    {
        let (client, url) = (client, url)
        return (0..<count).map { _ in
            Task {
                let response = try await client.get(url, headers: headers, options: options)
                return try await response.text() + " " + response.outcomeText
            }
        }
    }

    private func waiting(_ count: Int) async {
        await eventually("\(count) callers") { fixture.policy.callersInFlight == count }
    }

    @Test("identical requests share one exchange if the response may be shared")
    func sharing() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.pieces(["a", "b", "c"])
        }
        let calls = start(10)
        await waiting(10)
        gate.open()
        var texts: [String] = []
        for call in calls { texts.append(try await call.value) }
        #expect(texts.filter { $0 == "abc joined (joined)" }.count == 9 && texts.contains("abc miss (notStored)"))
        #expect(mock.requests.count == 1 && fixture.store.count == 1)
        #expect(try await client.get(url).outcomeText == "hit (fresh)")
    }

    @Test(
        "each identical request is sent if the response may not be shared",
        arguments: ["no-store", "max-age=0", "no-cache"])
    func notShared(cacheControl: String) async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a", cacheControl)
        }
        let calls = start(5)
        await waiting(5)
        gate.open()
        for call in calls { #expect(try await call.value.hasPrefix("a miss")) }
        #expect(mock.requests.count == 5)
    }

    @Test("requests that differ in a field or demand a fresh response do not share an exchange")
    func different() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a")
        }
        let calls =
            start(1) + start(1, ["X-Other": "1"]) + start(1, [.authorization: "Bearer a"])
            + start(2, [:], .caching(.reloadIgnoringCache)) + start(2, [.cacheControl: "no-cache"])
        await eventually("all requests") { mock.requests.count == 7 }
        gate.open()
        for call in calls { #expect(try await call.value.hasPrefix("a ")) }
    }

    @Test("a response has the URL of its own caller, even if concurrent URLs differ only in their fragments")
    func fragments() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a")
        }
        let (client, url) = (client, url)
        let calls = ["#one", "#two"].map { fragment in
            (fragment, Task { try await client.get(url + fragment) })
        }
        await waiting(2)
        gate.open()
        for (fragment, call) in calls {
            let response = try await call.value
            #expect(try await response.text() == "a" && response.url.description == url + fragment)
        }
    }

    @Test("the shared exchange continues after the caller that started it is cancelled")
    func oneCancelled() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a")
        }
        let first = start(1)
        await waiting(1)
        let others = start(2)
        await waiting(3)
        first[0].cancel()
        let error = await #expect(throws: SockeyeError.self) { try await first[0].value }
        #expect(error?.code == .cancelled)
        await waiting(2)
        gate.open()
        for call in others { #expect(try await call.value.hasPrefix("a ")) }
        #expect(mock.requests.count == 1)
    }

    @Test("the shared exchange ends when all callers are cancelled")
    func allCancelled() async throws {
        let ended = AsyncGate()
        mock.answer(.get, "/x") { _ in
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                ended.open()
                throw error
            }
            return CacheFixture.answer("a")
        }
        let calls = start(3)
        await waiting(3)
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        await ended.pass()
        #expect(fixture.policy.callersInFlight == 0)
    }

    @Test("a circuit breaker counts the failure of a shared exchange once", arguments: [true, false])
    func breaker(isAnswered: Bool) async throws {
        let breaker = RetryPolicy.CircuitBreaker.opening(after: 5)
        let client = client.adding(.retry(max: 0, breaker: breaker))
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            guard isAnswered else {
                throw SockeyeError(.init(.connectFailed, phase: .connect, blame: .network, message: "no"))
            }
            return .text("busy", status: 503, headers: [.cacheControl: "max-age=60"])
        }
        mock.answer(.get, "/down") { _ in .status(503) }
        let calls = (0..<5).map { [url] _ in Task { try await client.get(url) } }
        await waiting(5)
        gate.open()
        for call in calls { _ = await call.result }
        #expect(mock.requests.count == 1)
        for _ in 0..<4 {
            #expect(breaker.openOrigins.isEmpty)
            _ = try await client.get("https://a.test/down")
        }
        #expect(breaker.openOrigins.count == 1)
    }

    @Test("all callers fail together if the server cannot be reached")
    func failing() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            throw SockeyeError(.init(.connectFailed, phase: .connect, blame: .network, message: "no"))
        }
        let calls = start(4)
        await waiting(4)
        gate.open()
        for call in calls {
            let error = await #expect(throws: SockeyeError.self) { try await call.value }
            #expect(error?.code == .connectFailed)
        }
        #expect(mock.requests.count == 1)
    }

    @Test("callers whose total deadline passes before the head get the stale response if stale-if-error allows it")
    func staleAtDeadline() async throws {
        defer { gate.open() }
        mock.enqueue(CacheFixture.answer("a", "max-age=1, stale-if-error=3600"))
        #expect(try await client.get(url).text() == "a")
        fixture.clock.advance(by: .seconds(10))
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("b")
        }
        let calls = start(2, [:], .timeout(total: .seconds(2)))
        await waiting(2)
        await eventually("the shared request") { mock.requests.count == 2 }
        fixture.clock.advance(by: .seconds(2))
        for call in calls { #expect(try await call.value == "a staleHit (staleIfError)") }
        #expect(mock.requests.count == 2)
    }

    @Test("a request does not join an exchange that began before an invalidation")
    func invalidated() async throws {
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            return CacheFixture.answer("a")
        }
        mock.answer(.post, "/x") { _ in .status(200) }
        let before = start(1)
        await eventually("a request") { mock.requests.count == 1 }
        _ = try await client.post(url)
        let after = start(1)
        await eventually("another request") { mock.requests.count == 3 }
        gate.open()
        for call in before + after { #expect(try await call.value.hasPrefix("a miss")) }
        #expect(fixture.store.count == 1)
    }

    private static let piece = [UInt8](repeating: 1, count: 256 << 10)

    /// Starts two calls that share a response of 16 pieces, and returns them with the count of produced pieces.
    private func startOfLarge() async -> (calls: [Task<IncomingResponse, any Error>], produced: Counter) {
        let produced = Counter()
        mock.answer(.get, "/x") { _ in
            await gate.pass()
            let stream = AsyncStream<[UInt8]>(unfolding: { produced.increment() <= 16 ? Self.piece : nil })
            return .stream(stream, headers: [.cacheControl: "max-age=60"])
        }
        let (client, url) = (client, url)
        let calls = (0..<2).map { _ in Task { try await client.get(url) } }
        await waiting(2)
        gate.open()
        return (calls, produced)
    }

    @Test("callers read at their own pace until the buffer is full, and then at the pace of the slowest caller")
    func backpressure() async throws {
        let (calls, produced) = await startOfLarge()
        let (slow, fast) = (try await calls[0].value, try await calls[1].value)
        let reading = Task { try await fast.bytes(upTo: 64 << 20).count }
        await eventually("a full buffer") { produced.value >= 4 }
        for _ in 0..<100 { await Task.yield() }
        #expect(produced.value <= 5)
        #expect(try await slow.bytes(upTo: 64 << 20).count == 16 * Self.piece.count)
        #expect(try await reading.value == 16 * Self.piece.count)
    }

    @Test("a caller that discards its response does not hold up others")
    func leaving() async throws {
        let (calls, _) = await startOfLarge()
        let fast = try await calls[1].value
        let reading = Task { try await fast.bytes(upTo: 64 << 20).count }
        // A task keeps its value, so releasing the task does not release the response.
        try await calls[0].value.discard()
        #expect(try await reading.value == 16 * Self.piece.count)
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock(\.self) }

    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
