import Testing

@Suite("Cache vectors", .timeLimit(.minutes(2))) struct CacheVectorTests {
    private static func cases(_ kind: String) -> [CacheVector] {
        CacheVector.recent.filter { $0.kind == kind && $0.client == true }
    }

    @Test("the requirements of RFC 9111 for a client's cache hold", arguments: cases("required"))
    func required(_ vector: CacheVector) async throws {
        let failures = try await CacheVectorRun.failures(of: vector)
        #expect(failures.isEmpty == !Self.deliberateException.cases.contains(vector.id), "\(failures)")
    }

    /// RFC 9111 allows caches to store Set-Cookie (3.1) and to serve it (7.3). Browsers serve no stored Set-Cookie.
    static let deliberateException = (
        reason: "A stored Set-Cookie may be another caller's session and is not served.",
        cases: ["headers-store-Set-Cookie"]
    )

    /// Optional behaviour that the library does not implement, or that does not apply to a client.
    static let chosen: [(reason: String, cases: [String])] = [
        (
            "`CDN-Cache-Control` is for caches of content delivery networks.",
            [
                "cdn-max-age", "cdn-max-age-0-expires", "cdn-max-age-case-insensitive", "cdn-max-age-expires",
                "cdn-max-age-extension", "cdn-max-age-max", "cdn-max-age-max-plus", "cdn-max-age-short-cc-max-age",
                "cdn-no-cache",
            ]
        ),
        (
            "The caller's conditional requests are sent unchanged: RFC 9111 4.3.2 is for shared caches.",
            [
                "conditional-304-etag", "conditional-etag-forward-unquoted", "conditional-etag-precedence",
                "conditional-etag-strong-respond-multiple-first", "conditional-etag-unquoted-respond-unquoted",
                "conditional-etag-weak-respond", "conditional-etag-weak-respond-omit-slash",
                "conditional-lm-fresh-earlier", "conditional-lm-fresh-no-lm", "conditional-lm-stale",
            ]
        ),
        (
            "Only the selected response is validated.",
            ["conditional-etag-vary-headers-mismatch"]
        ),
        (
            "An invalid max-age and the longer of two are ignored (RFC 9111 4.2.1).",
            [
                "freshness-max-age-100a", "freshness-max-age-a100", "freshness-max-age-decimal-five",
                "freshness-max-age-decimal-zero", "freshness-max-age-two-fresh-stale-sepline",
                "freshness-max-age-two-stale-fresh-sameline",
            ]
        ),
        (
            "The heuristic freshness is a tenth of ten seconds, which is over after three.",
            ["heuristic-delta-10"]
        ),
        (
            "A stored response is removed if the response to HEAD differs from it (RFC 9111 4.3.5).",
            ["head-410-update"]
        ),
        (
            "A qualified no-cache is read as an unqualified one (RFC 9111 5.2.2.4).",
            [
                "headers-omit-headers-listed-in-Cache-Control-no-cache-single",
                "headers-omit-headers-listed-in-Cache-Control-no-cache",
            ]
        ),
        (
            "A 304 does not change the coding of the stored response (RFC 9111 3.2).",
            ["304-etag-update-response-Content-Encoding"]
        ),
        (
            "A 304 with another ETag validates no stored response (RFC 9111 4.3.4).",
            ["304-etag-update-response-ETag"]
        ),
        (
            "Only the caller whose request was answered with Set-Cookie gets it; the cache does not serve it.",
            ["304-etag-update-response-Set-Cookie"]
        ),
        (
            "Only responses from the store get an Age field.",
            ["other-age-delay"]
        ),
        (
            "Responses are stored per credential, even where a shared cache could reuse them.",
            ["other-authorization-must-revalidate", "other-authorization-public"]
        ),
        (
            "Partial responses are not stored.",
            [
                "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-byterange",
                "partial-store-partial-reuse-partial",
            ]
        ),
        (
            "No stale response is served without permission, and Warning is obsolete (RFC 9111 5.5).",
            ["stale-warning-become", "stale-warning-stored"]
        ),
        (
            "Vary compares the bytes of fields, not their meaning.",
            ["vary-normalise-lang-select"]
        ),
        (
            "A private response answers only requests with the same unusual fields; the run numbers its requests in one.",
            ["own-private"]
        ),
    ]

    @Test(
        "optional behaviour is implemented, except for the listed cases",
        arguments: CacheVector.recent.filter { $0.kind != "required" || $0.client != true })
    func optional(_ vector: CacheVector) async throws {
        let failures = try await CacheVectorRun.failures(of: vector)
        #expect(failures.isEmpty == !Self.chosen.contains { $0.cases.contains(vector.id) }, "\(failures)")
    }

    static let chosenOlder: [(reason: String, cases: [String])] = [
        (
            "Partial responses are not stored.",
            ["partial-07"]
        ),
        (
            "Responses to POST and PATCH are not stored.",
            ["post-patch-00", "post-patch-01"]
        ),
    ]

    @Test("the older vectors hold, except for the listed cases", arguments: CacheVector.older)
    func older(_ vector: CacheVector) async throws {
        let failures = try await CacheVectorRun.failures(of: vector, isOlder: true)
        #expect(failures.isEmpty == !Self.chosenOlder.contains { $0.cases.contains(vector.id) }, "\(failures)")
    }
}
