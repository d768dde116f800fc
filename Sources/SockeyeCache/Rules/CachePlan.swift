import HTTPTypes

/// The cache's decision on how to answer a request (RFC 9111 4).
package enum CachePlan: Sendable, Equatable {
    /// Serve the range `part` of a stored response's content; if `part` is nil, the whole content. If `revalidates`,
    /// also validate the stored response in the background.
    case serve(StoredResponse, CacheReason, part: Range<Int>?, revalidates: Bool)
    /// Ask the server whether a stored response is still valid.
    case validate(StoredResponse, CacheReason)
    /// Send the request to the server; the response may be stored.
    case load(CacheReason)
    /// Send nothing and answer 504. The request permits only stored responses (RFC 9111 5.2.1.7), and none can be used.
    case refuse(CacheReason)

    /// - Parameters:
    ///   - candidates: The responses stored under the request's key.
    ///   - now: Seconds since the start of 1970.
    package init(
        for cacheRequest: CacheRequest, among candidates: [StoredResponse], use: CachedResponse.Mode, at now: Int64
    ) {
        let isLimited = use == .returnCacheDontLoad || cacheRequest.directives.has(.onlyIfCached)
        let plan = Self.plan(cacheRequest, candidates, use, now)
        switch plan {
        case .load(let reason) where isLimited, .validate(_, let reason) where isLimited: self = .refuse(reason)
        case .serve(let response, let reason, let part, _) where isLimited:
            self = .serve(response, reason, part: part, revalidates: false)
        default: self = plan
        }
    }

    private static func plan(
        _ cacheRequest: CacheRequest, _ candidates: [StoredResponse], _ use: CachedResponse.Mode, _ now: Int64
    ) -> CachePlan {
        guard use != .reloadIgnoringCache else { return .load(.mode) }
        guard let selected = selected(for: cacheRequest, among: candidates) else {
            return .load(candidates.isEmpty ? .notStored : .vary)
        }
        let part: Range<Int>?
        switch CacheRange(of: cacheRequest, in: selected) {
        case .whole: part = nil
        case .part(let range): part = range
        case .unknown: return .load(.range)
        }
        switch verdict(on: selected, cacheRequest, use, now) {
        case .usable(let reason):
            return .serve(selected, reason, part: part, revalidates: reason == .staleWhileRevalidate)
        case .unusable(let reason):
            // Only a GET without a Range field may be turned into a validation. Other requests are sent as they are.
            let isWhole = cacheRequest.method == .get && !cacheRequest.headers.contains(.range)
            return isWhole && selected.hasValidators ? .validate(selected, reason) : .load(reason)
        }
    }

    /// Returns the most recent candidate that matches the request (RFC 9111 4).
    package static func selected(for cacheRequest: CacheRequest, among candidates: [StoredResponse]) -> StoredResponse?
    {
        var selected: StoredResponse?
        for candidate in candidates where cacheRequest.selects(candidate) {
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
        on response: StoredResponse, _ cacheRequest: CacheRequest, _ use: CachedResponse.Mode, _ now: Int64
    ) -> Verdict {
        let (asked, said) = (cacheRequest.directives, response.directives)
        let staleness = response.staleness(at: now)
        let isFresh = staleness < 0
        if use.ignoresAge { return .usable(isFresh ? .fresh : .mode) }
        if said.has(.noCache) { return .unusable(.noCache) }
        if asked.has(.noCache) { return .unusable(.requestNoCache) }
        if let limit = asked.maxAge, limit == 0 || response.currentAge(at: now) > limit {
            return .unusable(.requestMaxAge)
        }
        if use == .reloadRevalidatingCache {
            // RFC 8246 2: an immutable response is not revalidated while it is fresh.
            return isFresh && said.has(.immutable) ? .usable(.immutable) : .unusable(.mode)
        }
        if let least = asked.minFresh, -staleness < least { return .unusable(.minFresh) }
        if isFresh { return .usable(.fresh) }
        if said.has(.mustRevalidate) { return .unusable(.mustRevalidate) }
        if let limit = asked.maxStale, limit > 0, staleness <= limit { return .usable(.maxStale) }
        // A request with max-age accepts a stale response only if it has max-stale too (RFC 9111 5.2.1.1).
        if asked.maxAge == nil, let limit = said.staleWhileRevalidate, limit > 0, staleness <= limit {
            return .usable(.staleWhileRevalidate)
        }
        return .unusable(.stale)
    }
}

extension StoredResponse {
    /// Returns true if this response has a later date; for equal dates, if it was received at the same time or later.
    fileprivate func isMoreRecent(than other: StoredResponse) -> Bool {
        (date, response.responseTime) >= (other.date, other.response.responseTime)
    }

    /// Returns true for statuses of temporary errors (RFC 5861 4).
    package static func isPassingError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}
