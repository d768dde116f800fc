import Sockeye
import SockeyeCache

/// The snippets of Cache.md: compiled, not run.
struct CacheArticle {
    let log: @Sendable (String) -> Void

    func overview() async throws {
        let store = CachePolicy.MemoryStore(limit: 64 << 20)
        let client = HTTPClient().adding(.cache(store))
        let response = try await client.get("https://example.com/config.json")
        log(response.cacheOutcome?.description ?? "")
    }

    func outcomes(of response: IncomingResponse) {
        if let outcome = response.cacheOutcome {
            let bytes = outcome.bytesFromStore
            log("\(outcome.kind) because of \(outcome.reason), \(bytes) bytes reused")
            if let refusal = outcome.refusal { log("not stored: \(refusal)") }
        }
        for exchange in response.history { log("\(exchange), \(exchange.cacheOutcome?.description ?? "not cached")") }
    }

    func metrics(client: HTTPClient, url: String) async throws {
        var measuring = OutgoingRequest.Options()
        measuring.collectsMetrics = true
        let measured = try await client.get(url, options: measuring)
        let metrics = measured.metrics
        log("\(metrics?.cacheOutcomes ?? []), \(metrics?.bytesFromStore ?? 0) bytes")
    }

    struct CacheLog: EventMonitor {
        let log: @Sendable (String) -> Void

        func handle(_ event: ClientEvent) {
            if case .cacheAnswered(let answer) = event { log("\(answer.call.id) \(answer.url): \(answer.outcome)") }
        }
    }

    func modes(client: HTTPClient, url: String) async throws {
        let offline = try await client.get(url, options: .caching(.returnCacheElseLoad))
        let current = try await client.get(url, options: .caching(.reloadIgnoringCache))
        let past = try await client.get(url, options: .skipping(.cache))
        withExtendedLifetime((offline, current, past)) {}
    }

    func settings(store: CachePolicy.MemoryStore) {
        var policy = CachePolicy(store)
        policy.staleIfError = .seconds(3600)
        policy.willCache = { response, request in
            request.url.path.hasPrefix("/private/") ? nil : response
        }
        let client = HTTPClient().adding(.cache(policy))
        withExtendedLifetime(client) {}
    }

    func partitions(store: CachePolicy.MemoryStore, tenant: HTTPClient) {
        let client = tenant.adding(.cache(store, partition: "tenant-7"))
        withExtendedLifetime(client) {}
    }
}
