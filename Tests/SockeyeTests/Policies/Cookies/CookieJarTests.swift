import Sockeye
import SockeyeArchiving
import SockeyeEssentials
import SockeyeTesting
import Testing

@Suite("Editing a cookie jar") struct CookieJarTests {
    private let clock = ManualClock(unixTime: 1000)
    private let url: HTTPURL

    init() throws { url = try HTTPURL("https://a.test/") }

    @Test("cookies can be listed, set, replaced and removed")
    func editing() throws {
        let jar = CookiePolicy.Jar(clock: clock)
        let cookie = try ClientCookie(name: "a", value: "1", domain: "a.test")
        #expect(jar.set(cookie))
        #expect(try jar.set("b=2; Max-Age=10", from: url)?.expiration == 1010)
        #expect(jar.set(try ClientCookie(name: "a", value: "3", domain: "a.test")))
        #expect(jar.cookies(for: url).map(\.value) == ["3", "2"])
        #expect(jar.remove(cookie))
        #expect(!jar.remove(cookie))
        #expect(jar.count == 1)
        clock.advance(by: .seconds(10))
        #expect(jar.cookies(for: url).isEmpty && jar.count == 1)
        jar.removeExpired()
        #expect(jar.count == 0)
    }

    @Test("cookies are removed by a predicate, which may use the jar")
    func removing() throws {
        let jar = CookiePolicy.Jar(clock: clock)
        for name in ["a", "b", "c"] { try jar.set("\(name)=1", from: url) }
        jar.removeAll { $0.name != "b" && jar.count == 3 }
        #expect(jar.cookies.map(\.name) == ["b"])
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test("a cookie that is replaced while the predicate runs is not removed")
    func replacing() throws {
        let jar = CookiePolicy.Jar(clock: clock)
        for name in ["a", "b", "c"] { try jar.set("\(name)=1", from: url) }
        try jar.removeAll { cookie in
            if cookie.name == "b" { try jar.set("b=2", from: url) }
            return true
        }
        #expect(jar.cookies.map { "\($0.name)=\($0.value)" } == ["b=2"])
    }

    @Test("a cookie that the caller sets is kept for up to 400 days, and setting an expired cookie deletes it")
    func expiration() throws {
        let jar = CookiePolicy.Jar(clock: clock)
        jar.set(try ClientCookie(name: "a", value: "1", domain: "a.test", expiration: .max))
        #expect(jar.cookies.first?.expiration == 34_561_000)
        #expect(!jar.set(try ClientCookie(name: "a", value: "1", domain: "a.test", expiration: 1000)))
        #expect(jar.count == 0)
    }

    @Test("setting an invalid cookie throws the reason")
    func faults() {
        let jar = CookiePolicy.Jar(clock: clock)
        #expect(throws: ClientCookie.Fault.badDomain) { try jar.set("a=1; Domain=b.test", from: url) }
        #expect(throws: ClientCookie.Fault.insecure) { try jar.set("a=1; Secure", from: HTTPURL("http://a.test/")) }
    }

    @Test("archived options keep `handlesCookies`")
    func archiving() throws {
        var options = OutgoingRequest.Options()
        options.handlesCookies = false
        let copy = try JSONDecoder().decode(OutgoingRequest.Options.self, from: JSONEncoder().encode(options))
        #expect(!copy.handlesCookies)
    }
}
