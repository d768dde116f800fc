extension CookieStore {
    /// The one Cookie field of a request (RFC 6265bis 5.8.3): the cookies for it, and behind them what the caller wrote
    /// into the field by hand. A cookie whose name the caller names is left out.
    ///
    /// - Parameters:
    ///   - own: The caller's fields.
    ///   - isExposed: Whether an http request to this machine leaves it through a proxy, so that it is not a secure channel.
    /// - Returns: Nil when there is nothing to change: no cookies, and not more than one field of the caller's.
    package mutating func field(
        for url: HTTPURL, besides own: [String], isExposed: Bool = false, at now: () -> Int64
    ) -> String? {
        guard !own.isEmpty || isExposed else { return line(for: url, at: now).line?.value }
        guard count > 0 || own.count > 1 else { return nil }
        var query = CookieQuery(url, trustsLoopback: trustsLoopback && !isExposed)
        return text(found(&query, at: now), besides: own)
    }

    /// The field line for a request without a Cookie field of its own; and the cached field, where it is kept for further
    /// requests.
    package mutating func line(for url: HTTPURL, at now: () -> Int64) -> (line: EncodedField?, made: CachedCookieField?)
    {
        guard count > 0 else { return (nil, nil) }
        if let index = fieldCache.index(for: url) {
            if !fieldCache.isExpired(index, at: now) {
                let field = fieldCache.use(index, at: tick())
                return (field.line, field)
            }
            emptyFieldCache()
        }
        var query = CookieQuery(url, trustsLoopback: trustsLoopback)
        let cookies = found(&query, at: now)
        // No cookie has bytes that a field refuses: see CookieText.
        let line = text(cookies, besides: []).flatMap(EncodedField.cookie)
        guard let field = CachedCookieField(line, cookies, query) else { return (line, nil) }
        if let old = fieldCache.insert(field, used: tick()) { writeBackUse(old) }
        return (line, field)
    }

    /// Whether a field is still cached: not once a cookie was added, changed or removed.
    package func keeps(_ field: CachedCookieField) -> Bool { fieldCache.index(of: field) != nil }

    /// Notes the use of a cached field.
    package mutating func noteUse(of field: CachedCookieField) {
        guard let index = fieldCache.index(of: field) else { return }
        _ = fieldCache.use(index, at: tick())
    }

    /// Invalidates the cache, before a cookie changes.
    mutating func emptyFieldCache() {
        guard !fieldCache.isEmpty else { return }
        for entry in fieldCache.removeAll() { writeBackUse(entry) }
    }

    /// Writes the last use of an evicted field back to its cookies.
    private mutating func writeBackUse(_ entry: CookieFieldCache.Entry) {
        for place in entry.field.places {
            guard let index = cookiesByDomain.index(forKey: place.domain) else { continue }
            cookiesByDomain.values[index].noteUse(ofCookieMadeAt: place.created, at: entry.used)
        }
    }

    private func text(_ cookies: [StoredCookie], besides own: [String]) -> String? {
        guard !cookies.isEmpty || own.count > 1 else { return nil }
        var cookies = cookies
        let own = own.filter { !$0.isEmpty }
        if !own.isEmpty, !cookies.isEmpty {
            let names = Self.names(in: own)
            cookies.removeAll { names.contains($0.cookie.name[...]) }
        }
        let ownLength = own.reduce(0) { $0 + 2 + $1.utf8.count }
        let (count, length) = fitting(cookies, in: max(0, limits.fieldLength) - ownLength)
        guard count > 0 || !own.isEmpty else { return nil }
        if count == 1, own.isEmpty { return cookies[0].pair }
        var field = ""
        field.reserveCapacity(length + ownLength)
        for stored in cookies.prefix(count) {
            if !field.isEmpty { field.append("; ") }
            field.append(stored.pair)
        }
        for text in own {
            if !field.isEmpty { field.append("; ") }
            field.append(text)
        }
        return field
    }

    /// How many of the cookies a request carries, and the length of their field.
    private func fitting(_ cookies: [StoredCookie], in room: Int) -> (count: Int, length: Int) {
        var count = 0
        var length = 0
        for stored in cookies.prefix(max(0, limits.cookiesPerRequest)) {
            let added = (count == 0 ? 0 : 2) + stored.pair.utf8.count
            guard length + added <= room else { break }
            (count, length) = (count + 1, length + added)
        }
        return (count, length)
    }

    private static func names(in fields: [String]) -> Set<Substring> {
        var names: Set<Substring> = []
        for pair in fields.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            names.insert(Substring(pair[..<equals].drop { $0 == UInt8(ascii: " ") }))
        }
        return names
    }
}
