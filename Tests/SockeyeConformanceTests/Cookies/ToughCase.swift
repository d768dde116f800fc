import SockeyeTestSupport

/// One case of the public `cookies/tough.json`, which joins two tables: dates, and cookies with a request each.
struct ToughCase: Decodable, Sendable {
    let id: String
    /// The date of a case of the first table.
    let input: String?
    /// Nil if the date is invalid. The table only says whether a date is valid, so all valid dates have the same value.
    let expected: String?
    private let setUrl: String?
    private let setCookie: [String]?
    private let requestUrl: String?
    private let cookie: String?

    static let all: [ToughCase] = Vectors.load(public: ["cookies/tough.json"])

    /// The case of the second table; nil for a date.
    var cookies: CookieCase? {
        guard let setUrl, let setCookie, let requestUrl, let cookie else { return nil }
        return CookieCase(
            id: id, setUrl: setUrl, setCookie: setCookie, requestUrl: requestUrl, viaRedirect: nil, cookie: cookie,
            clock: nil, bis: nil)
    }
}
