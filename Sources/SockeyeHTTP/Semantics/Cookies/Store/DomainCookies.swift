/// The cookies of one domain, unordered.
struct DomainCookies: Sendable {
    /// The registrable domain of the cookies' domain: `example.co.uk` for `www.example.co.uk`.
    let site: String
    private(set) var stored: [StoredCookie] = []

    init(site: String) { self.site = site }

    /// Appends the cookies for a request to `found` and records their use.
    mutating func collect(
        _ query: inout CookieQuery, at use: UInt64, _ now: () -> Int64, into found: inout [StoredCookie]
    ) {
        for index in stored.indices where query.matches(stored[index].cookie, at: now) {
            stored[index].used = use
            found.append(stored[index])
        }
    }

    /// Returns the index of the cookie that `cookie` replaces (RFC 6265bis 5.7, step 23); nil if there is no such
    /// cookie.
    func index(replacedBy cookie: ClientCookie) -> Int? {
        stored.firstIndex {
            $0.cookie.isHostOnly == cookie.isHostOnly && CookieText.areSame($0.cookie.name, cookie.name)
                && CookieText.areSame($0.cookie.path, cookie.path)
        }
    }

    /// Records a past use of a cookie. Does nothing if the domain no longer has this cookie.
    mutating func noteUse(ofCookieMadeAt created: UInt64, at use: UInt64) {
        guard let index = stored.firstIndex(where: { $0.created == created }) else { return }
        stored[index].used = max(stored[index].used, use)
    }

    mutating func append(_ cookie: StoredCookie) { stored.append(cookie) }

    /// Replaces a cookie. The new cookie keeps the creation time of the old one.
    mutating func replace(at index: Int, by cookie: ClientCookie, at use: UInt64) {
        stored[index] = StoredCookie(cookie, created: stored[index].created, used: use)
    }

    mutating func remove(at index: Int) { stored.remove(at: index) }

    mutating func removeAll(where isUnwanted: (ClientCookie) -> Bool) {
        stored.removeAll { isUnwanted($0.cookie) }
    }

    /// The index of the cookie to evict if the domain has too many: the least recently used cookie without Secure, else
    /// the least recently used one. Nil without cookies.
    var evictionCandidate: Int? {
        stored.indices.min { left, right in
            let (one, other) = (stored[left], stored[right])
            if one.cookie.isSecure != other.cookie.isSecure { return !one.cookie.isSecure }
            return one.used < other.used
        }
    }
}

/// A cookie with its bookkeeping data.
struct StoredCookie: Sendable {
    let cookie: ClientCookie
    /// The `cookie-pair` for the Cookie field. Most Cookie fields consist of a single pair, so storing the pair saves
    /// building a string for each request.
    let pair: String
    /// The creation time on the logical clock of the store.
    let created: UInt64
    /// The time of the last use on the same clock.
    var used: UInt64

    init(_ cookie: ClientCookie, created: UInt64, used: UInt64) {
        self.cookie = cookie
        // A cookie without a name is sent as its value only (RFC 6265bis 5.8.3, step 5).
        pair = cookie.name.isEmpty ? cookie.value : cookie.name + "=" + cookie.value
        self.created = created
        self.used = used
    }
}
