public import SockeyeEngine
import SockeyeHTTP

extension CachePolicy {
    /// What a cache did for a call, and why.
    public struct Outcome: Sendable, Hashable, CustomStringConvertible {
        /// What was done.
        public enum Kind: String, Sendable, Hashable {
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

        /// What was done.
        public let kind: Kind
        /// Why: a word such as `fresh`, `stale`, `notStored`, `vary`, `noCache`, `maxStale` or `mode`. Made for metrics and logs.
        public let reason: String
        /// Whether callers who ask for the same at the same time may have the same answer.
        var isShareable = false
        /// Whether the server has no part in the response, so that asking again brings the same.
        var isLocal = false

        /// For example `hit (fresh)`.
        public var description: String { "\(kind) (\(reason))" }
    }
}

extension IncomingResponse {
    /// What the ``CachePolicy`` of the client did for this response; nil without one.
    public var cacheOutcome: CachePolicy.Outcome? { attachment as? CachePolicy.Outcome }

    func noting(
        _ kind: CachePolicy.Outcome.Kind, _ reason: CacheReason, isShareable: Bool = false, isLocal: Bool = false
    ) -> IncomingResponse {
        with(
            attachment: CachePolicy.Outcome(
                kind: kind, reason: reason.rawValue, isShareable: isShareable, isLocal: isLocal))
    }

    /// Whether a cache made it, or had it, without asking.
    var isLocal: Bool { cacheOutcome?.isLocal ?? false }
}

extension IncomingResponse {
    // MARK: Answers for several callers

    /// Whether several callers may have it: it may be stored and served without asking, and is not known to be large.
    var isShareable: Bool {
        cacheOutcome?.isShareable == true && (body.expectedLength ?? 0) <= SharedBody.limit
    }

    /// The same response with a body of its own. Cookies are set once.
    func shared(_ source: any BodySource, isFirst: Bool) -> IncomingResponse {
        let response = IncomingResponse(
            ResponseStorage(
                status: statusCode, fields: headers, reason: reason, request: request,
                body: BodyContent(source: source, expectedLength: body.expectedLength), isDecoded: isDecoded,
                setsCookies: isFirst && setsCookies, tls: tls))
        let outcome = cacheOutcome ?? CachePolicy.Outcome(kind: .miss, reason: "")
        return response.with(
            attachment: isFirst ? outcome : CachePolicy.Outcome(kind: .joined, reason: CacheReason.joined.rawValue))
    }
}

extension PriorExchange.Reason {
    /// The response confirmed a stored one (304), or had to be asked for anew since it confirmed another; see ``CachePolicy``.
    public static let revalidated = PriorExchange.Reason("revalidated")
}
