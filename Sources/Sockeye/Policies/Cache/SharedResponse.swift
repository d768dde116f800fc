public import SockeyeEngine
import SockeyeHTTP

extension CachePolicy {
    /// What a cache did for a request, and why.
    public typealias Outcome = CacheOutcome
}

extension IncomingResponse {
    /// Whether a cache made it, or had it, so that asking again brings the same.
    var isLocal: Bool { cacheContact != .answered }

    /// What it says of the server.
    var cacheContact: CacheOutcome.Contact { cacheOutcome?.contact ?? .answered }
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
        return response.noting((isFirst ? cacheOutcome : nil) ?? .asked(.joined, .joined))
    }
}

extension PriorExchange.Reason {
    /// The response confirmed a stored one (304), or had to be asked for anew since it confirmed another; see ``CachePolicy``.
    public static let revalidated = PriorExchange.Reason("revalidated")
    /// The server could not be asked, or failed, and a stale response took the place of its answer; see ``CachePolicy``.
    public static let substituted = PriorExchange.Reason("substituted")
}
