import HTTPTypes
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("The plan of a cache for a request") struct CachePlanTests {
    /// Returns the plan as text.
    private func text(_ plan: CachePlan) -> String {
        switch plan {
        case .serve(_, let reason, let part, let revalidates):
            "serve \(reason)" + (part.map { " \($0.lowerBound)-\($0.upperBound)" } ?? "")
                + (revalidates ? " and ask" : "")
        case .validate(_, let reason): "validate \(reason)"
        case .load(let reason): "load \(reason)"
        case .refuse(let reason): "refuse \(reason)"
        }
    }

    private static let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

    @Test(
        "the directives of request and response decide if a stored response is served, validated or refused",
        arguments: [
            ("max-age=60", "", 30, "serve fresh"), ("max-age=60", "", 60, "validate stale"),
            ("max-age=60, no-cache", "", 0, "validate noCache"),
            ("max-age=60", "no-cache", 0, "validate requestNoCache"),
            ("max-age=60", "max-age=0", 0, "validate requestMaxAge"),
            ("max-age=60", "max-age=30", 31, "validate requestMaxAge"), ("max-age=60", "max-age=30", 30, "serve fresh"),
            ("max-age=60", "min-fresh=31", 30, "validate minFresh"), ("max-age=60", "min-fresh=30", 30, "serve fresh"),
            ("max-age=60", "max-stale=5", 65, "serve maxStale"), ("max-age=60", "max-stale=5", 66, "validate stale"),
            ("max-age=60", "max-stale", 9999, "serve maxStale"),
            ("max-age=60, must-revalidate", "max-stale", 60, "validate mustRevalidate"),
            ("max-age=60, stale-while-revalidate=5", "", 65, "serve staleWhileRevalidate and ask"),
            ("max-age=60, stale-while-revalidate=5", "", 66, "validate stale"),
            ("max-age=60, stale-while-revalidate=5", "max-age=90", 59, "serve fresh"),
            ("max-age=60, stale-while-revalidate=5", "max-age=90", 62, "validate stale"),
            ("max-age=60, stale-while-revalidate=5", "max-age=90, max-stale=5", 62, "serve maxStale"),
            ("max-age=60", "only-if-cached", 30, "serve fresh"), ("max-age=60", "only-if-cached", 60, "refuse stale"),
            ("max-age=60, stale-while-revalidate=5", "only-if-cached", 62, "serve staleWhileRevalidate"),
        ] as [(String, String, Int64, String)])
    func reuse(said: String, asked: String, after seconds: Int64, expected: String) throws {
        let stored = try CacheScene.stored(["Cache-Control": said, "ETag": "\"1\""])
        let cacheRequest = try CacheScene.cacheRequest(
            .get, "https://a.test/x", asked.isEmpty ? [:] : [.cacheControl: asked])
        let plan = CachePlan(
            for: cacheRequest, among: [stored.derived], use: .useProtocol, at: CacheScene.start + seconds)
        #expect(text(plan) == expected)
    }

    @Test(
        "a cache mode other than the protocol's overrides the response's directives, except a fresh immutable",
        arguments: [
            (CachedResponse.Mode.reloadIgnoringCache, "max-age=60", 0, "load mode"),
            (.reloadRevalidatingCache, "max-age=60", 0, "validate mode"),
            (.reloadRevalidatingCache, "max-age=60, immutable", 0, "serve immutable"),
            (.reloadRevalidatingCache, "max-age=60, immutable", 60, "validate mode"),
            (.returnCacheElseLoad, "no-cache", 60, "serve mode"),
            (.returnCacheDontLoad, "max-age=60", 99, "serve mode"),
        ] as [(CachedResponse.Mode, String, Int64, String)])
    func uses(use: CachedResponse.Mode, said: String, after seconds: Int64, expected: String) throws {
        let stored = try CacheScene.stored(["Cache-Control": said, "ETag": "\"1\""])
        let plan = CachePlan(
            for: try CacheScene.cacheRequest(), among: [stored.derived], use: use, at: CacheScene.start + seconds)
        #expect(text(plan) == expected)
    }

    @Test("without a stored response the request is sent, or refused if sending is not allowed")
    func nothing() throws {
        let cacheRequest = try CacheScene.cacheRequest()
        #expect(text(CachePlan(for: cacheRequest, among: [], use: .useProtocol, at: 0)) == "load notStored")
        #expect(text(CachePlan(for: cacheRequest, among: [], use: .returnCacheDontLoad, at: 0)) == "refuse notStored")
    }

    @Test(
        "if the stored response is stale, HEAD is sent unchanged, and GET too if the response has no validators")
    func noValidators() throws {
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60"])
        let later = CacheScene.start + 60
        #expect(
            text(CachePlan(for: try CacheScene.cacheRequest(), among: [stored.derived], use: .useProtocol, at: later))
                == "load stale")
        let head = try CacheScene.cacheRequest(.head)
        let tagged = try CacheScene.stored(Self.fresh)
        #expect(text(CachePlan(for: head, among: [tagged.derived], use: .useProtocol, at: later)) == "load stale")
        #expect(
            text(CachePlan(for: head, among: [tagged.derived], use: .useProtocol, at: CacheScene.start))
                == "serve fresh")
    }

    @Test(
        "a range is cut out of a complete response, or left to the server if that is impossible",
        arguments: [
            ("bytes=0-9", "serve fresh 0-10"), ("bytes=90-", "serve fresh 90-100"), ("bytes=-1", "serve fresh 99-100"),
            ("bytes=90-900", "serve fresh 90-100"), ("bytes=-900", "serve fresh 0-100"),
            ("Bytes=0-0", "serve fresh 0-1"),
            ("bytes=100-", "load range"), ("bytes=-0", "load range"), ("bytes=9-1", "load range"),
            ("bytes=0-1,5-6", "load range"), ("rows=0-1", "load range"), ("bytes=", "load range"),
            ("bytes=-", "load range"),
            ("bytes=99999999999999999999-", "load range"), ("bytes=99999999999999999999-5", "load range"),
            ("bytes=-99999999999999999999", "load range"), ("bytes=90-99999999999999999999", "serve fresh 90-100"),
        ])
    func ranges(range: String, expected: String) throws {
        let cacheRequest = try CacheScene.cacheRequest(.get, "https://a.test/x", [.range: range])
        let stored = try CacheScene.stored(Self.fresh)
        #expect(
            text(CachePlan(for: cacheRequest, among: [stored.derived], use: .useProtocol, at: CacheScene.start))
                == expected)
    }

    @Test("decoded content is not used for a range, and If-Range for another version gets the whole content")
    func codedRanges() throws {
        let cacheRequest = try CacheScene.cacheRequest(.get, "https://a.test/x", [.range: "bytes=0-9"])
        let decoded = try CacheScene.stored(Self.fresh, isDecoded: true)
        #expect(
            text(CachePlan(for: cacheRequest, among: [decoded.derived], use: .useProtocol, at: CacheScene.start))
                == "load vary")
        let stored = try CacheScene.stored(Self.fresh)
        for (validator, expected) in [
            ("\"1\"", "serve fresh 0-10"), ("\"2\"", "serve fresh"), ("W/\"1\"", "serve fresh"),
        ] {
            let cacheRequest = try CacheScene.cacheRequest(
                .get, "https://a.test/x", [.range: "bytes=0-9", .ifRange: validator])
            #expect(
                text(CachePlan(for: cacheRequest, among: [stored.derived], use: .useProtocol, at: CacheScene.start))
                    == expected)
        }
    }

    @Test(
        "an If-Range date that equals Last-Modified selects a part only if Date is at least a second later",
        arguments: [
            (-1, nil, "serve fresh 0-10"), (-1, "\"1\"", "serve fresh 0-10"), (-1, "W/\"1\"", "serve fresh"),
            (0, nil, "serve fresh"), (0, "\"1\"", "serve fresh"),
        ] as [(Int64, String?, String)])
    func rangeOfDate(offset: Int64, tag: String?, expected: String) throws {
        let changed = CacheScene.date(offset)
        var fields = ["Cache-Control": "max-age=60", "Last-Modified": changed, "Date": CacheScene.date(0)]
        fields["ETag"] = tag
        let stored = try CacheScene.stored(fields)
        let cacheRequest = try CacheScene.cacheRequest(
            .get, "https://a.test/x", [.range: "bytes=0-9", .ifRange: changed])
        let plan = CachePlan(for: cacheRequest, among: [stored.derived], use: .useProtocol, at: CacheScene.start)
        #expect(text(plan) == expected)
    }

    @Test(
        "a stale response may replace an error within its stale-if-error or the default, unless it must be revalidated")
    func staleIfError() throws {
        let cacheRequest = try CacheScene.cacheRequest()
        let later = CacheScene.start + 100
        func may(_ said: String, usual: Int64 = 0) throws -> Bool {
            try CacheScene.stored(["Cache-Control": said]).derived.canServeInsteadOfError(
                to: cacheRequest, usual: usual, at: later)
        }
        #expect(try may("max-age=60, stale-if-error=40"))
        #expect(try !may("max-age=60, stale-if-error=39"))
        #expect(try may("max-age=60", usual: 60))
        #expect(try !may("max-age=60, stale-if-error=0", usual: 60))
        #expect(try !may("max-age=60, must-revalidate, stale-if-error=99", usual: 60))
        #expect(try !may("no-cache, stale-if-error=99", usual: 60))
    }
}
