import SockeyeHTTP
import Testing

@Suite("Cookie files in the Netscape format") struct NetscapeCookieFileTests {
    @Test("every part of a cookie except SameSite is read back")
    func roundTrip() throws {
        let cookies = [
            try ClientCookie(name: "a", value: "b c=\"d\"", domain: "a.test", path: "/x", expiration: 1_900_000_000),
            try ClientCookie(
                name: "s", value: "ü", domain: "a.test", isHostOnly: true, isSecure: true, isHTTPOnly: true),
            try ClientCookie(name: "", value: "only", domain: "::1"),
            try ClientCookie(name: "empty", value: "", domain: "127.0.0.1"),
        ]
        let text = NetscapeCookieFile.text(of: cookies)
        #expect(text.hasPrefix("# Netscape HTTP Cookie File\n"))
        #expect(text.contains("\n.a.test\tTRUE\t/x\tFALSE\t1900000000\ta\tb c"))
        #expect(text.contains("\n#HttpOnly_a.test\tFALSE\t/\tTRUE\t0\ts\tü\n"))
        let read = NetscapeCookieFile.parse(text.utf8)
        #expect(read.cookies == cookies)
        #expect(read.unreadable == 0)
    }

    @Test(
        "lines that are not cookies are counted as unreadable, comments are not",
        arguments: [
            ("a.test\tTRUE\t/\tFALSE\t0\ta\tb", 1, 0), ("a.test\tTRUE\t/\tFALSE\t0\ta\tb\r\n\r\n# x", 1, 0),
            ("a.test\tTRUE\t/\tFALSE\t0\ta", 1, 0), ("a.test TRUE / FALSE 0 a b", 0, 1),
            ("\u{FEFF}a.test \tTRUE \t/ \tFALSE\t 0\ta\tb", 1, 0), ("\u{FEFF}# Netscape", 0, 0),
            ("a.test\tyes\t/\tFALSE\t0\ta\tb", 0, 1),
            ("a.test\tTRUE\t/\tFALSE\tsoon\ta\tb", 0, 1), ("a.test\tTRUE\t/\tFALSE\t1.5\ta\tb", 1, 0),
            ("a.test\tTRUE\t/\tFALSE\t0\t\tmoo\tx", 0, 1),
            (".co.uk\tTRUE\t/\tFALSE\t0\tbad\tno\nfoo.co.uk\tTRUE\t/\tFALSE\t0\tgood\tyes", 1, 1),
            ("a.test\tTRUE\t/\tFALSE\t0\tbad\tba\u{7}d", 0, 1), ("#HttpOnly_", 0, 0), ("", 0, 0), ("\u{FEFF}\t", 0, 1),
        ] as [(String, Int, Int)])
    func lines(text: String, cookies: Int, unreadable: Int) {
        let read = NetscapeCookieFile.parse(text.utf8)
        #expect(read.cookies.count == cookies)
        #expect(read.unreadable == unreadable)
    }

    @Test("a line that is not UTF-8 is unreadable")
    func badBytes() {
        let read = NetscapeCookieFile.parse(Array("a.test\tTRUE\t/\tFALSE\t0\ta\t".utf8) + [0xFF])
        #expect(read.cookies.isEmpty && read.unreadable == 1)
    }

    @Test("a path with a semicolon, which a URL may have, is read back")
    func semicolon() throws {
        var store = CookieStore()
        try store.store(Array("a=b".utf8)[...], from: HTTPURL("https://a.test/x;y/z"), at: 0)
        let read = NetscapeCookieFile.parse(NetscapeCookieFile.text(of: store.cookies).utf8)
        #expect(read.cookies == store.cookies && read.unreadable == 0)
        #expect(read.cookies.first?.path == "/x;y")
    }
}
