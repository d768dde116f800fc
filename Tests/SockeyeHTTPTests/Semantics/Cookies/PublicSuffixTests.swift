import SockeyeHTTP
import Testing

@Suite("Public suffixes") struct PublicSuffixTests {
    @Test(
        "rules of both sections of the list, wildcards, exceptions and unknown top-level domains are respected",
        arguments: [
            ("com", true), ("example.com", false), ("co.uk", true), ("co.uk.", true), ("github.io", true),
            ("a.github.io", false),
            ("ck", true), ("x.ck", true), ("www.ck", false), ("kobe.jp", false), ("x.kobe.jp", true),
            ("city.kobe.jp", false),
            ("no-such-tld", true), ("a.no-such-tld", false), ("localhost", true), ("xn--55qx5d.cn", true),
            ("xn--fiqs8s", true),
            ("aaa", true), ("zw", true), ("*.ck", true), ("", true), (".", true), ("..", false),
        ] as [(String, Bool)])
    func contains(domain: String, isSuffix: Bool) {
        #expect(PublicSuffixList.contains(domain) == isSuffix)
    }

    @Test(
        "the registrable domain is the public suffix and one more label",
        arguments: [
            ("a.b.example.co.uk", "example.co.uk"), ("example.co.uk.", "example.co.uk"),
            ("www.city.kobe.jp", "city.kobe.jp"),
            ("a.b.c.kobe.jp", "b.c.kobe.jp"), ("co.uk", nil), ("", nil), (".com", nil),
            ("x.y.no-such-tld", "y.no-such-tld"),
        ] as [(String, String?)])
    func registrable(domain: String, expected: String?) {
        #expect(PublicSuffixList.registrableDomain(of: domain) == expected)
    }

    @Test(
        "a cookie's domain is compared with the public suffix of the host",
        arguments: [
            ("kobe.jp", "city.kobe.jp", false), ("city.kobe.jp", "www.city.kobe.jp", true),
            ("x.kobe.jp", "a.x.kobe.jp", false), ("a.x.kobe.jp", "b.a.x.kobe.jp", true), ("kobe.jp", "kobe.jp", true),
            ("jp", "city.kobe.jp", false), ("ck", "www.ck", false), ("www.ck", "a.www.ck", true),
            ("co.uk", "co.uk", false),
            ("example.co.uk", "a.example.co.uk", true), ("example.co.uk.", "a.example.co.uk.", true),
            ("uk.", "example.co.uk.", false), ("localhost", "localhost", false), ("", "", false),
            ("io", "a.github.io", false),
        ] as [(String, String, Bool)])
    func permits(domain: String, host: String, isPermitted: Bool) {
        #expect(PublicSuffixList.allowsDomain(domain, for: host) == isPermitted)
    }
}
