/// The cookies of a request, kept for the next request that gets the same ones.
///
/// A class, since looking at an element of an array copies it.
package final class MadeField: Sendable {
    /// Where a cookie is, whose use is noted when the field is forgotten.
    struct Place: Sendable {
        let domain: String
        let created: UInt64
    }

    /// The longest path that is remembered; longer ones are looked up each time.
    private static let longestPath = 256

    /// Nil where there are no cookies.
    package let line: EncodedField?
    let places: [Place]
    /// What a URL has to begin with; without the path, where all paths of the host get the same.
    package let beginning: URLBeginning
    /// The first time at which one of the cookies is over; `.max` where none ends.
    package let end: Int64

    /// Nil where it is not worth the memory.
    init?(_ line: EncodedField?, _ found: [StoredCookie], _ query: CookieQuery) {
        guard !query.dependsOnPath || query.url.pathView.count <= Self.longestPath else { return nil }
        beginning = URLBeginning(query.url, query.dependsOnPath ? .path : .origin)
        self.line = line
        end = found.reduce(.max) { min($0, $1.cookie.expiration ?? .max) }
        places = found.map { Place(domain: $0.cookie.domain, created: $0.created) }
    }

    /// Whether a request to this URL gets the same, as long as no cookie comes, goes or ends. What else of the URL
    /// decides follows from its host: whether it is a name, and whether it is this machine.
    func isFor(_ url: HTTPURL) -> Bool { beginning.matches(url) }

    func isOver(at now: () -> Int64) -> Bool { end != .max && end <= now() }
}
