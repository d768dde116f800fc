import HTTPTypes

/// Freshness (RFC 9111 4.2.1) and initial age (4.2.3), in seconds.
extension CachedResponse {
    /// The maximum of a heuristic lifetime: a day.
    private static let heuristicLimit: Int64 = 86_400

    /// The time for which a response is fresh, counted from its date.
    package struct Lifetime: Sendable, Hashable {
        package var seconds: Int64
        /// True if the server gave the lifetime; false for a heuristic.
        package var isExplicit: Bool
    }

    /// Returns the freshness lifetime (RFC 9111 4.2.1). It is given by max-age, or by Expires if there is no max-age.
    /// Without both, a heuristic is used if the status or `public` allows it: a tenth of the time from Last-Modified to
    /// `date`, at most a day (4.2.2). In all other cases the lifetime is 0.
    func lifetime(_ directives: CacheDirectives, madeAt date: Int64) -> Lifetime {
        if let maxAge = directives.maxAge { return Lifetime(seconds: maxAge, isExplicit: true) }
        let expires = headers[values: .expires]
        if !expires.isEmpty {
            // An invalid date, above all "0", is a date in the past (5.3).
            return Lifetime(seconds: seconds(expires).map { max(0, $0 - date) } ?? 0, isExplicit: true)
        }
        guard directives.has(.isPublic) || Self.isHeuristicallyCacheable(status),
            let changed = seconds(headers[values: .lastModified]), changed < date
        else { return Lifetime(seconds: 0, isExplicit: false) }
        return Lifetime(seconds: min((date - changed) / 10, Self.heuristicLimit), isExplicit: false)
    }

    /// The date of the response by the server's clock, in seconds since the start of 1970. Without a valid Date field,
    /// the time of receipt by the local clock.
    var date: Int64 { seconds(headers[values: .date]) ?? CacheClock.clamped(responseTime) }

    private func seconds(_ values: [String]) -> Int64? {
        CacheDate.seconds(values, now: CacheClock.clamped(responseTime))
    }

    /// Returns the corrected initial age (RFC 9111 4.2.3).
    func initialAge(madeAt date: Int64) -> Int64 {
        let (asked, came) = (CacheClock.clamped(requestTime), CacheClock.clamped(responseTime))
        let apparent = max(0, came - date)
        let corrected = min(max(0, age), CacheDirectives.maximumSeconds) + max(0, came - asked)
        return min(max(apparent, corrected), CacheDirectives.maximumSeconds)
    }

    /// Returns true for statuses that allow heuristic freshness (RFC 9110 15.1), except 206.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}

/// Age (RFC 9111 4.2.3), in seconds.
extension StoredResponse {
    /// Returns the current age. If the clock was set back to before the time of receipt, the age is unknown and counts
    /// as ``CacheDirectives/maximumSeconds``.
    package func currentAge(at now: Int64) -> Int64 {
        let (now, came) = (CacheClock.clamped(now), CacheClock.clamped(response.responseTime))
        guard now >= came else { return CacheDirectives.maximumSeconds }
        return min(initialAge + (now - came), CacheDirectives.maximumSeconds)
    }

    /// Returns the seconds since the response became stale; negative while it is fresh, 0 in the first second in which
    /// it is stale.
    package func staleness(at now: Int64) -> Int64 { currentAge(at: now) - lifetime.seconds }

    package func isFresh(at now: Int64) -> Bool { staleness(at: now) < 0 }

    /// Returns true if the response may be served instead of an error (RFC 5861 4, RFC 9111 4.2.4).
    ///
    /// - Parameter usual: The allowed staleness in seconds for responses without stale-if-error.
    package func canServeInsteadOfError(to cacheRequest: CacheRequest, usual: Int64, at now: Int64) -> Bool {
        let asked = cacheRequest.directives
        // A stored error response is no better than the present error. It would also end the retries, because
        // `RetryPolicy` does not retry responses from the cache.
        guard !Self.isPassingError(response.status) else { return false }
        guard !directives.has(.noCache), !directives.has(.mustRevalidate), !asked.has(.noCache), asked.maxAge == nil,
            asked.minFresh == nil
        else { return false }
        let limit = max(directives.staleIfError ?? usual, asked.staleIfError ?? 0)
        return limit > 0 && staleness(at: now) <= limit
    }
}
