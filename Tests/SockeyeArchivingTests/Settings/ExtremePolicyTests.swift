import Foundation
import Sockeye
import SockeyeArchiving
import SockeyeCore
import SockeyeHTTP
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

@testable import SockeyeCache
@testable import SockeyeStreams
@testable import SockeyeTransfers

@Suite("Extreme settings of policies", .serialized, .timeLimit(.minutes(5)))
struct ExtremePolicyTests {
    /// Returns a client that gets these answers in turn, and then always the last one.
    private func client(_ answers: TestServerResponse..., interceptor: any Interceptor) -> HTTPClient {
        let turn = Atomic(0)
        let transport = MockTransport { _ in
            answers[min(turn.wrappingAdd(1, ordering: .relaxed).oldValue, answers.count - 1)]
        }
        return HTTPClient(transport: transport).adding(interceptor)
    }

    private let brief = OutgoingRequest.Options.timeout(total: .milliseconds(100))

    @Test("Retry policies work with extreme settings")
    func retries() async throws {
        await SettingsTable(
            RetryPolicy(), .count("maximumCount", \.maximumCount), .plain("backoff"),
            .values("methods", \.methods, [[]]), .values("statuses", \.statuses, [[], StatusCodeSet(.min ... .max)]),
            .plain("isTransient"), .plain("hasCustomIsTransient"), .duration("attemptTimeout", \.attemptTimeout),
            .plain("respectsRetryAfter"), .duration("maximumRetryAfter", \.maximumRetryAfter), .plain("budget"),
            .plain("breaker"), .plain("decide"), .plain("onRetry"), .plain("random")
        ).useEach { policy in
            var policy = policy
            policy.backoff = .none
            policy.budget = nil
            let client = client(.status(503, headers: ["Retry-After": "3"]), .ok("a"), interceptor: policy)
            _ = try await client.get("http://a.test/", options: brief).text()
        }
        for duration in Extreme.durations {
            for factor in Extreme.numbers {
                for jitter in [RetryBackoff.Jitter.none, .full, .equal] {
                    let backoff = RetryBackoff.exponential(
                        base: duration, factor: factor, cap: duration, jitter: jitter)
                    for retry in Extreme.counts.prefix(5) + [1000] {
                        #expect(backoff.pause(before: retry, random: 0.5) >= .zero)
                    }
                }
            }
            let breaker = RetryPolicy.CircuitBreaker(failures: 1, within: duration, coolDown: duration)
            let client = client(.status(503), interceptor: .retry(max: 1, backoff: .none, breaker: breaker))
            for _ in 0..<2 { try await expectEnd { _ = try await client.get("http://a.test/", options: brief) } }
        }
        for number in Extreme.numbers {
            let budget = RetryPolicy.Budget.percent(number, minimumPerSecond: number)
            let client = client(.status(503), interceptor: .retry(max: 2, backoff: .none, budget: budget))
            for _ in 0..<3 { try await expectEnd { _ = try await client.get("http://a.test/", options: brief) } }
        }
    }

    @Test("Redirect and cache policies work with extreme settings")
    func redirectsAndCaches() async throws {
        await SettingsTable(
            RedirectPolicy(), .count("maximumCount", \.maximumCount), .plain("allowsDowngrade"),
            .values("strippedFields", \.strippedFields, [[]]), .plain("isManual"), .plain("decide")
        ).useEach { policy in
            let client = client(
                .status(302, headers: ["Location": "/a"]), .status(302, headers: ["Location": "/b"]), .ok("a"),
                interceptor: policy)
            _ = try await client.get("http://a.test/").text()
        }
        await SettingsTable(
            CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20)), .plain("store"), .plain("mode"),
            .values("partition", \.partition, [""]), .duration("staleIfError", \.staleIfError),
            .plain("finishesAbandonedBodies"), .plain("joinsRequests"), .plain("willCache"), .plain("activity"),
            .plain("memory"), .plain("isStoreInterruptible"), .plain("background")
        ).useEach { policy in
            let stale: Headers = ["Cache-Control": "max-age=0", "ETag": "\"a\""]
            let client = client(.ok("a", headers: stale), .status(502), interceptor: policy)
            for _ in 0..<3 { _ = try await client.get("http://a.test/").text() }
        }
        await SettingsTable(
            CachePolicy.BackgroundLimits(), .duration("duration", \.duration), .count("bytes", \.bytes)
        ).useEach { limits in
            var policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
            policy.background = limits
            let revalidated: Headers = ["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"a\""]
            let client = client(.ok("a", headers: revalidated), interceptor: policy)
            for _ in 0..<3 { _ = try await client.get("http://a.test/").text() }
        }
        for limit in Extreme.counts {
            let client = client(
                .ok("a", headers: ["Cache-Control": "max-age=60"]),
                interceptor: .cache(CachePolicy.MemoryStore(limit: limit, entryLimit: limit)))
            for _ in 0..<2 { _ = try await client.get("http://a.test/").text() }
        }
    }

    @Test("Authentication and cookie policies work with extreme settings")
    func authenticationAndCookies() async throws {
        await SettingsTable(
            AuthenticationPolicy.Token.Refresh(), .duration("leeway", \.leeway), .count("maximumCount", \.maximumCount),
            .duration("window", \.window), .duration("timeout", \.timeout)
        ).useEach { refresh in
            for lifetime in Extreme.durations {
                let policy = AuthenticationPolicy.bearer(refresh: refresh) {
                    AuthenticationPolicy.Token("t", expiresIn: lifetime)
                }
                let client = client(
                    .status(401, headers: ["WWW-Authenticate": "Bearer"]), .ok("a"), interceptor: policy)
                do { _ = try await client.get("https://a.test/", options: brief).text() } catch is SockeyeError {}
            }
        }
        await SettingsTable(
            ClientCookie.Limits(), .count("cookiesPerResponse", \.cookiesPerResponse),
            .count("cookiesPerDomain", \.cookiesPerDomain), .count("cookiesPerSite", \.cookiesPerSite),
            .count("cookies", \.cookies),
            .count("cookiesPerRequest", \.cookiesPerRequest), .count("fieldLength", \.fieldLength)
        ).useEach { limits in
            let client = client(
                .ok("a", headers: ["Set-Cookie": "a=b"]), interceptor: .cookies(CookiePolicy.Jar(limits: limits)))
            for _ in 0..<2 { _ = try await client.get("http://a.test/", headers: ["Cookie": "c=d"]).text() }
        }
    }

    @Test("Event streams work with extreme settings")
    func streams() async throws {
        let server = try await SettingsUse.server()
        let client = HTTPClient()
        func events(_ change: (inout HTTPClient.EventStream.Options) -> Void) async throws {
            var settings = HTTPClient.EventStream.Options()
            settings.reconnects = false
            change(&settings)
            for try await _ in client.events(server.url("/events"), options: .eventStream(settings)) {}
        }
        await SettingsTable(
            HTTPClient.EventStream.Options(), .plain("limits"), .duration("idle", \.idle), .plain("reconnects"),
            .plain("reconnection"), .values("lastEventID", \.lastEventID, [""]), .plain("random")
        ).useEach { settings in try await events { $0.idle = settings.idle } }
        await SettingsTable(
            ServerSentEvent.Limits(), .count("lineBytes", \.lineBytes), .count("eventBytes", \.eventBytes),
            .count("idBytes", \.idBytes)
        ).useEach { limits in try await events { $0.limits = limits } }
        await SettingsTable(
            ServerSentEvent.Reconnection(), .duration("pause", \.pause), .plain("backoff"),
            .duration("longestPause", \.longestPause), .count("attempts", \.attempts)
        ).useEach { reconnection in
            for retry in Extreme.durations {
                var machine = EventStreamMachine(reconnection)
                _ = machine.answered(status: 200, isEventStream: true)
                machine.received(lastEventID: "", retry: retry)
                for isOpen in [true, false] {
                    if case .reconnect(let pause) = machine.lost(.ended, isOpen: isOpen, random: 0.5) {
                        #expect(pause >= .zero)
                    }
                }
            }
        }
        await server.stop()
    }

    @Test("Downloads and their progress work with extreme settings")
    func downloads() async throws {
        let server = try await SettingsUse.server()
        let client = HTTPClient()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        for count in Extreme.counts {
            _ = try await client.download(server.url("/a"), to: .file(folder), options: .resuming(atMost: count)).value
            _ = try await client.download(server.url("/a"), to: .file(folder), options: .parallel(count)).value
        }
        for priority in Extreme.numbers {
            var options = OutgoingRequest.Options.priority(TransferPriority(priority))
            options.dependencies = [0, .max]
            _ = try await client.download(server.url("/a"), to: .file(folder), options: options).value
        }
        try? FileManager.default.removeItem(atPath: folder)
        for completed in Extreme.counts {
            for total in Extreme.counts {
                for throughput in Extreme.numbers {
                    let progress = TransferProgress(completed: completed, total: total, throughput: throughput)
                    #expect(progress.remaining ?? .zero >= .zero && !(progress.fraction ?? 0).isNaN)
                }
            }
        }
        await server.stop()
    }
}
