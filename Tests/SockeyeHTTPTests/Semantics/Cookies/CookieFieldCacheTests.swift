import Testing

@testable import SockeyeHTTP

@Suite("The cache of Cookie fields") struct CookieFieldCacheTests {
    private var store = CookieStore()

    private mutating func set(_ field: String, from url: String = "https://a.test/", at now: Int64 = 0) throws {
        try store.store(Array(field.utf8)[...], from: HTTPURL(url), at: now)
    }

    /// Returns the field of a request, and checks that the next request gets the same one.
    private mutating func field(_ url: String, at now: Int64 = 0) throws -> String? {
        let url = try HTTPURL(url)
        let first = store.field(for: url, besides: []) { now }
        #expect(store.field(for: url, besides: []) { now } == first)
        return first
    }

    @Test("the same request gets the same field, whatever other requests came between")
    mutating func repeated() throws {
        try set("a=1")
        try set("b=2; Domain=a.test")
        try set("c=3; Secure")
        for _ in 0..<2 {
            #expect(try field("https://a.test/") == "a=1; b=2; c=3")
            #expect(try field("https://a.test/x?y") == "a=1; b=2; c=3")
            #expect(try field("http://a.test/") == "a=1; b=2")
            #expect(try field("https://x.a.test/") == "b=2")
            #expect(try field("https://b.test/") == nil)
        }
    }

    @Test("if a cookie is for one path, each path gets the field with its own cookies")
    mutating func paths() throws {
        try set("a=1")
        try set("b=2; Path=/x")
        try set("c=3; Path=/x; Domain=a.test")
        let long = "/x/" + String(repeating: "y", count: 1000)
        for _ in 0..<2 {
            #expect(try field("https://a.test/") == "a=1")
            #expect(try field("https://a.test/x") == "b=2; c=3; a=1")
            #expect(try field("https://a.test\(long)") == "b=2; c=3; a=1")
            #expect(try field("https://a.test/xy") == "a=1")
            #expect(try field("https://y.a.test/x/y") == "c=3")
            #expect(try field("https://y.a.test/") == nil)
        }
    }

    @Test("every change of the cookies changes the field")
    mutating func changes() throws {
        try set("a=1")
        #expect(try field("https://a.test/") == "a=1")
        try set("a=2")
        #expect(try field("https://a.test/") == "a=2")
        try set("b=1")
        #expect(try field("https://a.test/") == "a=2; b=1")
        store.remove(try #require(store.cookies.first))
        #expect(try field("https://a.test/") == "b=1")
        try set("b=; Max-Age=0")
        #expect(try field("https://a.test/") == nil)
        try set("b=3")
        #expect(try field("https://a.test/") == "b=3")
        store.removeAll { _ in true }
        #expect(try field("https://a.test/") == nil)
    }

    @Test("a cached field is used until the first of its cookies expires")
    mutating func expiration() throws {
        try set("a=1")
        try set("b=2; Max-Age=10")
        try set("c=3; Max-Age=20; Path=/x")
        #expect(try field("https://a.test/", at: 9) == "a=1; b=2")
        #expect(try field("https://a.test/x", at: 9) == "c=3; a=1; b=2")
        #expect(try field("https://a.test/", at: 10) == "a=1")
        #expect(try field("https://a.test/x", at: 19) == "c=3; a=1")
        #expect(try field("https://a.test/x", at: 20) == "a=1")
    }

    @Test("the clock is read only for cookies that expire")
    mutating func clock() throws {
        try set("a=1")
        let url = try HTTPURL("https://a.test/")
        for _ in 0..<3 {
            let field = store.field(for: url, besides: []) {
                Issue.record("the clock was read")
                return 0
            }
            #expect(field == "a=1")
        }
    }

    @Test("a use of a cached field counts as a use of its cookies, so others are evicted first", arguments: [1, 20])
    mutating func uses(hosts: Int) throws {
        var limits = ClientCookie.Limits()
        limits.cookies = hosts + 2
        store = CookieStore(limits: limits)
        for host in 0...hosts { try set("a=\(host)", from: "https://h\(host).test/") }
        // 20 hosts are more than the cache has entries, so some fields evict others.
        for host in 1...hosts { #expect(try field("https://h\(host).test/") == "a=\(host)") }
        #expect(try field("https://h0.test/") == "a=0")
        for host in 1...hosts { #expect(try field("https://h\(host).test/") == "a=\(host)") }
        try set("new=1", from: "https://n.test/")
        #expect(store.count == hosts + 2)
        try set("new=2", from: "https://m.test/")
        #expect(store.count == hosts + 2)
        #expect(try field("https://h0.test/") == nil)
        #expect(try field("https://h1.test/") == "a=1")
    }

    @Test("after random requests, the field equals that of an equal store without earlier requests")
    mutating func anyOrder() throws {
        var state: UInt64 = 7
        func pick(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let hosts = ["a.test", "x.a.test", "b.test", "127.0.0.1"] + (0..<10).map { "h\($0).test" }
        let paths = ["/", "/x", "/x/y", "/z"]
        var untouched = store
        for round in 0..<3000 {
            let host = hosts[pick(hosts.count)]
            let url = try HTTPURL("\(["http", "https"][pick(2)])://\(host)\(paths[pick(paths.count)])")
            let now = Int64(round / 10)
            if round % 10 == 0 {
                var field = "\(["a", "b", "c"][pick(3)])=\(round)"
                if pick(2) == 0 { field += "; Max-Age=\(pick(40))" }
                if pick(2) == 0 { field += "; Path=\(paths[pick(paths.count)])" }
                if pick(2) == 0 { field += "; Secure" }
                if host.hasSuffix("a.test"), pick(2) == 0 { field += "; Domain=a.test" }
                // Both stores refuse the same cookies.
                _ = try? store.store(Array(field.utf8)[...], from: url, at: now)
                _ = try? untouched.store(Array(field.utf8)[...], from: url, at: now)
            }
            var fresh = untouched
            let field = store.field(for: url, besides: []) { now }
            #expect(field == fresh.field(for: url, besides: []) { now }, "round \(round), \(url)")
        }
    }
}
