import SockeyeHTTP1

/// The cookies of a request, kept for the next request that gets the same ones.
struct MadeField: Sendable {
    /// Where a cookie is, whose use is noted when the field is forgotten.
    struct Place: Sendable {
        let domain: String
        let created: UInt64
    }

    /// The longest path that is remembered; longer ones are looked up each time.
    private static let longestPath = 256

    /// The value of the Cookie field; nil where there are no cookies.
    let text: String?
    let places: [Place]
    /// When it was used last.
    var used: UInt64
    private let scheme: HTTPURL.Scheme
    private let host: String
    /// Nil where all paths of the host get the same.
    private let path: String?
    /// The first time at which one of the cookies is over; `.max` where none ends.
    private let end: Int64

    /// Nil where it is not worth the memory.
    init?(_ text: String?, _ found: [StoredCookie], _ query: CookieQuery, used: UInt64) {
        let url = query.url
        if query.dependsOnPath {
            guard url.pathView.count <= Self.longestPath else { return nil }
            path = url.path
        } else {
            path = nil
        }
        self.text = text
        self.used = used
        scheme = url.scheme
        host = url.host
        end = found.reduce(.max) { min($0, $1.cookie.expiration ?? .max) }
        places = found.map { Place(domain: $0.cookie.domain, created: $0.created) }
    }

    /// Whether a request to this URL gets the same, as long as no cookie comes, goes or ends. What else of the URL
    /// decides follows from its host: whether it is a name, and whether it is this machine.
    func isFor(_ url: HTTPURL) -> Bool {
        guard url.host == host, url.scheme == scheme else { return false }
        guard let path else { return true }
        return url.pathView.elementsEqual(path.utf8)
    }

    func isOver(at now: () -> Int64) -> Bool { end != .max && end <= now() }
}
