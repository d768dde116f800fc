import HTTPTypes

/// Why a cache did what it did.
package enum CacheReason: String, Sendable, Hashable {
    // Served without asking.
    case fresh, immutable, maxStale, staleWhileRevalidate, staleIfError, mode
    // Asked about what is stored.
    case stale, mustRevalidate, noCache, requestNoCache, requestMaxAge, minFresh
    // Nothing to serve.
    case notStored, vary, range, joined, storeFailed, retried
    // Not the cache's business.
    case method, requestNoStore, conditional, content, ownTLS, hiddenCredentials
    // Not stored.
    case status, noStore, notCacheable, tooLarge, invalidated, refused
}

/// What is done with a request: the reuse of stored responses (RFC 9111 4) as a pure decision.
package enum CachePlan: Sendable, Equatable {
    /// A stored response, or a part of it, is the answer.
    case serve(StoredResponse, CacheReason, part: Range<Int>?, revalidates: Bool)
    /// The server is asked whether a stored response still holds.
    case validate(StoredResponse, CacheReason)
    /// The server is asked; what it answers may be stored.
    case load(CacheReason)
    /// Nobody is asked, and there is nothing: 504 (RFC 9111 5.2.1.7).
    case refuse(CacheReason)

    /// Decides.
    ///
    /// - Parameters:
    ///   - candidates: What is stored under the inquiry's key.
    ///   - now: Seconds since the start of 1970.
    package init(for inquiry: CacheInquiry, among candidates: [StoredResponse], use: CachedResponse.Mode, at now: Int64)
    {
        let isLimited = use == .returnCacheDontLoad || inquiry.directives.has(.onlyIfCached)
        let plan = Self.plan(inquiry, candidates, use, now)
        switch plan {
        case .load(let reason) where isLimited, .validate(_, let reason) where isLimited: self = .refuse(reason)
        case .serve(let response, let reason, let part, _) where isLimited:
            self = .serve(response, reason, part: part, revalidates: false)
        default: self = plan
        }
    }

    private static func plan(
        _ inquiry: CacheInquiry, _ candidates: [StoredResponse], _ use: CachedResponse.Mode, _ now: Int64
    ) -> CachePlan {
        guard use != .reloadIgnoringCache else { return .load(.mode) }
        guard let selected = selected(for: inquiry, among: candidates) else {
            return .load(candidates.isEmpty ? .notStored : .vary)
        }
        let part: Range<Int>?
        switch CacheRange(of: inquiry, in: selected) {
        case .whole: part = nil
        case .part(let range): part = range
        case .unknown: return .load(.range)
        }
        switch verdict(on: selected, inquiry, use, now) {
        case .usable(let reason):
            return .serve(selected, reason, part: part, revalidates: reason == .staleWhileRevalidate)
        case .unusable(let reason):
            // Parts of a version that may be gone, and answers to HEAD, are the server's to give.
            let isWhole = inquiry.method == .get && !inquiry.headers.contains(.range)
            return isWhole && selected.hasValidators ? .validate(selected, reason) : .load(reason)
        }
    }

    /// The most recent one of those that may answer (RFC 9111 4).
    package static func selected(for inquiry: CacheInquiry, among candidates: [StoredResponse]) -> StoredResponse? {
        var selected: StoredResponse?
        for candidate in candidates where inquiry.selects(candidate) {
            if let best = selected, !candidate.isMoreRecent(than: best) { continue }
            selected = candidate
        }
        return selected
    }

    private enum Verdict {
        case usable(CacheReason)
        case unusable(CacheReason)
    }

    private static func verdict(
        on response: StoredResponse, _ inquiry: CacheInquiry, _ use: CachedResponse.Mode, _ now: Int64
    ) -> Verdict {
        let (asked, said) = (inquiry.directives, response.directives)
        let staleness = response.staleness(at: now)
        let isFresh = staleness < 0
        if use.ignoresAge { return .usable(isFresh ? .fresh : .mode) }
        if said.has(.noCache) { return .unusable(.noCache) }
        if asked.has(.noCache) { return .unusable(.requestNoCache) }
        if let limit = asked.maxAge, limit == 0 || response.currentAge(at: now) > limit {
            return .unusable(.requestMaxAge)
        }
        if use == .reloadRevalidatingCache {
            // RFC 8246 2: what does not change while it is fresh is not asked about.
            return isFresh && said.has(.immutable) ? .usable(.immutable) : .unusable(.mode)
        }
        if let least = asked.minFresh, -staleness < least { return .unusable(.minFresh) }
        if isFresh { return .usable(.fresh) }
        if said.has(.mustRevalidate) { return .unusable(.mustRevalidate) }
        if let limit = asked.maxStale, limit > 0, staleness <= limit { return .usable(.maxStale) }
        if let limit = said.staleWhileRevalidate, limit > 0, staleness <= limit {
            return .usable(.staleWhileRevalidate)
        }
        return .unusable(.stale)
    }
}

extension StoredResponse {
    /// Whether it was made later than another one; of the same second, whether it came as late at least.
    fileprivate func isMoreRecent(than other: StoredResponse) -> Bool {
        (date, response.responseTime) >= (other.date, other.response.responseTime)
    }

    /// The statuses of errors that pass (RFC 5861 4).
    package static func isPassingError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
