import SockeyeHTTP
import Testing

@Suite("The prefix of a URL") struct URLPrefixTests {
    @Test(
        "an origin prefix matches the URLs of its origin, and a path prefix those that also have its path",
        arguments: [
            ("http://a.example/b?c", "http://a.example/", true, false),
            ("http://a.example/b?c", "http://a.example/b?d#e", true, true),
            ("http://a.example/b", "http://a.example/bc", true, false),
            ("http://a.example/b", "http://a.example/c", true, false),
            ("http://a.example/b", "http://a.example.org/b", false, false),
            ("http://a.example/b", "http://a.example:81/b", false, false),
            ("http://a.example/b", "https://a.example/b", false, false),
            ("http://a.example:81/b", "http://a.example/b", false, false),
            ("http://[::1]/b", "http://[::1]/b", true, true),
            ("http://[::1]/b", "http://[::2]/b", false, false),
            ("http://user@a.example/b", "http://a.example/b", true, true),
        ])
    func matches(one: String, other: String, sharesOrigin: Bool, sharesPath: Bool) throws {
        let (one, other) = (try HTTPURL(one), try HTTPURL(other))
        #expect(URLPrefix(one, .origin).matches(other) == sharesOrigin)
        #expect(URLPrefix(one, .path).matches(other) == sharesPath)
        #expect(URLPrefix(other, .path).matches(one) == sharesPath)
    }

    @Test("a path prefix of any length does not match a path with another last byte")
    func lengths() throws {
        for length in 1...40 {
            let path = String(repeating: "x", count: length)
            let (one, other) = (try HTTPURL("http://a/\(path)y"), try HTTPURL("http://a/\(path)z"))
            #expect(URLPrefix(one, .path).matches(one) && !URLPrefix(one, .path).matches(other))
        }
    }
}
