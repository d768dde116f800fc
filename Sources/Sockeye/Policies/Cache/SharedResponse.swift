public import SockeyeEngine
import SockeyeHTTP

extension CachePolicy {
    /// What a cache did for a request, and why.
    public typealias Outcome = CachedResponse.Outcome
}

extension IncomingResponse {
    /// Whether a cache made it, or had it, so that asking again brings the same.
    var isLocal: Bool { cacheContact != .answered }

    /// What it says of the server.
    var cacheContact: CachedResponse.Outcome.Contact { cacheOutcome?.contact ?? .answered }
}

extension IncomingResponse {
    // MARK: Answers for several callers

    /// Whether several callers may get it: it may be stored and served without asking.
    var isShareable: Bool { cacheOutcome?.isShareable == true }

    /// The same response with a body of its own. Only the first caller gets the cookies.
    func shared(_ source: any BodySource, isFirst: Bool) -> IncomingResponse {
        var headers = headers
        if !isFirst, setsCookies { headers[.setCookie] = nil }
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
