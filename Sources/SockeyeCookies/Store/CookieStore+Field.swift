package import SockeyeHTTP1

extension CookieStore {
    /// The one Cookie field of a request (RFC 6265bis 5.8.3): the cookies for it, and behind them what the caller wrote
    /// into the field by hand. A cookie whose name the caller names is left out.
    ///
    /// - Parameter own: The caller's fields.
    /// - Returns: Nil when there is nothing to change: no cookies, and not more than one field of the caller's.
    package mutating func field(for url: HTTPURL, besides own: [String], at now: () -> Int64) -> String? {
        guard count > 0 || own.count > 1 else { return nil }
        let cookies = matches(url, at: now)
        guard !cookies.isEmpty || own.count > 1 else { return nil }
        let own = own.filter { !$0.isEmpty }
        let ownNames = Self.names(in: own)
        var room = limits.fieldLength - own.reduce(0) { $0 + 2 + $1.utf8.count }
        var left = limits.cookiesPerRequest
        var field = ""
        for cookie in cookies where ownNames.isEmpty || !ownNames.contains(cookie.name[...]) {
            let length = cookie.name.utf8.count + 1 + cookie.value.utf8.count + (field.isEmpty ? 0 : 2)
            guard left > 0, length <= room else { break }
            (left, room) = (left - 1, room - length)
            Self.append(cookie, to: &field)
        }
        for text in own { field += field.isEmpty ? text : "; " + text }
        return field.isEmpty ? nil : field
    }

    private static func append(_ cookie: Cookie, to field: inout String) {
        if !field.isEmpty { field += "; " }
        // What has no name comes back as it came (RFC 6265bis 5.8.3, step 5).
        if !cookie.name.isEmpty { field += cookie.name + "=" }
        field += cookie.value
    }

    private static func names(in fields: [String]) -> Set<Substring> {
        var names: Set<Substring> = []
        for pair in fields.lazy.flatMap({ $0.split(separator: ";") }) {
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = pair[..<equals].drop { $0 == " " }
            names.insert(name)
        }
        return names
    }
}
