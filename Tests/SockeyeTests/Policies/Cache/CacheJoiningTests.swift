import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Identical requests in flight", .timeLimit(.minutes(1))) struct CacheJoiningTests {
    private let fixture: CacheFixture
    /// One client: the requests of two are never one.
    private let client: HTTPClient
    private let gate = AsyncGate()
    private var mock: MockTransport { fixture.mock }
    private var url: String { fixture.url }

    init() throws {
        var fixture = CacheFixture()
        // On a busy machine two seconds pass before a caller has read anything, and it would read alone then.
        fixture.poller = try EpollPoller(time: fixture.clock.timeSource)
        self.fixture = fixture
        client = fixture.client
    }

    /// Starts requests that cannot be answered before the gate is open.
    private func start(_ count: Int, _ headers: Headers = [:], _ options: OutgoingRequest.Options = .init())
        -> [Task<String, any Error>]
    {
        let (client, url) = (client, url)
        return (0..<count).map { _ in
            Task {
                let response = try await client.get(url, headers: headers, options: options)
                return try await response.text() + " " + response.told
            }
        }
    }

    private func waiting(_ count: Int) async {
        await eventually("\(count) callers") { fixture.policy.callersInFlight == count }
    }

    @Test("share one exchange where the answer may be shared")
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
        #expect(try await client.get(url).told == "hit (fresh)")
    }

    @Test("are sent each on its own where it may not", arguments: ["no-store", "max-age=0", "no-cache"])
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

    @Test("that differ in a field, or that want an answer of their own, do not join")
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

    @Test("go on without one that is cancelled, be it the first")
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

    @Test("end their exchange when nobody is left")
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

    @Test("fail together when the server cannot be asked")
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

    @Test("do not join what was sent before the answer was invalidated")
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

    /// Two calls that share a response of 16 pieces, and the count of those that were made.
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

    @Test("read at their own pace, and beyond the buffer at that of the slowest")
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

    @Test("are held up by nobody who goes away")
    func leaving() async throws {
        let (calls, _) = await startOfLarge()
        let fast = try await calls[1].value
        let reading = Task { try await fast.bytes(upTo: 64 << 20).count }
        // A task keeps its value, so that letting go of it takes more than forgetting it.
        try await calls[0].value.discard()
        #expect(try await reading.value == 16 * Self.piece.count)
    }
}

/// A counter.
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
