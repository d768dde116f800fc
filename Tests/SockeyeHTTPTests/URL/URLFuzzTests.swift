import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct URLFuzzTests {
    private static let pieces = [
        "http", "https", "HTTP", "://", ":", "/", "//", "\\", "?", "#", "@", ".", "..", "%2e", "%2F", "%", "%41", "%zz",
        "%00",
        "a", "b.c", "example.com", "EXAMPLE", "xn--", "xn--bcher-kva", "bücher", "。", "\u{AD}", "\u{200D}", "א", "1",
        "é", "\u{338}", "=",
        "1", "80", "443", "99999", "0x7f", "127.0.0.1", "0", "256", "[", "]", "::1", "[::1]", "fe80::1%25eth0",
        "1:2:3:4:5:6:7:8",
        "user", ":pass", " ", "\t", "\r\n", "\0", "\u{7F}", "\"", "<", "'", "|", "^", "`", "{", "&", "=", "+", ";", ",",
        "~", "_", "-",
        "😀", "\u{FFFD}", "&a=b",
    ]

    private static func text(_ generator: inout SplitMix, prefix: String) -> String {
        (0..<Int.random(in: 0...9, using: &generator)).reduce(into: prefix) { text, _ in
            text += pieces.randomElement(using: &generator) ?? ""
        }
    }

    @Test(
        "the parser never traps, and an accepted URL is visible ASCII and parses to itself",
        arguments: 0..<8 as Range<UInt64>)
    func invariants(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        var base = try HTTPURL("http://example.com/a/b?c#d")
        var accepted = 0
        for round in 0..<4000 {
            let prefix = ["", "http://", "https://a", "http://a/", "//"][round % 5]
            let reference = Self.text(&generator, prefix: prefix)
            guard let url = try? base.resolving(reference) else { continue }
            accepted += 1
            try check(url, from: reference)
            base = url.target.count < 200 ? url : try HTTPURL("https://h/")
        }
        #expect(accepted > 500, "the fuzzer makes too few URLs that pass")
    }

    private func check(_ url: HTTPURL, from reference: String) throws {
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        #expect(url.target.allSatisfy(visible.contains) && url.target.first == 0x2F, "\(reference.debugDescription)")
        let authority = url.authority
        #expect(authority.utf8.allSatisfy(visible.contains) && !authority.isEmpty, "\(reference.debugDescription)")
        #expect(url.description.utf8.allSatisfy(visible.contains), "\(reference.debugDescription)")
        #expect((1...65_535).contains(url.port))
        #expect(
            String(Substring(url.absoluteForm)) == "\(url.scheme)://" + url.authority
                + String(Substring(url.target)))
        let bare = url.removingUserInfo
        let again = try HTTPURL(url.description)
        #expect(again == bare && again.bounds(like: bare), "\(reference.debugDescription)")
        // A leading blank keeps the parser off its fast path.
        let slow = try HTTPURL(" " + url.description)
        #expect(slow == bare && slow.bounds(like: bare), "\(reference.debugDescription)")
        #expect(try url.resolving("") == url.withFragment(nil))
        #expect(try url.appending(query: "x=1").resolving(".").path.hasSuffix("/"))
    }
}

extension HTTPURL {
    /// Returns true if all parts that `==` does not compare are equal, too.
    fileprivate func bounds(like other: HTTPURL) -> Bool {
        origin == other.origin && hostKind == other.hostKind && path == other.path && query == other.query
            && fragment == other.fragment && port == other.port
    }
}
