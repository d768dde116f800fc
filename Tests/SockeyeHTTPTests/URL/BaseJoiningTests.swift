import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// The two steps of joining: the path of the base URL becomes a directory, and the reference is resolved against it.
@Suite("Joining a base URL and a reference") struct BaseJoiningTests {
    @Test(
        "a path that begins with two slashes is not taken for a host",
        arguments: [
            ("http://api//evil", "http://api//evil/"), ("http://api//evil/", "http://api//evil/"),
            ("http://api//evil.example:81/x", "http://api//evil.example:81/x/"),
            ("https://api/\\evil", "https://api//evil/"),
            ("http://u:p@api:8080//evil?q#f", "http://api:8080//evil/"),
            ("http://[fe80::1%25eth0]//evil", "http://[fe80::1%25eth0]//evil/"),
            ("http://api///", "http://api///"), ("http://api", "http://api/"), ("http://api/a?b=/", "http://api/a/"),
            ("http://api/%2F%2Fevil", "http://api/%2F%2Fevil/"), ("http://api/http://evil", "http://api/http://evil/"),
        ])
    func directory(base: String, expected: String) throws {
        let base = try HTTPURL(base)
        let directory = try base.withDirectoryPath
        #expect(directory.description == expected)
        #expect(directory.origin == base.origin && directory.user == base.user && directory.password == base.password)
        // The directory was not parsed again, so its origin is compared with that of the parsed text.
        #expect(try HTTPURL(expected).origin == directory.origin)
        #expect(directory.query == nil && directory.fragment == nil && directory.path.hasSuffix("/"))
        #expect(try directory.resolving("x").description == expected + "x")
    }

    @Test("a base at the length limit is refused instead of growing past it")
    func tooLong() throws {
        let start = "http://a/"
        let full = try HTTPURL(start + String(repeating: "b", count: HTTPURL.maximumLength - start.utf8.count))
        #expect(throws: HTTPURL.Fault.self) { try full.withDirectoryPath }
    }

    private static let hosts = [
        "api", "api.example", "127.0.0.1", "[::1]", "xn--mnchen-3ya.de", "münchen.de", "API", "a%70i", "u:p@api",
        "api.",
    ]
    private static let pieces = [
        "/", "//", "///", "\\", "/\\", ".", "..", "/.", "/..", "/./", "/../", "%2e%2e", "%2F", "evil", "evil.example",
        "evil:81", "@evil", "u@evil", ":", ":80", "?", "#", "?a=//evil", "#//evil", "http:", "https:", "HTTP:",
        "http://",
        "ftp://", "javascript:", " ", "\t", "\u{0}", "\n", "é", "%", "%0", "%00", "a", "b/", ";x", "[::1]", "\u{3002}",
        "\u{FF0F}", "\u{2044}", "\u{AD}",
    ]

    /// Returns true if the reference begins with a scheme, or with two slashes or backslashes. Written from RFC 3986
    /// 4.2 and the WHATWG standard, independently of the parser.
    private static func namesAuthority(_ reference: String) -> Bool {
        let bytes = reference.utf8.drop { $0 <= 0x20 }
        let isSlash: (UInt8) -> Bool = { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        if bytes.count >= 2, bytes.prefix(2).allSatisfy(isSlash) { return true }
        guard let first = bytes.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else { return false }
        let scheme = bytes.prefix { byte in
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.".utf8.contains(byte)
        }
        return bytes.dropFirst(scheme.count).first == UInt8(ascii: ":")
    }

    @Test(
        "the origin stays the same unless the reference itself names another",
        arguments: [1, 20, 300, 4000] as [UInt64])
    func fuzz(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
                .joined()
        }
        var joined = 0
        for _ in 0..<4_000 {
            let scheme = Bool.random(using: &random) ? "http://" : "https://"
            let host = Self.hosts.randomElement(using: &random) ?? "api"
            guard var base = try? HTTPURL(scheme + host + "/" + text(0...5)) else { continue }
            // Bases can be nested: each result is the next base.
            for _ in 0..<3 {
                let directory = try base.withDirectoryPath
                #expect(directory.origin == base.origin, "\(base)")
                let reference = text(0...5)
                guard let url = try? directory.resolving(reference) else { continue }
                joined += 1
                if !Self.namesAuthority(reference) {
                    #expect(url.origin == base.origin, "\(base) and \(reference.debugDescription) became \(url)")
                }
                // Parsing the text again gives the same origin.
                #expect(try HTTPURL(url.description).origin == url.origin, "\(url)")
                base = url
            }
        }
        #expect(joined > 4_000)
    }
}
