extension CachedResponse {
    /// The rule by which a request uses stored responses. The modes are those of `NSURLRequest.CachePolicy`, which
    /// AFNetworking uses too.
    @nonexhaustive public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Follows RFC 9111.
        case useProtocol
        /// Sends the request, and asks caches on the way not to serve stored responses either: adds
        /// `Cache-Control: no-cache` and `Pragma: no-cache`, unless the request has Cache-Control. The response is
        /// stored.
        case reloadIgnoringCache
        /// Serves a stored response of any age; without one, sends the request.
        case returnCacheElseLoad
        /// Serves a stored response of any age; without one, answers 504 and sends nothing, whatever the method. Like
        /// `only-if-cached`, except that age is ignored.
        case returnCacheDontLoad
        /// Serves a stored response only after the server has confirmed it (304). A fresh `immutable` response is the
        /// exception: it is served without asking the server. Adds `Cache-Control: max-age=0`, unless the request has
        /// Cache-Control, so that other caches on the way also ask the server.
        case reloadRevalidatingCache

        package var ignoresAge: Bool { self == .returnCacheElseLoad || self == .returnCacheDontLoad }

        /// True if the server is asked even if a fresh response is stored. An `immutable` response can be an exception;
        /// see ``reloadRevalidatingCache``.
        package var reloads: Bool { self == .reloadIgnoringCache || self == .reloadRevalidatingCache }
    }
}
