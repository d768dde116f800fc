extension CookieStore {
    /// Returns the value of a request's single Cookie field (RFC 6265bis 5.8.3): the stored cookies for the request,
    /// followed by the caller's Cookie fields. A stored cookie is omitted if the caller sets one with the same name.
    ///
    /// - Parameters:
    ///   - own: The values of the caller's Cookie fields.
    ///   - isExposed: True if a request to a loopback host may leave this machine: through a proxy, or because a host
    ///     override gives the host another address. Then http is not a secure channel, so cookies with the Secure
    ///     attribute are sent only over https.
    /// - Returns: Nil if nothing must change: no stored cookie is sent, and the caller has at most one field.
    package mutating func field(
        for url: HTTPURL, besides own: [String], isExposed: Bool = false, at now: () -> Int64
    ) -> String? {
        guard !own.isEmpty || isExposed else {
            var value: String?
            withLine(for: url, at: now) { value = $0.value }
            return value
        }
        guard count > 0 || own.count > 1 else { return nil }
        var query = CookieQuery(url, trustsLoopback: trustsLoopback && !isExposed)
        return text(found(&query, at: now), besides: own)
    }

    /// Calls `body` with the Cookie field line for a request to which the caller added no Cookie field. Does nothing if
    /// there are no cookies for the request.
    package mutating func withLine(
        for url: HTTPURL, at now: () -> Int64, _ body: (borrowing EncodedField) -> Void
    ) {
        guard count > 0 else { return }
        if let index = fieldCache.index(for: url) {
            if !fieldCache.isExpired(index, at: now) { return fieldCache.use(index, at: tick(), body) }
            emptyFieldCache()
        }
        var query = CookieQuery(url, trustsLoopback: trustsLoopback)
        let cookies = found(&query, at: now)
        // `EncodedField.cookie` returns nil for an invalid value, but the text of every stored cookie is valid; see
        // CookieText.
        let line = text(cookies, besides: []).flatMap(EncodedField.cookie)
        if let line { body(line) }
        guard let entry = CookieFieldCache.Entry(line, cookies, query, used: tick()) else { return }
        if let old = fieldCache.insert(entry) { writeBackUse(old) }
    }

    /// Empties the field cache. Called before a cookie changes, and when a cookie of a cached field has expired.
    mutating func emptyFieldCache() {
        guard !fieldCache.isEmpty else { return }
        for entry in fieldCache.removeAll() { writeBackUse(entry) }
    }

    /// Updates the cookies of an evicted field with the time of the field's last use.
    private mutating func writeBackUse(_ entry: CookieFieldCache.Entry) {
        for place in entry.places {
            guard let index = cookiesByDomain.index(forKey: place.domain) else { continue }
            cookiesByDomain.values[index].noteUse(ofCookieMadeAt: place.created, at: entry.used)
        }
    }

    private func text(_ cookies: [StoredCookie], besides fields: [String]) -> String? {
        guard !cookies.isEmpty || fields.count > 1 else { return nil }
        var cookies = cookies
        let own = fields.filter { !$0.isEmpty }
        if !own.isEmpty, !cookies.isEmpty {
            let names = Self.names(in: own)
            cookies.removeAll { names.contains($0.cookie.sentName) }
        }
        let ownLength = own.reduce(0) { $0 + 2 + $1.utf8.count }
        let (count, length) = fitting(cookies, in: max(0, limits.fieldLength) - ownLength)
        // Several empty fields of the caller become one: a request has at most one Cookie field (RFC 6265bis 5.8.3).
        guard count > 0 || !own.isEmpty || fields.count > 1 else { return nil }
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

    /// Returns the number of cookies that fit into a request, and the length of their field.
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

    /// Returns the names of the cookies in Cookie fields, as bytes instead of strings; see
    /// ``CookieText/areSame(_:_:)``.
    private static func names(in fields: [String]) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for pair in fields.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            names.insert(Array(pair[..<equals].drop { $0 == UInt8(ascii: " ") }))
        }
        return names
    }
}
