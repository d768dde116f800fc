import Testing

@testable import SockeyeHTTP

@Suite("The counter of requests to one origin") struct OriginRequestCounterTests {
    @Test(
        "a dedicated counter permanently counts only the requests of its origin",
        arguments: ["http://a", "https://example.com", "http://127.0.0.1:18080"])
    func counting(origin: String) throws {
        let tally = OriginRequestCounter()
        let url = try HTTPURL(origin + "/x")
        #expect(!tally.count(url) && tally.isFree)
        #expect(tally.dedicate(to: url) && !tally.isFree && tally.isFor(url))
        for path in ["/", "/x?y", "/z#f"] { #expect(try tally.count(HTTPURL(origin + path))) }
        for other in ["http://b/", "http://aa/", "http://a:8/", "http://example.com/", "http://127.0.0.1:1808/"] {
            #expect(try !tally.count(HTTPURL(other)))
        }
        #expect(tally.take() == 3 && tally.take() == 0)
    }

    @Test("origins with a zone or a very long name are not counted")
    func refused() throws {
        let long = [String](repeating: String(repeating: "x", count: 60), count: 4).joined(separator: ".")
        let tally = OriginRequestCounter()
        #expect(try !tally.dedicate(to: HTTPURL("http://[fe80::1%25eth0]/")) && tally.isFree)
        #expect(try tally.dedicate(to: HTTPURL("http://[fe80::1]/")))
        #expect(try !tally.count(HTTPURL("http://[fe80::1%25eth0]/")) && tally.count(HTTPURL("http://[fe80::1]/")))
        let other = OriginRequestCounter()
        #expect(try other.dedicate(to: HTTPURL("http://\(long)/")) && other.count(HTTPURL("http://\(long)/")))
    }
}
