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

    /// Keeps the limits after a cookie was added: what is expired goes first, then what the domain has too much of,
    /// then whatever was used least recently (RFC 6265bis 5.7).
    mutating func trim(_ domain: String, at now: Int64) {
        if cookieCount(of: domain) > limits.cookiesPerDomain {
            removeAll(of: domain) { $0.isExpired(at: now) }
            while cookieCount(of: domain) > max(1, limits.cookiesPerDomain),
                let first = cookiesByDomain[domain]?.evictionCandidate
            {
                remove(at: first, of: domain)
            }
        }
        guard count > limits.cookies else { return }
        removeExpired(at: now)
        while count > max(1, limits.cookies), let (domain, index) = leastRecentlyUsed { remove(at: index, of: domain) }
    }

    private func cookieCount(of domain: String) -> Int { cookiesByDomain[domain]?.stored.count ?? 0 }

    /// Where the cookie is that was used least recently.
    private var leastRecentlyUsed: (domain: String, index: Int)? {
        var oldest: (domain: String, index: Int)?
        var use = UInt64.max
        for (domain, domainCookies) in cookiesByDomain {
            for (index, stored) in domainCookies.stored.enumerated() where stored.used < use {
                (oldest, use) = ((domain, index), stored.used)
            }
        }
        return oldest
    }

    mutating func remove(at index: Int, of domain: String) {
        emptyFieldCache()
        cookiesByDomain[domain]?.remove(at: index)
        count -= 1
        if cookieCount(of: domain) == 0 { cookiesByDomain[domain] = nil }
    }

    private mutating func removeAll(of domain: String, where isUnwanted: (ClientCookie) -> Bool) {
        emptyFieldCache()
        let before = cookieCount(of: domain)
        cookiesByDomain[domain]?.removeAll(where: isUnwanted)
        count -= before - cookieCount(of: domain)
        if cookieCount(of: domain) == 0 { cookiesByDomain[domain] = nil }
    }
}
