import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting

/// One case of `cookies.json`, or of the public `cookies/http-state.json`, `cookies/wpt.json` and `cookies/tough.json`.
struct CookieCase: Decodable, Sendable {
    let id: String
    let setUrl: String
    let setCookie: [String]
    let requestUrl: String
    let viaRedirect: Bool?
    let cookie: String
    let clock: String?
    let bis: String?

    static let all: [CookieCase] =
        Vectors.load(own: "cookies.json", public: ["cookies/http-state.json", "cookies/wpt.json"])
        + ToughCase.all.compactMap(\.cookies)

    /// The Cookie fields that RFC 6265bis requires in cases whose `cookie` follows RFC 6265. The authors of the cases
    /// accept either field.
    private static let bisAnswers: [String: String] = [
        "0021": "a=b; x; c=d", "0027": "bar", "0028": "foo", "mozilla0014": "six", "mozilla0015": "seven",
        "mozilla0017": "eight; test=six", "name0017": "a=bar", "name0023": "foo", "name0028": "a",
        "name0032": #""foo\"bar"#, "name0033": "aaa",
    ]

    /// The cases in which this client sends no Cookie field although the case expects one, with the reasons.
    static let differences: [String: String] = [
        "prefix/__secure.header.https-07": "example.net is not the host's domain (RFC 6265bis 5.7, step 10)"
    ]

    /// The expected value of the Cookie field; empty if there must be no field.
    var expected: String {
        if Self.differences[id] != nil { return "" }
        return bis == nil ? cookie : Self.bisAnswers[id] ?? cookie
    }

    /// The time of the case; a fixed time for cases without one.
    var unixTime: Int64 {
        guard let clock, let date = try? Date(clock, strategy: .iso8601) else { return 1_767_225_600 }
        return Int64(date.timeIntervalSince1970)
    }

    var isOverTLS: Bool { setUrl.hasPrefix("https:") }
}
