import Sockeye
import SockeyeCache
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Events and metrics of a cache", .timeLimit(.minutes(1))) struct CacheObservationTests {
    private let fixture = CacheFixture()
    private var mock: MockTransport { fixture.mock }
    private var url: String { fixture.url }

    /// Records the outcomes of caches.
    private final class CacheMonitor: EventMonitor {
        let events = Recorder<String>()

        func handle(_ event: ClientEvent) {
            guard case .cacheAnswered(let answer) = event else { return }
            events.append("\(answer.url.path) \(answer.outcome), \(answer.outcome.bytesFromStore) bytes")
        }
    }

    @Test("a monitor gets the outcome of each response, with its reason and the bytes from the store")
    func events() async throws {
        let monitor = CacheMonitor()
        let client = fixture.client.monitored(by: monitor)
        mock.answer(.get, "/x") {
            $0[.ifNoneMatch] == nil
                ? CacheFixture.answer("abc", "max-age=60, stale-if-error=600", [.eTag: "\"1\""]) : .status(304)
        }
        mock.answer(.get, "/from") { _ in .redirect(to: "/x", status: 301, headers: [.cacheControl: "max-age=600"]) }
        mock.answer(.post, "/x") { _ in .status(500) }
        _ = try await client.get(url)
        _ = try await client.get(url)
        _ = try await client.head(url)
        _ = try await client.get(url, headers: [.range: "bytes=0-1"])
        fixture.clock.advance(by: .seconds(60))
        _ = try await client.get(url)
        for _ in 0..<2 { _ = try await client.get("https://u:p@a.test/from") }
        _ = try await client.post(url)
        fixture.clock.advance(by: .seconds(60))
        mock.answer(.get, "/x") { _ in .status(503) }
        _ = try await client.get(url)
        _ = try await client.get("https://a.test/none", options: .caching(.returnCacheDontLoad))
        #expect(
            monitor.events.values == [
                "/x miss (notStored), 0 bytes", "/x hit (fresh), 3 bytes", "/x hit (fresh), 0 bytes",
                "/x hit (fresh), 2 bytes", "/x revalidated (stale), 3 bytes", "/from miss (notStored), 0 bytes",
                "/x miss (vary), 0 bytes", "/from hit (fresh), 0 bytes", "/x hit (fresh), 3 bytes",
                "/x bypass (method), 0 bytes", "/x staleHit (staleIfError), 3 bytes",
                "/none bypass (notStored), 0 bytes",
            ])
    }

    @Test("metrics have the cache outcomes and the bytes from the store; the metrics of a hit have no exchange")
    func metrics() async throws {
        var options = OutgoingRequest.Options()
        options.collectsMetrics = true
        mock.answer(.get, "/x") { _ in CacheFixture.answer("abc") }
        let miss = try #require(try await fixture.client.get(url, options: options).metrics)
        #expect(miss.cacheOutcomes.map(\.kind) == [.miss] && miss.bytesFromStore == 0 && miss.exchanges.count == 1)
        let response = try await fixture.client.get(url, options: options)
        fixture.clock.advance(by: .seconds(9))
        let hit = try #require(response.metrics)
        #expect(hit.cacheOutcomes.map(\.description) == ["hit (fresh)"] && hit.bytesFromStore == 3)
        #expect(hit.exchanges.isEmpty && hit.duration == .zero)
    }

    @Test(
        "the outcome of a miss has the reason why the response was not stored, if any",
        arguments: [
            ("no-store", "noStore"), ("max-age=0", "notCacheable"), ("max-age=60", nil), ("no-cache", "notCacheable"),
        ])
    func refusals(cacheControl: String, refusal: String?) async throws {
        mock.answer(.get, "/x") { _ in CacheFixture.answer("abc", cacheControl) }
        #expect(try await fixture.client.get(url).cacheOutcome?.refusal == refusal)
    }

    @Test("a response that `willCache` refuses is reported as refused")
    func refusedByHook() async throws {
        let fixture = CacheFixture { $0.willCache = { _, _ in nil } }
        fixture.mock.answer(.get, "/x") { _ in CacheFixture.answer("abc") }
        #expect(try await fixture.client.get(url).cacheOutcome?.refusal == "refused")
    }

    @Test("each exchange in the history has its cache outcome")
    func history() async throws {
        mock.answer(.get, "/x") {
            $0[.ifNoneMatch] == nil ? CacheFixture.answer("a", "max-age=0", [.eTag: "\"1\""]) : .status(304)
        }
        _ = try await fixture.client.get(url)
        let confirmed = try await fixture.client.get(url)
        #expect(confirmed.history.map(\.reason) == [.revalidated])
        #expect(confirmed.history.first?.cacheOutcome?.description == "revalidated (stale)")
        #expect(try await fixture.client.get(url, options: .skipping(.cache)).cacheOutcome == nil)
    }
}
