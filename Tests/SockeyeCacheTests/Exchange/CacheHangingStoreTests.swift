import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeCache
@testable import SockeyeEngine

@Suite("A cache with a store that hangs", .timeLimit(.minutes(1))) struct CacheHangingStoreTests {
    private let fixture: CacheFixture
    private let hang = Hang()

    init() throws {
        var fixture = CacheFixture()
        fixture.poller = try EventPoller(time: fixture.clock.timeSource)
        self.fixture = fixture
    }

    @Test(
        "a store that hangs and ignores cancellation delays a call at most until the call's total deadline",
        arguments: HangingStore.Step.allCases)
    func deadline(step: HangingStore.Step) async throws {
        defer { hang.end.open() }
        fixture.mock.answer(.get, "/x") { _ in CacheFixture.pieces(["a", "b"]) }
        if step.isOfHit { #expect(try await fixture.client.get(fixture.url).text() == "ab") }
        var policy = CachePolicy(HangingStore(base: fixture.store, step: step, hang: hang))
        // A shared exchange has no total deadline.
        policy.joinsRequests = false
        let (client, url) = (fixture.client(over: fixture.mock, with: policy), fixture.url)
        let call = Task { try await client.get(url, options: .timeout(total: .seconds(1))).text() }
        await hang.begin.pass()
        fixture.clock.advance(by: .seconds(1))
        guard step.isOfHit else {
            // The mock transport has no deadline, so the call succeeds without the store.
            #expect(try await call.value == "ab")
            return #expect(fixture.store.count == 0)
        }
        let error = await #expect(throws: SockeyeError.self) { try await call.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.total" && fixture.store.count == 1)
    }

    @Test(
        "if the only caller of a store that hangs is cancelled, the writer is abandoned and the response released",
        arguments: [HangingStore.Step.writer, .write, .commit])
    func cancelled(step: HangingStore.Step) async throws {
        defer { hang.end.open() }
        let released = AsyncGate()
        fixture.mock.answer(.get, "/x") { _ in
            let stream = AsyncStream<[UInt8]> { continuation in
                continuation.onTermination = { _ in released.open() }
                continuation.yield(Array("a".utf8))
                if step == .commit { continuation.finish() }
            }
            return .stream(stream, headers: [.cacheControl: "max-age=60"])
        }
        // By default a call has no total deadline.
        let policy = CachePolicy(HangingStore(base: fixture.store, step: step, hang: hang))
        let (client, url) = (fixture.client(over: fixture.mock, with: policy), fixture.url)
        let call = Task { try await client.get(url).text() }
        await hang.begin.pass()
        call.cancel()
        _ = await call.result
        await released.pass()
        // A writer that the store returns too late is abandoned, too.
        if step == .writer { hang.end.open() }
        await hang.abandoned.pass()
        #expect(fixture.store.count == 0)
    }

    @Test("a cache writer that hangs in the background is abandoned when the time limit of background work ends")
    func background() async throws {
        defer { hang.end.open() }
        fixture.mock.answer(.get, "/x") { _ in CacheFixture.pieces(["a", "b"]) }
        var policy = CachePolicy(HangingStore(base: fixture.store, step: .commit, hang: hang))
        policy.finishesAbandonedBodies = true
        policy.background.duration = .seconds(5)
        let client = fixture.client(over: fixture.mock, with: policy)
        do {
            var body = try await client.get(fixture.url).body.makeAsyncIterator()
            #expect(try await body.next() == Bytes("a"))
        }
        await hang.begin.pass()
        fixture.clock.advance(by: .seconds(5))
        await hang.abandoned.pass()
        #expect(fixture.store.count == 0)
    }

    @Test("a cache writer that the store returns after its caller has stopped waiting is abandoned")
    func lateWriter() async throws {
        let handover = WriterHandover()
        #expect(handover.take() == nil)
        let response = try CacheStoreSubject.response("1")
        let writer = try #require(fixture.store.writer(for: response, key: fixture.url))
        handover.put(writer)
        await #expect(throws: (any Error).self) { try await writer.write(Bytes("a")) }
    }
}

/// An operation that does not end before the test allows it, even if it is cancelled.
final class Hang: Sendable {
    let begin = AsyncGate()
    let end = AsyncGate()
    /// Opened when the writer of the store is abandoned.
    let abandoned = AsyncGate()

    func wait() async {
        begin.open()
        await end.pass()
    }
}

/// A store that hangs in one step.
struct HangingStore: CachePolicy.Store {
    enum Step: CaseIterable, Sendable {
        case lookup, body, content, writer, write, commit

        var isOfHit: Bool { self == .lookup || self == .body || self == .content }
    }

    let base: CachePolicy.MemoryStore
    let step: Step
    let hang: Hang

    func responses(for key: String) async -> [CachedResponse] {
        if step == .lookup { await hang.wait() }
        return base.responses(for: key)
    }

    func body(of response: CachedResponse, for key: String) async -> CachedResponse.Body? {
        if step == .body { await hang.wait() }
        guard step == .content else { return base.body(of: response, for: key) }
        return .stream { [hang] _ in
            AsyncThrowingStream<Bytes, any Error>(unfolding: {
                await hang.wait()
                return nil
            })
        }
    }

    func writer(for response: CachedResponse, key: String) async -> (any CachePolicy.Writer)? {
        if step == .writer { await hang.wait() }
        return base.writer(for: response, key: key).map { Writer(base: $0, step: step, hang: hang) }
    }

    func update(_ response: CachedResponse, for key: String) { base.update(response, for: key) }
    func remove(_ response: CachedResponse, for key: String) { base.remove(response, for: key) }
    func removeAll(for key: String) { base.removeAll(for: key) }

    private struct Writer: CachePolicy.Writer {
        let base: any CachePolicy.Writer
        let step: Step
        let hang: Hang

        func write(_ piece: Bytes) async throws {
            if step == .write { await hang.wait() }
            try await base.write(piece)
        }

        func commit() async throws {
            if step == .commit { await hang.wait() }
            try await base.commit()
        }

        func abandon() {
            base.abandon()
            hang.abandoned.open()
        }
    }
}
