import SockeyeHTTP
import Testing

@Suite struct HTTPURLTests {
    @Test(
        "a URL that all parsers read alike is normalised",
        arguments: [
            ("http://example.com", "http://example.com/"),
            ("HTTPS://EXAMPLE.com:443/A", "https://example.com/A"),
            ("http://example.com:80?a", "http://example.com/?a"),
            ("http://example.com:0008080/", "http://example.com:8080/"),
            ("http://example.com:/x", "http://example.com/x"),
            ("  http://example.com/a b\n", "http://example.com/a%20b"),
            ("http://example.com/a/./b/../c/%2E%2e/d", "http://example.com/a/d"),
            ("http://example.com/..", "http://example.com/"),
            ("http://example.com/a//../b", "http://example.com/a/b"),
            ("http://example.com/a\\b\\..\\c", "http://example.com/a/c"),
            ("http://example.com/é?ü#ß", "http://example.com/%C3%A9?%C3%BC#%C3%9F"),
            ("http://example.com/%41%2f%zz%", "http://example.com/%41%2f%zz%"),
            (
                "http://example.com/\"<>^`{}|[]?\"<>'^`{}|#\"<>`'",
                "http://example.com/%22%3C%3E%5E%60%7B%7D|[]?%22%3C%3E%27^`{}|#%22%3C%3E%60'"
            ),
            ("http://example.com/.well-known/x", "http://example.com/.well-known/x"),
            ("http://EXAMPLE.com./", "http://example.com./"),
            ("http://ex%41mple.com/", "http://example.com/"),
            ("http://b%C3%BCcher.de/", "http://xn--bcher-kva.de/"),
            ("http://Bücher。de:8080/", "http://xn--bcher-kva.de:8080/"),
            ("http://a_b.example/", "http://a_b.example/"),
            ("http://127.1/", "http://127.0.0.1/"),
            ("http://0x7f.1:81/", "http://127.0.0.1:81/"),
            ("http://017700000001/", "http://127.0.0.1/"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://１２７.0.0.1/", "http://127.0.0.1/"),
            ("http://1.2.3.4./", "http://1.2.3.4/"),
            ("http://[::1]:80/", "http://[::1]/"),
            ("http://[2001:DB8:0:0:1:0:0:1]:8080/", "http://[2001:db8::1:0:0:1]:8080/"),
            ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
            ("http://[0:0:0:0:0:0:0:0]/", "http://[::]/"),
            ("http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"),
            ("http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]/"),
            ("http://h/?", "http://h/?"),
            ("http://h/#", "http://h/#"),
            ("http://h/?#", "http://h/?#"),
            ("http://h?a?b#c#d?e", "http://h/?a?b#c#d?e"),
        ]
    )
    func normalising(input: String, expected: String) throws {
        let url = try HTTPURL(input)
        #expect(url.description == expected)
        #expect(try HTTPURL(url.description) == url)
    }

    @Test(
        "text that is not an http URL, or that parsers read differently, is refused",
        arguments: [
            ("", .relative), ("example.com", .relative), ("/a", .relative), ("//example.com/", .relative),
            (":a", .relative),
            ("ftp://example.com/", .unsupportedScheme), ("unix:///x", .unsupportedScheme),
            ("mailto:a@b", .unsupportedScheme), ("localhost:80", .unsupportedScheme),
            ("http:example.com", .missingAuthority), ("http:/example.com", .missingAuthority),
            ("http:\\\\example.com", .backslash), ("http:/\\example.com", .backslash),
            ("http://good.com\\@evil.com/", .backslash), ("http://a\\b/", .backslash),
            ("http://", .emptyHost), ("http:///x", .emptyHost), ("http://:80/", .emptyHost), ("http://u@/", .emptyHost),
            ("http://\u{AD}/", .emptyHost),
            ("http://a\r\nb/", .control), ("http://a/\0b", .control), ("http://a/\tb", .control),
            ("http://a/?\u{7F}", .control),
            ("http://a/#\u{1F}x", .control), ("ht\ntp://a/", .control),
            ("http://a@b@c/", .userInfo), ("http://u:%0D%0A@h/", .userInfo), ("http://%FF@h/", .userInfo),
            ("http://ho%20st/", .invalidHost), ("http://a%2Fb/", .invalidHost), ("http://a%40b/", .invalidHost),
            ("http://a%3A80/", .invalidHost), ("http://a%00b/", .invalidHost), ("http://a%5Cb/", .invalidHost),
            ("http://a%zz/", .invalidHost), ("http://a%25b/", .invalidHost), ("http://a%ffb/", .invalidHost),
            ("http://a b/", .invalidHost), ("http://a<b/", .invalidHost), ("http://a|b/", .invalidHost),
            ("http://a^b/", .invalidHost),
            ("http://a..b/", .invalidHost), ("http://.a/", .invalidHost), ("http://./", .invalidHost),
            ("http://a../", .invalidHost),
            ("http://a℀b/", .invalidHost), ("http://a／b/", .invalidHost), ("http://a＃b/", .invalidHost),
            ("http://1.2.3.4.5/", .invalidIPv4), ("http://256.1.1.1/", .invalidIPv4), ("http://a.1/", .invalidIPv4),
            ("http://1.2.3.08/", .invalidIPv4), ("http://4294967296/", .invalidIPv4), ("http://a.0x/", .invalidIPv4),
            ("http://[::1/", .invalidIPv6), ("http://::1]/", .emptyHost), ("http://[]/", .invalidIPv6),
            ("http://[::1]x/", .invalidIPv6), ("http://[:::1]/", .invalidIPv6), ("http://[1::2::3]/", .invalidIPv6),
            ("http://[1:2:3:4:5:6:7:8:9]/", .invalidIPv6), ("http://[1:2:3:4:5:6:7]/", .invalidIPv6),
            ("http://[v1.a]/", .invalidIPv6),
            ("http://[::12345]/", .invalidIPv6), ("http://[1.2.3.4::]/", .invalidIPv6),
            ("http://[::1.2.3]/", .invalidIPv6),
            ("http://[::1.2.3.04]/", .invalidIPv6), ("http://[::1%25eth0]/", .invalidIPv6),
            ("http://[fe80::1%eth0]/", .invalidIPv6),
            ("http://[fe80::1%25]/", .invalidIPv6), ("http://[fe80::1%25a%20b]/", .invalidIPv6),
            ("http://[1:2:3:4:5:6:7:8::]/", .invalidIPv6),
            ("http://a\u{200D}b/", .internationalHost), ("http://xn--é/", .internationalHost),
            ("http://xn--é-/", .internationalHost), ("http://xn--é-kva/", .internationalHost),
            ("http://xn---tda.\u{E9}/", .internationalHost), ("http://\u{FFFD}/", .internationalHost),
            ("http://a:b/", .port), ("http://a:0/", .port), ("http://a:99999/", .port), ("http://a:65536/", .port),
            ("http://a:-1/", .port), ("http://a:80:80/", .port), ("http://a:8 0/", .port),
            ("http://a:99999999999999999999/", .port),
            ("http://::1/", .emptyHost),
        ] as [(String, HTTPURL.Fault.Code)]
    )
    func refusing(input: String, code: HTTPURL.Fault.Code) {
        #expect { try HTTPURL(input) } throws: { ($0 as? HTTPURL.Fault)?.code == code }
    }

    @Test("the lengths of URLs, hosts and labels are limited")
    func lengths() throws {
        let prefix = "http://example.com/"
        let room = HTTPURL.maximumLength - prefix.utf8.count
        #expect(try HTTPURL(prefix + String(repeating: "a", count: room)).target.count == room + 1)
        let faults: [(String, HTTPURL.Fault.Code)] = [
            (prefix + String(repeating: "a", count: room + 1), .tooLong),
            // This URL exceeds the limit only when it is encoded.
            (prefix + String(repeating: "é", count: room / 2), .tooLong),
            ("http://" + String(repeating: "a", count: 64), .hostTooLong),
            ("http://" + String(repeating: "abcdefg.", count: 32) + "com", .hostTooLong),
            ("http://" + String(repeating: "é", count: 60), .hostTooLong),
            ("http://" + String(repeating: "é", count: 5000), .hostTooLong),
        ]
        for (input, code) in faults {
            #expect("\(code)") { try HTTPURL(input) } throws: { ($0 as? HTTPURL.Fault)?.code == code }
        }
        #expect(try HTTPURL("http://" + String(repeating: "a", count: 63)).host.count == 63)
        #expect(try HTTPURL("http://" + String(repeating: "abcdefg.", count: 31) + "abcde.").host.utf8.count == 254)
    }

    @Test("a URL is split into its parts")
    func parts() throws {
        let url = try HTTPURL("https://us%65r:p%40ss@Example.com:8443/a/b?x=1&y#frag")
        #expect(url.scheme == .https)
        #expect(url.host == "example.com")
        #expect(url.hostKind == .name && !url.isIPLiteral)
        #expect(url.port == 8443)
        #expect(url.path == "/a/b")
        #expect(url.query == "x=1&y")
        #expect(url.fragment == "frag")
        #expect(url.user == "user")
        #expect(url.password == "p@ss")
        #expect(String(Substring(url.target)) == "/a/b?x=1&y")
        #expect(url.authority == "example.com:8443")
        #expect(String(Substring(url.absoluteForm)) == "https://example.com:8443/a/b?x=1&y")
        #expect(url.authorityForm == "example.com:8443")
        #expect(try HTTPURL("https://u:p@Example.com:443/a").authority == "example.com")
        #expect(url.origin.description == "https://example.com:8443")
        #expect(url.removingUserInfo.user == nil)
        #expect(url.removingUserInfo != url)
    }

    @Test("user information is kept out of all text that is sent or printed")
    func secrets() throws {
        let url = try HTTPURL("http://user:secret@example.com/a?b")
        let texts = [
            url.description, "\(url.origin)", url.authorityForm, String(Substring(url.target)),
            url.authority, String(Substring(url.absoluteForm)),
            try url.appending(query: "c").description,
        ]
        for text in texts { #expect(!text.contains("secret") && !text.contains("user")) }
        #expect { try HTTPURL("http://user:secret@a b/") } throws: {
            !"\($0)".contains("secret") && !String(reflecting: $0).contains("secret")
        }
    }

    @Test("odd user information is read as in browsers")
    func userInfo() throws {
        #expect(try HTTPURL("http://@h/").user == nil)
        #expect(try HTTPURL("http://:@h/").password == nil)
        #expect(try HTTPURL("http://u@h/").password == nil)
        #expect(try HTTPURL("http://u:@h/").password == "")
        #expect(try HTTPURL("http://:p@h/").user == "")
        #expect(try HTTPURL("http://:p@h/").password == "p")
        #expect(try HTTPURL("http://u:a:b@h/").password == "a:b")
        #expect(try HTTPURL("http://ü:[@h/").user == "ü")
    }

    @Test("an IPv6 host has brackets but no zone in Host and request targets")
    func addresses() throws {
        let url = try HTTPURL("http://[FE80::1%25eth0]:8080/x")
        #expect(url.host == "fe80::1")
        #expect(url.hostKind == .ipv6 && url.isIPLiteral)
        #expect(url.origin.zone == "eth0")
        #expect(url.authority == "[fe80::1]:8080")
        #expect(String(Substring(url.absoluteForm)) == "http://[fe80::1]:8080/x")
        #expect(url.authorityForm == "[fe80::1]:8080")
        #expect(url.description == "http://[fe80::1%25eth0]:8080/x")
        #expect(try HTTPURL(url.description) == url)
        #expect(try HTTPURL("http://[fe80::1%25eth1]:8080/x").origin != url.origin)
        #expect(try url.resolving("/y").origin.zone == "eth0")
        #expect(try HTTPURL("https://1.2.3.4/").hostKind == .ipv4)
        #expect(try HTTPURL("https://1.2.3.4/").authorityForm == "1.2.3.4:443")
    }

    @Test("origins differ by scheme, host and port")
    func origins() throws {
        let url = try HTTPURL("https://example.com/a")
        for same in ["https://EXAMPLE.com:443/b", "https://user@example.com"] {
            #expect(try url.isSameOrigin(as: HTTPURL(same)))
        }
        for other in [
            "http://example.com/a", "https://example.com:444/", "https://www.example.com/", "https://example.com./",
        ] {
            #expect(try !url.isSameOrigin(as: HTTPURL(other)))
        }
    }

    @Test(
        "text is appended to the existing query and stays inside it",
        arguments: [
            ("http://h/a", "b=1", "http://h/a?b=1"), ("http://h/a?b", "c", "http://h/a?b&c"),
            ("http://h/a?", "c", "http://h/a?c"),
            ("http://h#f", "c", "http://h/?c#f"), ("http://h/a?b#f", "c", "http://h/a?b&c#f"),
            ("http://h/a", "", "http://h/a"),
            ("http://h/a", "é #\r\n", "http://h/a?%C3%A9%20%23%0D%0A"), ("http://h/a", "x=%26", "http://h/a?x=%26"),
        ]
    )
    func query(base: String, query: String, expected: String) throws {
        let url = try HTTPURL(base).appending(query: query)
        #expect(url.description == expected)
        #expect(try HTTPURL(expected) == url)
    }

    @Test("a fragment can be set and removed")
    func fragments() throws {
        let url = try HTTPURL("http://h/a?b#c")
        #expect(url.withFragment(nil).description == "http://h/a?b")
        #expect(url.withFragment(nil).fragment == nil)
        #expect(url.withFragment("d e\n").description == "http://h/a?b#d%20e%0A")
        #expect(url.withFragment("").fragment == "")
        #expect(try url.withFragment("x") == HTTPURL("http://h/a?b#x"))
    }
}
