import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting

/// One case of `cookies/http-state.json` or `cookies/wpt.json`.
struct CookieCase: Decodable, Sendable {
    let id: String
    let setUrl: String
    let setCookie: [String]
    let requestUrl: String
    let viaRedirect: Bool?
    let cookie: String
    let clock: String?
    let bis: String?

    static let httpState: [CookieCase] = Vectors.load("cookies/http-state.json")
    static let wpt: [CookieCase] = Vectors.load("cookies/wpt.json")

    /// What RFC 6265bis says where the suite of RFC 6265 says something else; either is fine for those who made the file.
    private static let bisAnswers: [String: String] = [
        "0021": "a=b; x; c=d", "0027": "bar", "0028": "foo", "mozilla0014": "six", "mozilla0015": "seven",
        "mozilla0017": "eight; test=six", "name0017": "a=bar", "name0023": "foo", "name0028": "a",
        "name0032": #""foo\"bar"#, "name0033": "aaa",
    ]

    /// Where this client differs from both documents' suites, and why that is right.
    static let differences: [String: String] = [
        "prefix/__secure.header.https-07": "example.net is not the host's domain (RFC 6265bis 5.7, step 10)"
    ]

    /// The value of the Cookie field, empty where there must be none.
    var expected: String {
        if Self.differences[id] != nil { return "" }
        return bis == nil ? cookie : Self.bisAnswers[id] ?? cookie
    }

    /// The time that the case is for; else one that never changes.
    var unixTime: Int64 {
        guard let clock, let date = try? Date(clock, strategy: .iso8601) else { return 1_767_225_600 }
        return Int64(date.timeIntervalSince1970)
    }

    var isOverTLS: Bool { setUrl.hasPrefix("https:") }
}
