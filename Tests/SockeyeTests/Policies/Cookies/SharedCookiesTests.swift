import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Cookies of a jar that several readers share", .timeLimit(.minutes(1))) struct SharedCookiesTests {
    private let clock = ManualClock(unixTime: 1000)

    private func sent(_ jar: CookiePolicy.Jar, _ url: String) throws -> String? {
        var fields = FieldLineBuffer()
        jar.addField(to: &fields, for: try HTTPURL(url), at: clock.timeSource)
        let values = fields.values
        #expect(values.count < 2)
        return values.first
    }

    @Test("a request gets the current cookies, with any changes since the last request")
    func changes() throws {
        let jar = CookiePolicy.Jar(clock: clock)
        let url = try HTTPURL("https://a.test/")
        func check(_ expected: String?) throws {
            for _ in 0..<4 { #expect(try sent(jar, "https://a.test/x") == expected) }
        }
        try jar.set("a=1", from: url)
        try check("a=1")
        try jar.set("a=2", from: url)
        try check("a=2")
        jar.store([Bytes("b=3; Max-Age=10".utf8)], from: url, isExposed: false, at: clock.timeSource)
        try check("a=2; b=3")
        clock.advance(by: .seconds(10))
        try check("a=2")
        jar.removeExpired()
        try check("a=2")
        try jar.set("c=4; Path=/x", from: url)
        try check("c=4; a=2")
        #expect(try sent(jar, "https://a.test/") == "a=2")
        #expect(jar.remove(try #require(jar.cookies.first)))
        try check("c=4")
        jar.removeAll()
        try check(nil)
        try jar.set("d=5", from: url)
        try check("d=5")
        jar.removeAll { $0.name == "d" }
        try check(nil)
    }

    @Test("each origin gets its own cookies, in any order of requests")
    func origins() throws {
        let jar = CookiePolicy.Jar(clock: clock)
        for name in ["a", "b", "c"] { try jar.set("\(name)=1", from: HTTPURL("https://\(name).test/")) }
        for turns in ["aabb", "abab", "abcabc", "aabcbbbcaaccc"] {
            for name in turns { #expect(try sent(jar, "https://\(name).test/") == "\(name)=1") }
            #expect(try sent(jar, "https://d.test/") == nil)
        }
    }

    @Test("the jar agrees with an unshared store, even when old cookies are evicted", arguments: 0..<8)
    func model(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var limits = ClientCookie.Limits()
        (limits.cookies, limits.cookiesPerDomain) = (6, 3)
        let jar = CookiePolicy.Jar(limits: limits, trustsLoopback: true, time: clock.timeSource)
        var store = CookieStore(limits: limits)
        for _ in 0..<2000 {
            let url = try HTTPURL("https://\(["a", "b", "c"][Int(random.next() % 3)]).test/\(random.next() % 2)")
            let now = clock.timeSource.unixTime
            switch random.next() % 12 {
            case 0, 1:
                let path = random.next() % 3 == 0 ? "; Path=\(url.path)" : ""
                let age = random.next() % 4 == 0 ? "; Max-Age=3" : ""
                let field = "n\(random.next() % 5)=\(random.next() % 100)\(path); Path=/\(age)"
                _ = try? jar.set(field, from: url)
                _ = try? store.store(Array(field.utf8)[...], from: url, at: now)
            case 2 where random.next() % 4 == 0: clock.advance(by: .seconds(1))
            case 3 where random.next() % 8 == 0:
                jar.removeExpired()
                store.removeExpired(at: now)
            default:
                for _ in 0...random.next() % 3 {
                    #expect(try sent(jar, url.description) == store.field(for: url, besides: []) { now })
                }
            }
            #expect(jar.cookies == store.cookies)
        }
    }

    @Test("concurrent readers get only values that were set, in order")
    func together() async throws {
        let jar = CookiePolicy.Jar(clock: clock)
        let url = try HTTPURL("https://a.test/")
        try jar.set("a=0", from: url)
        let time = clock.timeSource
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...5000 { _ = try? jar.set("a=\(number)", from: url) }
            }
            for _ in 0..<2 {
                group.addTask {
                    var last = 0
                    for _ in 0..<5000 {
                        var fields = FieldLineBuffer()
                        jar.addField(to: &fields, for: url, at: time)
                        let number = fields.values.first.flatMap { Int($0.dropFirst(2)) } ?? -1
                        #expect(number >= last)
                        last = number
                    }
                }
            }
        }
        #expect(try sent(jar, "https://a.test/") == "a=5000")
    }
}

extension FieldLineBuffer {
    fileprivate var values: [String] {
        var headers = Headers()
        copy(to: &headers)
        return headers.map(\.value)
    }
}
