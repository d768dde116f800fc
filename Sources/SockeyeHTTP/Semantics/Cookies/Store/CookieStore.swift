/// A cookie store by the storage and retrieval rules of RFC 6265bis 5.7 and 5.8. Without I/O or a clock: times are
/// passed in, as seconds since 1970.
///
/// A hash table by domain. A request looks up its host and the domains above it, and nothing while there are no
/// cookies.
package struct CookieStore: Sendable {
    package let limits: ClientCookie.Limits
    package let trustsLoopback: Bool
    var cookiesByDomain: [String: DomainCookies] = [:]
    package internal(set) var count = 0
    /// The number of cookies of each registrable domain, which bounds what one owner of many subdomains can store.
    private var countsBySite: [String: Int] = [:]
    /// Whether there ever was a cookie for more than its host; until then domains above are not looked up.
    private var hasDomainCookies = false
    private var clock: UInt64 = 0
    /// A lower bound of the next expiration; not exact, since cookies are removed for other reasons, too.
    var nextExpiration = Int64.max
    /// The Cookie fields of recent requests.
    var fieldCache = CookieFieldCache()

    package init(limits: ClientCookie.Limits = ClientCookie.Limits(), trustsLoopback: Bool = true) {
        self.limits = limits
        self.trustsLoopback = trustsLoopback
    }

    /// Advances the logical clock, which orders creations and uses.
    mutating func tick() -> UInt64 {
        clock += 1
        return clock
    }

    /// All cookies, the oldest first.
    package var cookies: [ClientCookie] {
        cookiesByDomain.values.flatMap(\.stored).sorted { $0.created < $1.created }.map(\.cookie)
    }

    // MARK: In

    /// Stores what one Set-Cookie field of a response from `url` says, or deletes by it (RFC 6265bis 5.7).
    ///
    /// - Parameter isExposed: Whether the http response came to this machine through a proxy on another machine, so that
    ///   loopback is not a secure channel.
    /// - Returns: The cookie; nil where the field deleted one, or said nothing but that there is none.
    @discardableResult
    package mutating func store(
        _ field: ArraySlice<UInt8>, from url: HTTPURL, isExposed: Bool = false, at now: Int64
    ) throws(ClientCookie.Fault) -> ClientCookie? {
        let parsed = try SetCookie(field)
        let (domain, isHostOnly) = try Self.domain(of: parsed, from: url)
        let cookie = ClientCookie(
            unchecked: parsed.name, parsed.value, domain: domain, isHostOnly: isHostOnly,
            path: parsed.path ?? CookieScope.defaultPath(of: url.pathView), isSecure: parsed.isSecure,
            isHTTPOnly: parsed.isHTTPOnly, sameSite: parsed.sameSite, expiration: parsed.expiration(at: now))
        if !CookieScope.isTrustworthy(url, trustsLoopback: trustsLoopback && !isExposed) {
            guard !cookie.isSecure, !hidesSecureCookie(cookie) else { throw .insecure }
        }
        try cookie.checkPromises(namesPath: parsed.path != nil)
        return insert(cookie, at: now) ? cookie : nil
    }

    /// Stores a cookie that did not come from a server, or deletes by one that is expired.
    ///
    /// - Returns: Whether it is stored: not if it is expired.
    @discardableResult
    package mutating func insert(_ cookie: ClientCookie, at now: Int64) -> Bool {
        let cookie = cookie.expiring(by: now + ClientCookie.maximumAge)
        let use = tick()
        let replaced = cookiesByDomain[cookie.domain]?.index(replacedBy: cookie)
        if cookie.isExpired(at: now) {
            if let replaced { remove(at: replaced, of: cookie.domain) }
            return false
        }
        emptyFieldCache()
        nextExpiration = min(nextExpiration, cookie.expiration ?? .max)
        if let replaced {
            cookiesByDomain[cookie.domain]?.replace(at: replaced, by: cookie, at: use)
        } else {
            append(StoredCookie(cookie, created: use, used: use))
            if !cookie.isHostOnly { hasDomainCookies = true }
            trim(cookie.domain, at: now)
        }
        return true
    }

    private mutating func append(_ stored: StoredCookie) {
        let domain = stored.cookie.domain
        if cookiesByDomain[domain] == nil { cookiesByDomain[domain] = DomainCookies(site: Self.site(of: domain)) }
        cookiesByDomain[domain]?.append(stored)
        count += 1
        if let site = cookiesByDomain[domain]?.site { countsBySite[site, default: 0] += 1 }
    }

    /// The registrable domain, such as `example.co.uk`; an address, and a public suffix, are sites of their own.
    private static func site(of domain: String) -> String {
        if IPv4Address(domain) != nil || domain.utf8.contains(UInt8(ascii: ":")) { return domain }
        return PublicSuffixList.registrableDomain(of: domain) ?? domain
    }

    /// For whom a cookie is (RFC 6265bis 5.7, steps 7 to 10).
    private static func domain(
        of cookie: SetCookie, from url: HTTPURL
    ) throws(ClientCookie.Fault) -> (String, isHostOnly: Bool) {
        guard let domain = cookie.domain else { return (url.host, true) }
        guard url.hostKind == .name else {
            guard domain == url.host, !cookie.hasDotBeforeDomain else { throw .badDomain }
            return (url.host, true)
        }
        guard CookieScope.host(url.host, url.hostKind, isWithin: domain) else { throw .badDomain }
        if PublicSuffixList.permits(domain, for: url.host) { return (domain, false) }
        guard domain == url.host else { throw .publicSuffix }
        return (url.host, true)
    }

    /// Whether a cookie without Secure would be sent beside or instead of one with it (RFC 6265bis 5.7, step 16).
    private func hidesSecureCookie(_ cookie: ClientCookie) -> Bool {
        cookiesByDomain.contains { domain, domainCookies in
            guard
                CookieScope.host(domain, .name, isWithin: cookie.domain)
                    || CookieScope.host(cookie.domain, .name, isWithin: domain)
            else { return false }
            return domainCookies.stored.contains { other in
                other.cookie.isSecure && other.cookie.name == cookie.name
                    && CookieScope.path(cookie.path.utf8, isWithin: other.cookie.path)
            }
        }
    }

    // MARK: Out

    /// The cookies that a request gets, in the order in which they are sent: the longer paths first, then the older
    /// ones. All of them, whatever the limits of a request are.
    package mutating func matches(_ url: HTTPURL, at now: () -> Int64) -> [ClientCookie] {
        var query = CookieQuery(url, trustsLoopback: trustsLoopback)
        return found(&query, at: now).map(\.cookie)
    }

    mutating func found(_ query: inout CookieQuery, at now: () -> Int64) -> [StoredCookie] {
        var found: [StoredCookie] = []
        guard count > 0 else { return found }
        let use = tick()
        let url = query.url
        collect(url.host, &query, at: use, now, into: &found)
        if hasDomainCookies, url.hostKind == .name {
            query.isOfHost = false
            var rest = url.host[...]
            while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
                rest = rest[rest.utf8.index(after: dot)...]
                collect(String(rest), &query, at: use, now, into: &found)
            }
        }
        guard found.count > 1 else { return found }
        found.sort {
            let (one, other) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
            return one == other ? $0.created < $1.created : one > other
        }
        return found
    }

    private mutating func collect(
        _ domain: String, _ query: inout CookieQuery, at use: UInt64, _ now: () -> Int64,
        into found: inout [StoredCookie]
    ) {
        // By index: most often there is nothing, which a mutating subscript finds out at twice the cost.
        guard let index = cookiesByDomain.index(forKey: domain) else { return }
        cookiesByDomain.values[index].collect(&query, at: use, now, into: &found)
    }
}

extension CookieStore {
    /// Removes a cookie that has the same name, domain and path.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package mutating func remove(_ cookie: ClientCookie) -> Bool {
        guard let index = cookiesByDomain[cookie.domain]?.index(replacedBy: cookie) else { return false }
        remove(at: index, of: cookie.domain)
        return true
    }

    /// Removes the cookies for which a closure says so.
    package mutating func removeAll(where isUnwanted: (ClientCookie) -> Bool) {
        for domain in Array(cookiesByDomain.keys) { removeAll(of: domain, where: isUnwanted) }
    }

    /// Removes the cookies that are over.
    package mutating func removeExpired(at now: Int64) {
        guard now >= nextExpiration else { return }
        var next = Int64.max
        removeAll { cookie in
            guard !cookie.isExpired(at: now) else { return true }
            next = min(next, cookie.expiration ?? .max)
            return false
        }
        nextExpiration = next
    }

    /// Keeps the limits after a cookie was added: expired cookies go first, then those above the limit of the domain, of its
    /// registrable domain, and of the store, the least recently used first (RFC 6265bis 5.7).
    mutating func trim(_ domain: String, at now: Int64) {
        if cookieCount(of: domain) > limits.cookiesPerDomain {
            removeAll(of: domain) { $0.isExpired(at: now) }
            while cookieCount(of: domain) > max(1, limits.cookiesPerDomain),
                let first = cookiesByDomain[domain]?.evictionCandidate
            {
                remove(at: first, of: domain)
            }
        }
        if let site = cookiesByDomain[domain]?.site { trim(site: site, at: now) }
        guard count > limits.cookies else { return }
        removeExpired(at: now)
        while count > max(1, limits.cookies), let (domain, index) = leastRecentlyUsed() {
            remove(at: index, of: domain)
        }
    }

    private func cookieCount(of domain: String) -> Int { cookiesByDomain[domain]?.stored.count ?? 0 }

    private mutating func trim(site: String, at now: Int64) {
        guard countsBySite[site, default: 0] > limits.cookiesPerSite else { return }
        removeExpired(at: now)
        while countsBySite[site, default: 0] > max(1, limits.cookiesPerSite),
            let (domain, index) = leastRecentlyUsed(of: site)
        {
            remove(at: index, of: domain)
        }
    }

    /// The place of the cookie that was used least recently.
    ///
    /// - Parameter site: Only its cookies; nil: all.
    private func leastRecentlyUsed(of site: String? = nil) -> (domain: String, index: Int)? {
        var oldest: (domain: String, index: Int)?
        var use = UInt64.max
        for (domain, domainCookies) in cookiesByDomain where site == nil || domainCookies.site == site {
            for (index, stored) in domainCookies.stored.enumerated() where stored.used < use {
                (oldest, use) = ((domain, index), stored.used)
            }
        }
        return oldest
    }

    mutating func remove(at index: Int, of domain: String) {
        emptyFieldCache()
        cookiesByDomain[domain]?.remove(at: index)
        noteRemoval(of: 1, from: domain)
    }

    /// Brings the counts up to date.
    private mutating func noteRemoval(of number: Int, from domain: String) {
        count -= number
        guard let domainCookies = cookiesByDomain[domain] else { return }
        let left = countsBySite[domainCookies.site, default: 0] - number
        countsBySite[domainCookies.site] = left > 0 ? left : nil
        if domainCookies.stored.isEmpty { cookiesByDomain[domain] = nil }
    }

    private mutating func removeAll(of domain: String, where isUnwanted: (ClientCookie) -> Bool) {
        emptyFieldCache()
        let before = cookieCount(of: domain)
        cookiesByDomain[domain]?.removeAll(where: isUnwanted)
        noteRemoval(of: before - cookieCount(of: domain), from: domain)
    }
}

extension ClientCookie {
    /// How much a jar of cookies holds, and sends. The defaults are those of RFC 6265bis 5.7 where it has some, and else
    /// curl's.
    public struct Limits: Sendable, Hashable {
        /// How many cookies of one response are looked at. Default 50; the further ones are left out.
        public var cookiesPerResponse = 50
        /// How many cookies one domain may have. Default 180; past it those that are not secure go first, and of them the
        /// ones that were sent least recently.
        public var cookiesPerDomain = 180
        /// How many cookies the domains below one registrable domain (`example.co.uk`) may have together, so that the owner of many
        /// subdomains cannot evict the cookies of other sites. Default 300; past it those that were sent least recently go. An IP
        /// address is a site of its own.
        public var cookiesPerSite = 300
        /// How many cookies there may be in all. Default 3,000; past it those go that were sent least recently.
        public var cookies = 3000
        /// How many cookies one request carries. Default 150; those with the longer paths first.
        public var cookiesPerRequest = 150
        /// The most bytes of a Cookie field. Default 8,190; cookies that would exceed it are left out. What the caller sets
        /// in that field counts, and is never shortened.
        public var fieldLength = 8190

        /// Makes the defaults named at each property.
        public init() {}
    }
}
