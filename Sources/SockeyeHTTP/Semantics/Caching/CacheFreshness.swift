import HTTPTypes

/// Freshness (RFC 9111 4.2.1), and the age at first (4.2.3), in seconds.
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
    func lifetime(_ directives: CacheDirectives, madeAt date: Int64) -> Lifetime {
        if let maxAge = directives.maxAge { return Lifetime(seconds: maxAge, isExplicit: true) }
        let expires = headers[values: .expires]
        if !expires.isEmpty {
            // An invalid date, 0 above all, is one in the past (5.3).
            return Lifetime(seconds: seconds(expires).map { max(0, $0 - date) } ?? 0, isExplicit: true)
        }
        guard directives.has(.isPublic) || Self.isHeuristicallyCacheable(status),
            let changed = seconds(headers[values: .lastModified]), changed < date
        else { return Lifetime(seconds: 0, isExplicit: false) }
        return Lifetime(seconds: min((date - changed) / 10, Self.heuristicLimit), isExplicit: false)
    }

    /// When it was made, by the server's clock; by this one where the server does not say.
    var date: Int64 { seconds(headers[values: .date]) ?? CacheClock.clamped(responseTime) }

    private func seconds(_ values: [String]) -> Int64? {
        CacheDate.seconds(values, now: CacheClock.clamped(responseTime))
    }

    /// The corrected initial age (RFC 9111 4.2.3).
    func initialAge(madeAt date: Int64) -> Int64 {
        let (asked, came) = (CacheClock.clamped(requestTime), CacheClock.clamped(responseTime))
        let apparent = max(0, came - date)
        let corrected = min(max(0, age), CacheDirectives.forever) + max(0, came - asked)
        return min(max(apparent, corrected), CacheDirectives.forever)
    }

    /// Statuses whose freshness may be guessed (RFC 9110 15.1), but for 206.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
