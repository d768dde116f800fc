import HTTPTypes

/// Freshness and age (RFC 9111 4.2), in seconds.
extension CachedResponse {
    /// The longest freshness that is guessed: a day.
    private static let heuristicLimit: Int64 = 86_400

    /// How long it is fresh from when it was made.
    package struct Lifetime: Sendable, Hashable {
        package var seconds: Int64
        /// Whether the server said so, and nothing was guessed.
        package var isExplicit: Bool
    }

    /// The freshness lifetime (RFC 9111 4.2.1): max-age, else Expires, else a tenth of the time since the last change
    /// (4.2.2), where the status or `public` allows that guess.
    package var lifetime: Lifetime {
        let directives = directives
        if let maxAge = directives.maxAge { return Lifetime(seconds: maxAge, isExplicit: true) }
        let expires = headers[values: .expires]
        if !expires.isEmpty {
            // An invalid date, 0 above all, is one in the past (5.3).
            let end = CacheDate.seconds(expires, now: responseTime)
            return Lifetime(seconds: end.map { max(0, $0 - date) } ?? 0, isExplicit: true)
        }
        guard directives.has(.isPublic) || Self.isHeuristicallyCacheable(status),
            let changed = CacheDate.seconds(headers[values: .lastModified], now: responseTime), changed < date
        else { return Lifetime(seconds: 0, isExplicit: false) }
        return Lifetime(seconds: min((date - changed) / 10, Self.heuristicLimit), isExplicit: false)
    }

    /// When it was made, by the server's clock; by this one where the server does not say.
    package var date: Int64 { CacheDate.seconds(headers[values: .date], now: responseTime) ?? responseTime }

    /// The current age (RFC 9111 4.2.3). Where the clock was set back nobody knows it, and it counts as very old.
    package func currentAge(at now: Int64) -> Int64 {
        guard now >= responseTime else { return CacheDirectives.forever }
        let apparent = max(0, responseTime - date)
        let corrected = age + max(0, responseTime - requestTime)
        return min(max(apparent, corrected) + (now - responseTime), CacheDirectives.forever)
    }

    /// For how long it has been stale; negative while it is fresh, 0 from the second on in which it no longer is.
    package func staleness(at now: Int64) -> Int64 { currentAge(at: now) - lifetime.seconds }

    package func isFresh(at now: Int64) -> Bool { staleness(at: now) < 0 }

    /// Statuses whose freshness may be guessed (RFC 9110 15.1), but for 206.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
