/// The cookies of one domain, in no order.
struct DomainCookies: Sendable {
    /// The registrable domain.
    let site: String
    private(set) var stored: [StoredCookie] = []

    init(site: String) { self.site = site }

    /// Adds the cookies that a request gets to `found`, and notes their use.
    mutating func collect(
        _ query: inout CookieQuery, at use: UInt64, _ now: () -> Int64, into found: inout [StoredCookie]
    ) {
        for index in stored.indices where query.matches(stored[index].cookie, at: now) {
            stored[index].used = use
            found.append(stored[index])
        }
    }

    /// Where a cookie is that `cookie` takes the place of (RFC 6265bis 5.7, step 23).
    func index(replacedBy cookie: ClientCookie) -> Int? {
        stored.firstIndex {
            $0.cookie.name == cookie.name && $0.cookie.path == cookie.path && $0.cookie.isHostOnly == cookie.isHostOnly
        }
    }

    /// Notes the use of a cookie after the fact.
    mutating func noteUse(ofCookieMadeAt created: UInt64, at use: UInt64) {
        guard let index = stored.firstIndex(where: { $0.created == created }) else { return }
        stored[index].used = max(stored[index].used, use)
    }

    mutating func append(_ cookie: StoredCookie) { stored.append(cookie) }

    /// Puts a cookie in the place of another, whose age it takes over.
    mutating func replace(at index: Int, by cookie: ClientCookie, at use: UInt64) {
        stored[index] = StoredCookie(cookie, created: stored[index].created, used: use)
    }

    mutating func remove(at index: Int) { stored.remove(at: index) }

    mutating func removeAll(where isUnwanted: (ClientCookie) -> Bool) {
        stored.removeAll { isUnwanted($0.cookie) }
    }

    /// The cookie to evict first when the domain has too many: not secure ones before secure ones, then by LRU.
    var evictionCandidate: Int? {
        stored.indices.min { left, right in
            let (one, other) = (stored[left], stored[right])
            if one.cookie.isSecure != other.cookie.isSecure { return !one.cookie.isSecure }
            return one.used < other.used
        }
    }
}

/// A cookie, and what the store has to know of it.
struct StoredCookie: Sendable {
    let cookie: ClientCookie
    /// Its `cookie-pair` in a Cookie field, written once: nearly all requests that carry a cookie carry one.
    let pair: String
    /// Counts up with each cookie that is new; one that is set again keeps its place.
    let created: UInt64
    /// Counts up with each use.
    var used: UInt64

    init(_ cookie: ClientCookie, created: UInt64, used: UInt64) {
        self.cookie = cookie
        // What has no name comes back as it came (RFC 6265bis 5.8.3, step 5).
        pair = cookie.name.isEmpty ? cookie.value : cookie.name + "=" + cookie.value
        self.created = created
        self.used = used
    }
}
