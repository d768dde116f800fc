extension CachedResponse {
    /// How a request uses stored responses; `NSURLRequest.CachePolicy`'s and AFNetworking's names.
    @nonexhaustive public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// As RFC 9111 has it.
        case useProtocol
        /// Stored responses are not served, here or on the way: the request has `Cache-Control: no-cache`, unless it has that
        /// field. The response is stored.
        case reloadIgnoringCache
        /// Stored responses are served, however old; else the server is asked.
        case returnCacheElseLoad
        /// Stored responses are served, however old; else the answer is 504, and nothing is sent. As `only-if-cached`, but for
        /// the age.
        case returnCacheDontLoad
        /// Stored responses are served if the server confirms them; without asking only those that are fresh and `immutable`. The
        /// request has `Cache-Control: max-age=0`, unless it has that field, so that caches on the way ask the server, too.
        case reloadRevalidatingCache

        /// Whether stored responses are served however old they are.
        package var ignoresAge: Bool { self == .returnCacheElseLoad || self == .returnCacheDontLoad }
    }
}
