import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("The cookie store") struct CookieStoreTests {
    private var store = CookieStore()

    private mutating func set(_ field: String, from url: String, at now: Int64 = 0) throws {
        try store.store(Array(field.utf8)[...], from: HTTPURL(url), at: now)
    }

    private mutating func field(_ url: String, own: [String] = [], at now: Int64 = 0) throws -> String? {
        store.field(for: try HTTPURL(url), besides: own) { now }
    }

    @Test("an empty store does not read the clock")
    mutating func empty() throws {
        let url = try HTTPURL("http://a.test/")
        let field = store.field(for: url, besides: ["a=b"]) {
            Issue.record("the clock was read")
            return 0
        }
        #expect(field == nil)
    }

    @Test(
        "a cookie that a host may not set is refused",
        arguments: [
            ("https://www.a.test/", "a=b; Domain=b.test", ClientCookie.Fault.badDomain),
            ("https://a.test/", "a=b; Domain=www.a.test", .badDomain),
            ("https://ba.test/", "a=b; Domain=a.test", .badDomain),
            ("https://a.co.uk/", "a=b; Domain=co.uk", .publicSuffix),
            ("https://a.co.uk./", "a=b; Domain=co.uk.", .publicSuffix),
            ("https://a.github.io/", "a=b; Domain=github.io", .publicSuffix),
            ("https://a.com/", "a=b; Domain=com", .publicSuffix),
            // The rules are *.kobe.jp and !city.kobe.jp, so the public suffix of these hosts is kobe.jp or longer.
            ("https://city.kobe.jp/", "a=b; Domain=kobe.jp", .publicSuffix),
            ("https://www.city.kobe.jp/", "a=b; Domain=kobe.jp", .publicSuffix),
            ("https://a.x.kobe.jp/", "a=b; Domain=kobe.jp", .publicSuffix),
            ("https://a.x.kobe.jp./", "a=b; Domain=kobe.jp.", .publicSuffix),
            ("https://a.b.c.kawasaki.jp/", "a=b; Domain=c.kawasaki.jp", .publicSuffix),
            ("https://10.0.0.1/", "a=b; Domain=0.0.1", .badDomain),
            ("http://a.test/", "a=b; Secure", .insecure), ("https://a.test/", "__Secure-a=b", .brokenPrefix),
            ("https://a.test/", "__HOST-a=b; Secure", .brokenPrefix),
            ("https://a.test/", "__Host-a=b; Secure; Path=/; Domain=a.test", .brokenPrefix),
            ("https://a.test/", "__Host-a=b; Path=/", .brokenPrefix),
            ("https://a.test/", "__Host-a=b; Secure; Path=/x", .brokenPrefix),
            ("https://a.test/", "=__Host-a=b; Secure; Path=/", .brokenPrefix),
            ("https://a.test/", "__secure-a; Secure", .brokenPrefix),
            ("https://a.test/", "a=b; SameSite=None", .insecureSameSite),
            ("https://a.test/shop/y", "a=b; Path=/book\tx", .badCharacter),
        ] as [(String, String, ClientCookie.Fault)])
    mutating func refused(url: String, field: String, fault: ClientCookie.Fault) throws {
        #expect(throws: fault) { try store.store(Array(field.utf8)[...], from: HTTPURL(url), at: 0) }
        #expect(store.count == 0)
    }

    @Test(
        "a host gets back the cookies that it may set",
        arguments: [
            ("https://a.test/", "__Host-a=b; Secure; Path=/", "__Host-a=b"),
            ("https://a.test/", "__secure-a=b; Secure", "__secure-a=b"),
            ("https://co.uk/", "a=b; Domain=co.uk", "a=b"), ("https://a.test/", "a=b; SameSite=None; Secure", "a=b"),
            ("http://[::1]/", "a=b; Domain=::1", "a=b"), ("http://localhost/", "a=b; Secure", "a=b"),
            ("http://x.localhost/", "a=b; Secure", "a=b"), ("http://127.0.0.2/", "a=b; Secure", "a=b"),
            ("http://[::1]/", "a=b; Secure", "a=b"), ("https://a.test./", "a=b", "a=b"), ("https://a.test/", "b", "b"),
        ] as [(String, String, String)])
    mutating func kept(url: String, field: String, expected: String) throws {
        try set(field, from: url)
        #expect(try self.field(url) == expected)
    }

    @Test(
        "a host below an exception or a wildcard may set cookies for its registrable domain",
        arguments: [
            ("https://www.city.kobe.jp/", "city.kobe.jp"), ("https://city.kobe.jp/", "city.kobe.jp"),
            ("https://b.a.x.kobe.jp/", "a.x.kobe.jp"), ("https://kobe.jp/", "kobe.jp"), ("https://a.www.ck/", "www.ck"),
            ("https://a.b.example.com./", "example.com."),
        ])
    mutating func ownSuffix(url: String, domain: String) throws {
        try set("a=b; Domain=\(domain)", from: url)
        #expect(try field("https://www.\(domain)/") == "a=b")
    }

    @Test("a cookie for a public suffix that is the host itself is for that host only")
    mutating func publicSuffixHost() throws {
        try set("a=b; Domain=co.uk", from: "https://co.uk/")
        #expect(try field("https://x.co.uk/") == nil)
    }

    @Test(
        "a response that a proxy could have forged neither sets nor replaces a secure cookie",
        arguments: [
            ("http://localhost/", "a=b; Secure", false), ("http://127.0.0.1/", "a=b; Secure", false),
            ("http://localhost./", "a=b; Secure", false), ("http://localhost/", "s=2", false),
            ("http://localhost/", "a=b", true), ("https://localhost/", "a=b; Secure", true),
        ] as [(String, String, Bool)])
    mutating func exposed(url: String, field: String, isStored: Bool) throws {
        try set("s=1; Secure; Path=/", from: "http://localhost/")
        let stored = try? store.store(Array(field.utf8)[...], from: HTTPURL(url), isExposed: true, at: 0)
        #expect((stored != nil) == isStored)
        let sent = try #require(try self.field("http://localhost/"))
        #expect(sent.contains("s=1"))
    }

    @Test("without `trustsLoopback`, a loopback host cannot set a secure cookie over http")
    mutating func untrustedLoopback() throws {
        store = CookieStore(trustsLoopback: false)
        #expect(throws: ClientCookie.Fault.insecure) {
            try store.store(Array("a=b; Secure".utf8)[...], from: HTTPURL("http://127.0.0.1/"), at: 0)
        }
    }

    @Test(
        "a response without TLS neither replaces nor hides a secure cookie",
        arguments: [
            ("http://a.test/", "s=2; Path=/x", false), ("http://www.a.test/", "s=2; Path=/x/y", false),
            ("http://www.a.test/", "s=2; Path=/x; Domain=a.test", false), ("http://a.test/", "s=2; Path=/", true),
            ("http://a.test/", "=s=2; Path=/x", false), ("http://a.test/", "=s =2; Path=/x/y", false),
            ("http://a.test/", "=t=s=2; Path=/x", true), ("http://a.test/", "=s; Path=/x", true),
            ("http://a.test/", "t=2; Path=/x", true), ("http://b.test/", "s=2; Path=/x", true),
            ("https://a.test/", "s=2; Path=/x", true),
        ] as [(String, String, Bool)])
    mutating func secureIsKept(url: String, field: String, isStored: Bool) throws {
        try set("s=1; Secure; Path=/x; Domain=a.test", from: "https://a.test/")
        let stored = (try? store.store(Array(field.utf8)[...], from: HTTPURL(url), at: 0)) != nil
        #expect(stored == isStored)
    }

    @Test("a secure cookie is not sent without TLS, and a host-only cookie not to a parent or child domain")
    mutating func scope() throws {
        try set("s=1; Secure; Path=/", from: "https://a.b.test/")
        try set("h=1; Path=/", from: "https://a.b.test/")
        try set("d=1; Path=/; Domain=b.test", from: "https://a.b.test/")
        #expect(try field("https://a.b.test/") == "s=1; h=1; d=1")
        #expect(try field("https://a.b.test:8443/") == "s=1; h=1; d=1")
        #expect(try field("http://a.b.test/") == "h=1; d=1")
        #expect(try field("https://b.test/") == "d=1")
        #expect(try field("https://x.a.b.test/") == "d=1")
        #expect(try field("https://ab.test/") == nil)
        #expect(try field("https://test/") == nil)
    }

    @Test("a cookie that is set again keeps its place in the sending order")
    mutating func order() throws {
        try set("a=1", from: "http://a.test/")
        try set("b=1", from: "http://a.test/")
        try set("c=1; Path=/x/y", from: "http://a.test/")
        try set("a=2", from: "http://a.test/")
        #expect(try field("http://a.test/x/y") == "c=1; a=2; b=1")
        #expect(store.count == 3)
    }

    @Test("expired cookies are not sent, and setting an expired cookie deletes the stored one")
    mutating func expiry() throws {
        try set("a=1; Max-Age=10", from: "http://a.test/", at: 100)
        try set("b=1", from: "http://a.test/", at: 100)
        #expect(try field("http://a.test/", at: 109) == "a=1; b=1")
        #expect(try field("http://a.test/", at: 110) == "b=1")
        #expect(store.count == 2)
        store.removeExpired(at: 110)
        #expect(store.count == 1)
        try set("b=; Max-Age=0", from: "http://a.test/", at: 110)
        #expect(store.count == 0 && store.cookies.isEmpty)
    }

    @Test("an expired secure cookie does not keep a response without TLS from setting a cookie of the same name")
    mutating func expiredSecure() throws {
        try set("s=1; Secure; Max-Age=10", from: "https://a.test/", at: 100)
        #expect(throws: ClientCookie.Fault.insecure) {
            try store.store(Array("s=2".utf8)[...], from: HTTPURL("http://a.test/"), at: 109)
        }
        try set("s=3", from: "http://a.test/", at: 110)
        #expect(try field("http://a.test/", at: 110) == "s=3")
        #expect(store.count == 1)
    }

    @Test("a cookie that is set again after its expiry comes after the cookies that were set before")
    mutating func orderAfterExpiry() throws {
        try set("a=1; Max-Age=10", from: "http://a.test/", at: 100)
        try set("b=1", from: "http://a.test/", at: 100)
        try set("a=2", from: "http://a.test/", at: 110)
        #expect(try field("http://a.test/", at: 110) == "b=1; a=2")
        try set("b=; Max-Age=0", from: "http://a.test/", at: 110)
        #expect(try field("http://a.test/", at: 110) == "a=2")
    }

    @Test(
        "the cookies of a domain are limited: expired ones go first, then insecure, then least recently used"
    )
    mutating func domainLimit() throws {
        var limits = ClientCookie.Limits()
        limits.cookiesPerDomain = 3
        store = CookieStore(limits: limits)
        try set("s=1; Secure", from: "https://a.test/")
        try set("p=1; Path=/p", from: "https://a.test/")
        try set("q=1; Path=/q", from: "https://a.test/")
        _ = try field("https://a.test/p")
        try set("r=1", from: "https://a.test/")
        #expect(store.cookies.map(\.name) == ["s", "p", "r"])
        try set("t=1; Max-Age=1", from: "https://a.test/", at: 0)
        #expect(store.cookies.map(\.name) == ["s", "r", "t"])
        try set("u=1", from: "https://a.test/", at: 5)
        #expect(store.cookies.map(\.name) == ["s", "r", "u"])
    }

    @Test("storing a cookie that the limit evicts at once, before cookies with Secure, is reported as not stored")
    mutating func evictedAtOnce() throws {
        var limits = ClientCookie.Limits()
        limits.cookiesPerDomain = 1
        store = CookieStore(limits: limits)
        #expect(store.insert(try ClientCookie(name: "s", value: "1", domain: "a.test", isSecure: true), at: 0))
        #expect(!store.insert(try ClientCookie(name: "p", value: "1", domain: "a.test"), at: 0))
        #expect(store.cookies.map(\.name) == ["s"])
        #expect(store.insert(try ClientCookie(name: "t", value: "1", domain: "a.test", isSecure: true), at: 0))
    }

    @Test("the total is limited: the least recently used cookies are evicted, regardless of their host")
    mutating func totalLimit() throws {
        var limits = ClientCookie.Limits()
        limits.cookies = 3
        store = CookieStore(limits: limits)
        for host in ["a", "b", "c"] { try set("\(host)=1", from: "http://\(host).test/") }
        _ = try field("http://a.test/")
        try set("d=1", from: "http://d.test/")
        #expect(store.cookies.map(\.name) == ["a", "c", "d"])
        #expect(store.count == 3)
    }

    @Test("many subdomains of one owner do not evict the session of another site")
    mutating func subdomains() throws {
        try set("session=1", from: "https://bank.test/")
        try set("a=1", from: "http://192.0.2.1/")
        try set("b=1", from: "http://198.51.2.1/")
        for number in 0..<600 { try set("n=1", from: "http://h\(number).evil.co.uk/") }
        #expect(try field("https://bank.test/") == "session=1")
        #expect(store.count == 303)
        #expect(try field("http://192.0.2.1/") == "a=1")
        #expect(try field("http://198.51.2.1/") == "b=1")
        // Removed cookies make room again.
        store.removeAll { $0.domain.hasSuffix("evil.co.uk") }
        for number in 0..<10 { try set("n=1", from: "http://h\(number).evil.co.uk/") }
        #expect(store.count == 13)
    }

    @Test("a site with more cookies than its limit keeps the most recently used ones")
    mutating func siteLimit() throws {
        var limits = ClientCookie.Limits()
        limits.cookiesPerSite = 2
        store = CookieStore(limits: limits)
        for host in ["a.x.test", "b.x.test", "y.test"] { try set("n=1", from: "http://\(host)/") }
        _ = try field("http://a.x.test/")
        try set("n=1", from: "http://c.x.test/")
        #expect(store.cookies.map(\.domain) == ["a.x.test", "y.test", "c.x.test"])
    }

    @Test("cookies that subdomains set over http do not evict the secure cookies of their site")
    mutating func secureSubdomains() throws {
        try set("s=1; Secure", from: "https://www.bank.test/")
        try set("t=1; Secure", from: "https://login.bank.test/")
        for number in 0..<400 { try set("n=1", from: "http://h\(number).bank.test/") }
        #expect(store.count == 300)
        #expect(try field("https://www.bank.test/") == "s=1")
        #expect(try field("https://login.bank.test/") == "t=1")
        // A new secure cookie evicts an insecure one, or the oldest secure one if all are secure.
        for number in 0..<300 { try set("n=1; Secure", from: "https://s\(number).bank.test/") }
        #expect(store.count == 300 && store.cookies.allSatisfy(\.isSecure))
        #expect(try field("https://www.bank.test/") == nil)
        #expect(try field("https://s299.bank.test/") == "n=1")
    }

    @Test("thousands of cookies stay within the limits of the store and of a domain")
    mutating func flood() throws {
        for number in 0..<4000 { try set("n\(number)=1", from: "http://h\(number % 40).test/") }
        #expect(store.count == 3000)
        for number in 0..<400 { try set("m\(number)=1", from: "http://evil.test/") }
        #expect(store.cookies.count { $0.domain == "evil.test" } == 180)
        #expect(store.count == 3000 && store.cookies.count == 3000)
    }

    @Test("a request carries at most 150 cookies in 8,190 bytes, and the caller's Cookie field is not shortened")
    mutating func fieldLimits() throws {
        for number in 0..<180 { try set("n\(number)=1", from: "http://a.test/") }
        #expect(try field("http://a.test/")?.split(separator: ";").count == 150)
        for number in 0..<9 {
            try set("big\(number)=\(String(repeating: "x", count: 1000)); Path=/x", from: "http://b.test/")
        }
        let sent = try field("http://b.test/x") ?? ""
        #expect(sent.utf8.count <= 8190 && sent.split(separator: ";").count == 8)
        let own = "own=" + String(repeating: "y", count: 8180)
        #expect(try field("http://b.test/x", own: [own]) == own)
    }

    @Test(
        "the caller's own cookies come last and replace a stored one of the same name",
        arguments: [
            ([], "a=1; b=2"), (["c=3"], "a=1; b=2; c=3"), (["b=9; c=3"], "a=1; b=9; c=3"),
            (["c=3", "d=4"], "a=1; b=2; c=3; d=4"),
            ([""], "a=1; b=2"), (["odd"], "a=1; b=2; odd"), (["b = 9"], "a=1; b=2; b = 9"),
        ] as [([String], String)])
    mutating func own(own: [String], expected: String) throws {
        try set("a=1", from: "http://a.test/")
        try set("b=2", from: "http://a.test/")
        #expect(try field("http://a.test/", own: own) == expected)
    }

    @Test("a stored cookie without a name is not sent beside the caller's cookie that it looks like")
    mutating func namelessBesideOwn() throws {
        try set("=b=2", from: "http://a.test/")
        #expect(try field("http://a.test/", own: ["b=9"]) == "b=9")
        #expect(try field("http://a.test/", own: ["c=9"]) == "b=2; c=9")
    }

    @Test("several Cookie fields of the caller become one, even without stored cookies")
    mutating func severalOwn() throws {
        #expect(try field("http://a.test/", own: ["a=1", "b=2"]) == "a=1; b=2")
        #expect(try field("http://a.test/", own: ["", ""]) == "")
        #expect(try field("http://a.test/", own: ["a=1"]) == nil)
    }

    @Test("names and paths that differ only in their Unicode normalization belong to different cookies")
    mutating func normalization() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        try set("\(composed)=1; Secure", from: "https://a.test/")
        try set("\(decomposed)=2", from: "https://a.test/")
        try set("\(decomposed)=3", from: "http://a.test/")
        #expect(store.count == 2)
        let both = try field("https://a.test/")
        #expect(both.map { Array($0.utf8) } == Array("\(composed)=1; \(decomposed)=3".utf8))
        let besidesOwn = try field("https://a.test/", own: ["\(decomposed)=4"])
        #expect(besidesOwn.map { Array($0.utf8) } == Array("\(composed)=1; \(decomposed)=4".utf8))
        for path in [composed, decomposed] { try set("a=1; Path=/\(path)", from: "https://a.test/") }
        #expect(store.count == 4)
        #expect(Set(store.cookies).count == 4)
    }

    @Test("names with long runs of combining characters do not slow the store down")
    mutating func combiningRuns() throws {
        // Normalizing the names would sort each run. The names differ in two characters of the same class at the start.
        let run = String(repeating: "\u{301}\u{323}", count: 1000)
        let marks = (UInt32(0x300)..<0x310).compactMap { Unicode.Scalar($0) }
        let names = marks.flatMap { first in marks.map { "a\(first)\($0)\(run)" } }.prefix(180)
        let time = try ProcessMeter.processorTime {
            for name in names + names.prefix(16) { try set("\(name)=1", from: "https://a.test/") }
        }
        #expect(store.count == 180)
        #expect(time < .seconds(10), "\(time)")
    }

    @Test(
        "cookie paths match at slashes",
        arguments: [
            ("/", "/", true), ("/a", "/a", true), ("/a/b", "/a", true), ("/a/b", "/a/", true), ("/a", "/a/", false),
            ("/ab", "/a", false),
            ("/A", "/a", false), ("/%61", "/a", false),
        ] as [(String, String, Bool)])
    func paths(path: String, scope: String, isWithin: Bool) {
        #expect(CookieScope.path(path.utf8, isWithin: scope) == isWithin)
    }

    @Test("a default path longer than the limit of a Path attribute is refused, and one at the limit can be saved")
    mutating func longDefaultPath() throws {
        let longest = "/" + String(repeating: "a", count: ClientCookie.maximumAttributeLength - 1)
        #expect(throws: ClientCookie.Fault.tooLong) {
            try store.store(Array("a=1".utf8)[...], from: HTTPURL("https://a.test\(longest)a/b"), at: 0)
        }
        #expect(store.count == 0)
        try set("a=1", from: "https://a.test\(longest)/b")
        let saved = NetscapeCookieFile.text(of: store.cookies)
        let (cookies, unreadable) = NetscapeCookieFile.parse(saved.utf8)
        #expect(cookies.map(\.path) == [longest] && unreadable == 0)
    }

    @Test(
        "the default path ends before the last slash",
        arguments: [
            ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/c", "/a/b"), ("", "/"),
        ] as [(String, String)])
    func defaultPath(path: String, expected: String) {
        #expect(CookieScope.defaultPath(of: path.utf8) == expected)
    }
}
