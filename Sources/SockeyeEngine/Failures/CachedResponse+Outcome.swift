public import SockeyeHTTP

extension CachedResponse {
    /// What a cache did for a request, and why; the client's ``CachePolicy`` says so.
    public struct Outcome: Sendable, Hashable, CustomStringConvertible {
        /// What was done.
        @nonexhaustive public enum Kind: String, Sendable, Hashable {
            /// Served from the store, fresh.
            case hit
            /// Served from the store, stale: the request or the response allows it.
            case staleHit
            /// Served from the store after the server confirmed it (304); its answer is in ``IncomingResponse/history``.
            case revalidated
            /// The answer to an identical request that was in flight.
            case joined
            /// The server's answer.
            case miss
            /// The server's answer to a request that is not the cache's business, or a 504 of the cache's own making.
            case bypass
        }

        /// What an answer says of the server.
        package enum Contact: Sendable, Hashable {
            /// Nothing: it was not asked.
            case none
            /// It was asked, and failed.
            case failed
            /// It answered.
            case answered
        }

        /// What was done.
        public let kind: Kind
        private let cause: CacheReason
        private let obstacle: CacheReason?
        /// The bytes of content that come from the store; 0 where the server sends them.
        public let bytesFromStore: Int
        /// Whether callers who ask for the same at the same time may have the same answer.
        package let isShareable: Bool
        /// What the server had to do with the response.
        package let contact: Contact

        private init(
            _ kind: Kind, _ cause: CacheReason, obstacle: CacheReason?, bytes: Int, isShareable: Bool, contact: Contact
        ) {
            self.kind = kind
            self.cause = cause
            self.obstacle = obstacle
            bytesFromStore = bytes
            self.isShareable = isShareable
            self.contact = contact
        }

        /// Why: a word such as `fresh`, `stale`, `notStored`, `vary`, `noCache`, `maxStale` or `mode`. Made for metrics and logs.
        public var reason: String { cause.rawValue }

        /// Why the server's answer was not stored: a word such as `noStore`, `status`, `vary` or `notCacheable`. Nil where it is
        /// stored once its content has been read, and where there was nothing to store.
        public var refusal: String? { obstacle?.rawValue }

        /// For example `hit (fresh)`.
        public var description: String { "\(kind) (\(reason))" }
    }
}

extension CachedResponse.Outcome {
    /// The server's answer.
    package static func asked(
        _ kind: Kind, _ reason: CacheReason, refusal: CacheReason? = nil, isShareable: Bool = false
    ) -> CachedResponse.Outcome {
        CachedResponse.Outcome(kind, reason, obstacle: refusal, bytes: 0, isShareable: isShareable, contact: .answered)
    }

    /// An answer with content from the store.
    package static func served(_ kind: Kind, _ reason: CacheReason, bytes: Int, _ contact: Contact)
        -> CachedResponse.Outcome
    {
        CachedResponse.Outcome(kind, reason, obstacle: nil, bytes: bytes, isShareable: false, contact: contact)
    }

    /// The cache's own 504.
    package static func refused(_ reason: CacheReason) -> CachedResponse.Outcome {
        .served(.bypass, reason, bytes: 0, .none)
    }
}
