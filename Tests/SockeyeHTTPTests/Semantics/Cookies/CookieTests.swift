import SockeyeHTTP
import Testing

@Suite("Cookies made by the client") struct CookieTests {
    @Test(
        "the client cannot make a cookie that violates the rules of Set-Cookie",
        arguments: [
            ("", "", "a.test", "/", ClientCookie.Fault.empty), ("a=b", "c", "a.test", "/", .badCharacter),
            ("a", "b;c", "a.test", "/", .badCharacter),
            ("a", "b\r\nc", "a.test", "/", .badCharacter), (" a", "b", "a.test", "/", .badCharacter),
            ("a", "b", "a.test", "/\t", .badCharacter),
            ("a", "b", "a.test", "x", .badPath), ("a", "b", "", "/", .badDomain),
            ("a", "b", "a..test", "/", .badDomain),
            ("a", "b", "co.uk", "/", .publicSuffix), ("__Host-a", "b", "a.test", "/", .brokenPrefix),
            ("a", String(repeating: "b", count: 4096), "a.test", "/", .tooLong),
        ] as [(String, String, String, String, ClientCookie.Fault)])
    func faults(name: String, value: String, domain: String, path: String, fault: ClientCookie.Fault) {
        #expect(throws: fault) { try ClientCookie(name: name, value: value, domain: domain, path: path) }
    }

    @Test(
        "the domain is normalised",
        arguments: [
            (".Example.COM", "example.com"), ("bücher.example", "xn--bcher-kva.example"), ("127.0.0.1", "127.0.0.1"),
            ("::1", "::1"),
            (".127.0.0.1", "127.0.0.1"),
        ] as [(String, String)])
    func domain(written: String, expected: String) throws {
        let cookie = try ClientCookie(name: "a", value: "b", domain: written)
        #expect(cookie.domain == expected)
        #expect(
            cookie.isHostOnly == (expected.contains { $0.isNumber } && !expected.hasPrefix("xn")) || expected == "::1")
    }

    @Test("no description, dump or fault shows the value, or the text of a nameless cookie")
    func secrets() throws {
        for name in ["session", ""] {
            let cookie = try ClientCookie(name: name, value: "t0ps3cret", domain: "a.test")
            var dumped = ""
            dump(cookie, to: &dumped)
            #expect(!"\(cookie)\(String(reflecting: cookie))\(dumped)\([cookie])".contains("t0ps3cret"))
            #expect("\(cookie)".contains("a.test/"))
        }
    }
}
