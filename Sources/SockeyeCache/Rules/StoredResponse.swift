/// A cached response with memoized values derived from its fields, so that decisions need no parsing.
///
/// A class, because it is passed on several times per decision, and each copy of a ``CachedResponse`` would touch eight
/// reference counts.
package final class StoredResponse: Sendable {
    package let response: CachedResponse
    package let directives: CacheDirectives
    /// The freshness lifetime (RFC 9111 4.2.1).
    package let lifetime: CachedResponse.Lifetime
    /// The date of the response by the server's clock, in seconds since the start of 1970.
    let date: Int64
    /// The corrected initial age (RFC 9111 4.2.3): the age at the time of receipt, in seconds.
    let initialAge: Int64
    /// True if the content has a content coding, or had one that the client decoded.
    let isCoded: Bool
    /// True if the response has validators for a conditional request.
    package let hasValidators: Bool
    /// The number of bytes of all field names and values.
    package let fieldBytes: Int
    /// The conditions of Vary: the fields that it names, with the values that a request must have. Host and fields with
    /// credentials are left out, because the partition (``CachePartition``) already compares them.
    ///
    /// Nil if no request can match, for example because of `Vary: *`. Also nil if the cache cannot have stored the
    /// response. An app's own ``CachePolicy/Store`` may return such a response.
    let selectors: [Selector]?

    struct Selector: Sendable {
        let name: String
        /// Nil if the request must not have the field.
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
        // The cache puts only request fields that Vary names into `selectingFields`. So a response that has other
        // fields there was not stored by the cache.
        return selectors.count { $0.value != nil } == response.selectingFields.count ? selectors : nil
    }
}

extension StoredResponse: Equatable {
    /// Compares the responses only: equal responses have equal derived values.
    package static func == (left: StoredResponse, right: StoredResponse) -> Bool { left.response == right.response }
}

/// Time arithmetic of the cache.
enum CacheClock {
    /// The largest time: about 34,800 years after 1970. A store may return any number, so its times are clamped to this
    /// value. The sum of two clamped times cannot overflow.
    private static let farthest: Int64 = 1 << 40

    static func clamped(_ seconds: Int64) -> Int64 { min(max(seconds, -farthest), farthest) }
}
