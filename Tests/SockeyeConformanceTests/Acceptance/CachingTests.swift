import Sockeye
import SockeyeTesting
import Testing

@testable import SockeyeCache

/// Answers from stored responses.
@Suite struct CachingTests {
    /// The server's answers are numbered. Each is stale at once and has an entity tag, by which the server confirms it.
    private func withNumberedAnswers(
        _ run: (_ client: HTTPClient, _ url: String, _ count: () -> Int) async throws -> Void
    ) async throws {
        let numbers = RequestLog()
        try await withTestServer { request in
            try await numbers.take(request)
            let fields: Headers = [.cacheControl: "max-age=0", .eTag: "\"1\""]
            guard request[.ifNoneMatch] == nil else { return .status(304, headers: fields) }
            return .ok("answer \(numbers.all.count)", headers: fields)
        } run: { server in
            let client = HTTPClient().adding(.cache(CachePolicy.MemoryStore(limit: 1 << 20)))
            try await run(client, server.url().description) { numbers.all.count }
        }
    }

    @Test("cache-01: policies: default, ignore cache, use stale, cache only", .timeLimit(.minutes(1)))
    func policies() async throws {
        try await withNumberedAnswers { client, url, count in
            // Cache only, without an entry: the response is a 504 (RFC 9111 5.2.1.7), which is an error for a call that
            // decodes a value. No request is sent.
            let refused = try await client.get(url, options: .caching(.returnCacheDontLoad))
            #expect(refused.status == .gatewayTimeout && refused.cacheOutcome?.description == "bypass (notStored)")
            let error = await failure {
                try await client.get(url, options: .caching(.returnCacheDontLoad), as: .text)
            }
            #expect((error as? SockeyeError)?.code == .unacceptableStatus && count() == 0)

            // Default: the answer is stored, and validated when it is stale.
            #expect(try await client.get(url).text() == "answer 1")
            let confirmed = try await client.get(url)
            #expect(try await confirmed.text() == "answer 1" && confirmed.cacheOutcome?.kind == .revalidated)
            #expect(count() == 2)

            // Use stale, and cache only: no request is sent.
            for mode in [CachePolicy.Mode.returnCacheElseLoad, .returnCacheDontLoad] {
                let stale = try await client.get(url, options: .caching(mode))
                #expect(try await stale.text() == "answer 1" && stale.cacheOutcome?.description == "staleHit (mode)")
            }
            #expect(count() == 2)

            // Ignore: a new answer of the server, which is stored.
            let fresh = try await client.get(url, options: .caching(.reloadIgnoringCache))
            #expect(try await fresh.text() == "answer 3" && fresh.cacheOutcome?.kind == .miss)
            let kept = try await client.get(url, options: .caching(.returnCacheDontLoad))
            #expect(try await kept.text() == "answer 3" && count() == 3)
        }
    }
}
