/// A stored response with what is derived from its fields (memoization), so that deciding about it parses nothing.
///
/// A reference, since a decision passes it on several times, and a ``CachedResponse`` holds eight references.
package final class StoredResponse: Sendable {
    package let response: CachedResponse
    package let directives: CacheDirectives
    /// The freshness lifetime (RFC 9111 4.2.1).
    package let lifetime: CachedResponse.Lifetime
    /// When it was made, by the server's clock.
    let date: Int64
    /// The corrected initial age (RFC 9111 4.2.3): how old it was when it came.
    let initialAge: Int64
    /// Whether the content is in a coding, or was.
    let isCoded: Bool
    /// Whether there is something to validate it by.
    package let hasValidators: Bool
    /// The bytes of its fields, names and values.
    package let fieldBytes: Int
    /// The fields that Vary names, with the values that a request must have, but for those in the partition; nil where no request
    /// matches, or where this cannot be what was stored.
    let selectors: [Selector]?

    struct Selector: Sendable {
        let name: String
        let value: String?
    }

    package init(_ response: CachedResponse) {
        self.response = response
        let directives = response.directives
        let date = response.date
        self.directives = directives
        self.date = date
        lifetime = response.lifetime(directives, madeAt: date)
        initialAge = response.initialAge(madeAt: date)
        isCoded = response.isCoded
        hasValidators = !response.validators.isEmpty
        fieldBytes = response.headers.textByteCount
        selectors = response.isPlausible ? Self.selectors(of: response) : nil
    }

    private static func selectors(of response: CachedResponse) -> [Selector]? {
        guard let names = response.varyNames else { return nil }
        let selectors = names.filter { !CachePartition.separates($0) }
            .map { Selector(name: $0, value: response.selectingFields[$0]) }
        // Values of fields that Vary does not name are nothing that a cache has written.
        return selectors.count { $0.value != nil } == response.selectingFields.count ? selectors : nil
    }
}

extension StoredResponse: Equatable {
    /// What is derived of equal responses is equal.
    package static func == (left: StoredResponse, right: StoredResponse) -> Bool { left.response == right.response }
}

/// Age (RFC 9111 4.2.3), in seconds.
extension StoredResponse {
    /// The current age. Where the clock was set back nobody knows it, and it counts as very old.
    package func currentAge(at now: Int64) -> Int64 {
        let (now, came) = (CacheClock.clamped(now), CacheClock.clamped(response.responseTime))
        guard now >= came else { return CacheDirectives.forever }
        return min(initialAge + (now - came), CacheDirectives.forever)
    }

    /// For how long it has been stale; negative while it is fresh, 0 from the second on in which it no longer is.
    package func staleness(at now: Int64) -> Int64 { currentAge(at: now) - lifetime.seconds }

    package func isFresh(at now: Int64) -> Bool { staleness(at: now) < 0 }

    /// Whether it may be served in the place of an error (RFC 5861 4, RFC 9111 4.2.4).
    ///
    /// - Parameter usual: The seconds that a response may be stale then which says nothing of it.
    package func mayReplaceError(to inquiry: CacheInquiry, usual: Int64, at now: Int64) -> Bool {
        let asked = inquiry.directives
        guard !directives.has(.noCache), !directives.has(.mustRevalidate), !asked.has(.noCache), asked.maxAge == nil,
            asked.minFresh == nil
        else { return false }
        let limit = max(directives.staleIfError ?? usual, asked.staleIfError ?? 0)
        return limit > 0 && staleness(at: now) <= limit
    }
}

/// Times as a cache reckons with them.
enum CacheClock {
    /// 34,865 years from 1970. What lies beyond is a store's invention, and no sum of two such times overflows.
    private static let farthest: Int64 = 1 << 40

    static func clamped(_ seconds: Int64) -> Int64 { min(max(seconds, -farthest), farthest) }
}
