import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("Cache-Control") struct CacheDirectiveTests {
    @Test(
        "the seconds of max-age are read tolerantly, and invalid seconds count as zero",
        arguments: [
            (["max-age=60"], 60), (["MaX-AgE=60"], 60), (["max-age=\"60\""], 60), (["max-age=0060"], 60),
            (["foo, max-age=60, bar=\"a, max-age=5\""], 60), (["max-age=60", "max-age=5"], 5),
            (["max-age=5, max-age=60"], 5),
            (["max-age=99999999999999999999"], 1 << 31), (["max-age=2147483649"], 1 << 31), (["max-age"], 0),
            (["max-age="], 0), (["max-age=-1"], 0), (["max-age=1.5"], 0), (["max-age='60'"], 0), (["max-age=60a"], 0),
            (["max-age =60"], 0), (["max-age= 60"], 0), (["max-age=60, max-age=x"], 0),
        ] as [([String], Int64)])
    func maxAge(values: [String], seconds: Int64) {
        #expect(CacheDirectives(values).maxAge == seconds)
    }

    @Test(
        "other directives are not read as max-age",
        arguments: [
            "", ",", "x-max-age=60", "s-maxage=60", "a=\"max-age=60\"", "max-agent=1", "=60", "\"max-age=60\"",
            "a max-age=60", "a=\"b\" max-age=60", "a \"max-age=60\"", "a \"b, max-age=60\" c",
        ])
    func absent(value: String) {
        #expect(CacheDirectives([value]).maxAge == nil)
    }

    @Test(
        "an unclosed quoted string hides no directive after it, wherever it begins in its member",
        arguments: [
            "ext=\"a, no-store, max-age=5", "foo bar\", no-store, max-age=5", "x=\"a\" b\", no-store, max-age=5",
            "max-age=5, foo \"a,\\\"b\" \"c, no-store", "\"a\" \"b\"\", no-store, max-age=5",
        ])
    func unclosed(value: String) {
        let directives = CacheDirectives([value])
        #expect(directives.has(.noStore) && directives.maxAge == 5)
    }

    @Test("flags are read with and without arguments, in any letter case and on any line")
    func flags() {
        let directives = CacheDirectives(["No-Cache=\"set-cookie\", public", " , must-revalidate,,immutable=1"])
        #expect(directives.flags == [.noCache, .isPublic, .mustRevalidate, .immutable])
    }

    @Test("max-stale without seconds allows any staleness, and the lesser of two max-stale values applies")
    func maxStale() {
        #expect(CacheDirectives(["max-stale"]).maxStale == CacheDirectives.maximumSeconds)
        #expect(CacheDirectives(["max-stale, max-stale=5"]).maxStale == 5)
        #expect(CacheDirectives(["max-stale=x"]).maxStale == 0)
    }

    @Test("an invalid min-fresh demands the maximum, and the greater of two min-fresh values applies")
    func minFresh() {
        #expect(CacheDirectives(["min-fresh=5, min-fresh=7"]).minFresh == 7)
        #expect(CacheDirectives(["min-fresh=x"]).minFresh == CacheDirectives.maximumSeconds)
    }

    @Test("Pragma counts only without Cache-Control")
    func pragma() {
        #expect(CacheDirectives(request: ["Pragma": "no-cache"]).has(.noCache))
        #expect(!CacheDirectives(request: ["Pragma": "no-cache", .cacheControl: "max-age=5"]).has(.noCache))
        #expect(!CacheDirectives(request: ["Pragma": "other"]).has(.noCache))
    }
}
