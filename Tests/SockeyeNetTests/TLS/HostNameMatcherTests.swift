import SockeyeNet
import SockeyeTestSupport
import Testing

/// A case of host names: a host, a dNSName, and whether a certificate with it is valid for the host.
struct HostNameVector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let host: String
    let san: String
    let match: Bool

    var testDescription: String { id }

    static let all = Vectors.load(
        own: "host-names.json", public: ["tls-names/hostnames.json"], as: Self.self)
}

@Suite("Host names in certificates")
struct HostNameMatcherTests {
    @Test("host names match as the conformance data says", arguments: HostNameVector.all)
    func vectors(_ vector: HostNameVector) {
        #expect(HostNameMatcher.matches(pattern: vector.san.utf8, host: vector.host.utf8) == vector.match)
    }

    @Test(
        "a wildcard stands for one whole leftmost label",
        arguments: [
            ("*.example.com", "www.example.com", true), ("*.example.com", "WWW.EXAMPLE.com.", true),
            ("*.Example.com.", "www.example.com", true), ("*.example.com", "example.com", false),
            ("*.example.com", "a.b.example.com", false), ("*.example.com", ".example.com", false),
            ("*.example.com", "xn--caf-dma.example.com", true), ("xn--*.example.com", "xn--caf-dma.example.com", false),
            ("f*.example.com", "foo.example.com", false), ("*o.example.com", "foo.example.com", false),
            ("www.*.com", "www.example.com", false), ("*.*.com", "www.example.com", false), ("*", "localhost", false),
            ("**.example.com", "www.example.com", false), ("*.", "a", false), ("*..com", "a..com", false),
            ("f*.example.com", "f*.example.com", false),
        ] as [(String, String, Bool)])
    func wildcards(pattern: String, host: String, match: Bool) {
        #expect(HostNameMatcher.matches(pattern: pattern.utf8, host: host.utf8) == match)
    }

    @Test(
        "an empty label, a prefix that ends at a NUL, and a wildcard for an address match nothing",
        arguments: [
            ("", ""), (".", "."), ("", "a"), ("a", ""), ("www.example.com\0.evil.org", "www.example.com"),
            (".example.com", ".example.com"), ("*.2.3.4", "1.2.3.4"),
        ] as [(String, String)])
    func refused(pattern: String, host: String) {
        #expect(!HostNameMatcher.matches(pattern: pattern.utf8, host: host.utf8))
    }

    @Test(
        "addresses and names are distinguished",
        arguments: [
            ("127.0.0.1", PeerName.address([127, 0, 0, 1])), ("LocalHost.", .dns("localhost")),
            ("::1", .address([UInt8](repeating: 0, count: 15) + [1])),
            ("[::1]", .address([UInt8](repeating: 0, count: 15) + [1])),
            ("fe80::1%eth0", .address([0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1])),
            ("1.2.3", .dns("1.2.3")),
        ] as [(String, PeerName)])
    func peerNames(text: String, name: PeerName) {
        #expect(PeerName(text) == name)
    }

    @Test(
        "a text that cannot name a server is not a peer name",
        arguments: ["", ".", ".example.com", "a b", "a\0b", "caf\u{E9}.fr", String(repeating: "a", count: 256)])
    func badPeerNames(text: String) {
        #expect(PeerName(text) == nil)
    }
}
