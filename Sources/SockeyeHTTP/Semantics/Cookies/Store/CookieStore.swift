/// A cookie store by the storage and retrieval rules of RFC 6265bis 5.7 and 5.8. It has no I/O and no clock: the caller
/// passes times in seconds since 1970.
///
/// A hash table by domain. A request looks up its host and the domains above it.
package struct CookieStore: Sendable {
    package let limits: ClientCookie.Limits
    package let trustsLoopback: Bool
    var cookiesByDomain: [String: DomainCookies] = [:]
    package internal(set) var count = 0
    /// The number of cookies of each registrable domain, for the limit `cookiesPerSite`.
    private var countsBySite: [String: Int] = [:]
    /// True if there was ever a cookie that is not host-only. Until then the domains above a host are not looked up.
    private var hasDomainCookies = false
    private var clock: UInt64 = 0
    /// A lower bound of the next expiration. Not exact, because cookies are also removed for other reasons.
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

    // MARK: Storage

    /// Applies one Set-Cookie field of a response from `url`: stores or deletes a cookie (RFC 6265bis 5.7).
    ///
    /// - Parameter isExposed: True if the request was for a loopback host but may have left this machine: through a
    ///   proxy, or because a host override gives the host another address. Then http is not a secure channel.
    /// - Returns: The new cookie; nil if it is expired or the limits evict it at once. An expired new cookie only
    ///   deletes the stored cookie that it would replace.
    @discardableResult
    package mutating func store(
        _ field: ArraySlice<UInt8>, from url: HTTPURL, isExposed: Bool = false, at now: Int64
    ) throws(ClientCookie.Fault) -> ClientCookie? {
        let parsed = try SetCookie(field)
        let (domain, isHostOnly) = try Self.domain(of: parsed, from: url)
        // A default path may exceed the limit on a Path attribute. Truncation would change the cookie's scope, so the
        // cookie is ignored, as RFC 6265bis 5.7 (step 1) permits.
        let path = parsed.path ?? CookieScope.defaultPath(of: url.pathView)
        guard path.utf8.count <= ClientCookie.maximumAttributeLength else { throw .tooLong }
        let cookie = ClientCookie(
            unchecked: parsed.name, parsed.value, domain: domain, isHostOnly: isHostOnly,
            path: path, isSecure: parsed.isSecure, isHTTPOnly: parsed.isHTTPOnly, sameSite: parsed.sameSite,
            expiration: parsed.expiration(at: now))
        // Expired cookies are removed first, because an expired cookie with Secure must not cause the error below.
        removeExpired(at: now)
        if !CookieScope.isTrustworthy(url, trustsLoopback: trustsLoopback && !isExposed) {
            guard !cookie.isSecure, !hidesSecureCookie(cookie) else { throw .insecure }
        }
        try cookie.checkPrefixAndSameSite(namesPath: parsed.path != nil)
        return insert(cookie, at: now) ? cookie : nil
    }

    /// Stores a checked cookie of a server or of another source, for at most 400 days. If the cookie is expired, only
    /// deletes the stored cookie that it would replace.
    ///
    /// First removes expired cookies, as RFC 6265bis 5.7 requires. Otherwise the new cookie could inherit the creation
    /// time of an expired cookie that it replaces, which affects the sending order.
    ///
    /// - Returns: True if the cookie is stored; false if it is expired, or was evicted at once by
    ///   ``ClientCookie/Limits``.
    @discardableResult
    package mutating func insert(_ cookie: ClientCookie, at now: Int64) -> Bool {
        removeExpired(at: now)
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
            let before = count
            trim(cookie.domain)
            // Cookies without Secure are evicted first, so the new cookie may be gone.
            if count < before { return cookiesByDomain[cookie.domain]?.index(replacedBy: cookie) != nil }
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

    /// Returns the registrable domain, such as `example.co.uk`. An address or a public suffix is its own site.
    private static func site(of domain: String) -> String {
        if IPv4Address(domain) != nil || domain.utf8.contains(UInt8(ascii: ":")) { return domain }
        return PublicSuffixList.registrableDomain(of: domain) ?? domain
    }

    /// Returns the domain of a cookie and its host-only flag (RFC 6265bis 5.7, steps 7 to 10).
    private static func domain(
        of cookie: SetCookie, from url: HTTPURL
    ) throws(ClientCookie.Fault) -> (String, isHostOnly: Bool) {
        guard let domain = cookie.domain else { return (url.host, true) }
        guard url.hostKind == .name else {
            guard domain == url.host, !cookie.hasDotBeforeDomain else { throw .badDomain }
            return (url.host, true)
        }
        guard CookieScope.host(url.host, url.hostKind, isWithin: domain) else { throw .badDomain }
        if PublicSuffixList.allowsDomain(domain, for: url.host) { return (domain, false) }
        guard domain == url.host else { throw .publicSuffix }
        return (url.host, true)
    }

    /// Returns true if a cookie without Secure would be sent beside or instead of a cookie with Secure (RFC 6265bis
    /// 5.7, step 16). Also compares the names that a server reads: a nameless cookie with the value `a=b` is sent as
    /// `a=b`, like a cookie named `a`.
    private func hidesSecureCookie(_ cookie: ClientCookie) -> Bool {
        let sentName = cookie.sentName
        return cookiesByDomain.contains { domain, domainCookies in
            guard
                CookieScope.host(domain, .name, isWithin: cookie.domain)
                    || CookieScope.host(cookie.domain, .name, isWithin: domain)
            else { return false }
            return domainCookies.stored.contains { other in
                other.cookie.isSecure
                    && (CookieText.areSame(other.cookie.name, cookie.name) || other.cookie.sentName == sentName)
                    && CookieScope.path(cookie.path.utf8, isWithin: other.cookie.path)
            }
        }
    }

    // MARK: Retrieval

    /// Returns the cookies for a request in sending order: longer paths first, then older cookies first. The limits
    /// `cookiesPerRequest` and `fieldLength` do not apply.
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
        // Looks up the index first: most lookups find nothing, and a mutating subscript would then take twice as
        // long.
        guard let index = cookiesByDomain.index(forKey: domain) else { return }
        cookiesByDomain.values[index].collect(&query, at: use, now, into: &found)
    }
}

extension CookieStore {
    /// Removes the stored cookie with the same name, domain, path and host-only flag as `cookie`. Returns false if
    /// there is no such cookie.
    @discardableResult
    package mutating func remove(_ cookie: ClientCookie) -> Bool {
        guard let index = cookiesByDomain[cookie.domain]?.index(replacedBy: cookie) else { return false }
        remove(at: index, of: cookie.domain)
        return true
    }

    /// Removes the cookies for which `isUnwanted` returns true.
    package mutating func removeAll(where isUnwanted: (ClientCookie) -> Bool) {
        for domain in Array(cookiesByDomain.keys) { removeAll(of: domain, where: isUnwanted) }
    }

    /// Removes expired cookies.
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

    /// Enforces the limits of the domain, of its registrable domain, and of the store (RFC 6265bis 5.7). Evicts the
    /// least recently used cookies. For the first two limits, cookies with Secure are evicted after all others.
    private mutating func trim(_ domain: String) {
        while cookieCount(of: domain) > max(1, limits.cookiesPerDomain),
            let first = cookiesByDomain[domain]?.evictionCandidate
        {
            remove(at: first, of: domain)
        }
        if let site = cookiesByDomain[domain]?.site { trim(site: site) }
        while count > max(1, limits.cookies), let (domain, index) = evictionCandidate() {
            remove(at: index, of: domain)
        }
    }

    private func cookieCount(of domain: String) -> Int { cookiesByDomain[domain]?.stored.count ?? 0 }

    private mutating func trim(site: String) {
        while countsBySite[site, default: 0] > max(1, limits.cookiesPerSite),
            let (domain, index) = evictionCandidate(of: site)
        {
            remove(at: index, of: domain)
        }
    }

    /// Returns the place of the least recently used cookie.
    ///
    /// - Parameter site: The registrable domain to search; nil to search all cookies. In a registrable domain, cookies
    ///   with Secure are evicted last, because an attacker on the network can add cookies without Secure over http.
    private func evictionCandidate(of site: String? = nil) -> (domain: String, index: Int)? {
        var oldest: (domain: String, index: Int)?
        var (isProtected, use) = (true, UInt64.max)
        for (domain, domainCookies) in cookiesByDomain where site == nil || domainCookies.site == site {
            for (index, stored) in domainCookies.stored.enumerated() {
                let protects = site != nil && stored.cookie.isSecure
                guard protects == isProtected ? stored.used < use : isProtected else { continue }
                (oldest, isProtected, use) = ((domain, index), protects, stored.used)
            }
        }
        return oldest
    }

    mutating func remove(at index: Int, of domain: String) {
        emptyFieldCache()
        cookiesByDomain[domain]?.remove(at: index)
        noteRemoval(of: 1, from: domain)
    }

    /// Updates the counts after a removal, and drops the domain if it has no cookies left.
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
    /// The limits of a cookie jar for storing and sending. The default of ``cookies`` is that of RFC 6265bis 5.7. The
    /// defaults of ``cookiesPerResponse``, ``cookiesPerRequest`` and ``fieldLength`` are those of curl. Values below 1
    /// of ``cookiesPerDomain``, ``cookiesPerSite`` and ``cookies`` count as 1.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of cookies per response. Default 50; further ones are ignored.
        public var cookiesPerResponse = 50
        /// The maximum number of cookies per domain. Default 180. Above it, cookies without Secure are evicted first;
        /// within each group, those sent least recently.
        public var cookiesPerDomain = 180
        /// The maximum number of cookies of a registrable domain (`example.co.uk`) and its subdomains together, so that
        /// the owner of many subdomains cannot evict the cookies of other sites. Default 300. Above it, cookies without
        /// Secure are evicted first; within each group, those sent least recently. An IP address is its own site.
        public var cookiesPerSite = 300
        /// The maximum number of cookies in total. Default 3,000. Above it, cookies sent least recently are evicted.
        public var cookies = 3000
        /// The maximum number of stored cookies per request. Default 150. Cookies with longer paths take precedence,
        /// then older cookies.
        public var cookiesPerRequest = 150
        /// The maximum length of a Cookie field in bytes. Default 8,190. The first stored cookie that would exceed it
        /// is omitted, and so are all cookies after it. The caller's Cookie fields count toward the limit and are never
        /// shortened.
        public var fieldLength = 8190

        /// Creates limits with the defaults named at each property.
        public init() {}
    }
}
