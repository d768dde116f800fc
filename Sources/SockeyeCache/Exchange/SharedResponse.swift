public import SockeyeEngine
import SockeyeHTTP

extension CachePolicy {
    /// The action of a cache for a request, and its reason.
    public typealias Outcome = CacheOutcome
}

extension IncomingResponse {
    /// The fields as text, for a copy of the head that does not keep the received bytes, such as a ``CachedResponse``.
    /// Bytes beyond ASCII in a Location are percent-encoded, since they become part of a URL.
    var fieldsAsText: Headers {
        var fields = headers
        let locations = locations
        if fields[values: .location] != locations { fields[values: .location] = locations }
        return fields
    }

    // MARK: Answers for several callers

    /// True if several callers may get the response: it may be stored and served without validation.
    var isShareable: Bool { cacheOutcome?.isShareable == true }

    /// Returns this response with the body source of one caller. Only the first caller gets the Set-Cookie fields.
    func shared(_ source: any BodySource, isFirst: Bool) -> IncomingResponse {
        var fields: Headers?
        if !isFirst, setsCookies {
            fields = fieldsAsText
            fields?[.setCookie] = nil
        }
        let content = BodyContent(source: source, expectedLength: body.expectedLength)
        let response = IncomingResponse(ResponseStorage(head, fields: fields, body: content))
        return response.withCacheOutcome((isFirst ? cacheOutcome : nil) ?? .asked(.joined, .joined))
    }
}

extension PriorExchange.Reason {
    /// A 304 arrived. Either it confirmed the stored response, or it was about another version and the cache repeated
    /// the request. See ``CachePolicy``.
    public static let revalidated = PriorExchange.Reason("revalidated")
    /// The server was unreachable or failed, and a stale response replaced its answer. See ``CachePolicy``.
    public static let substituted = PriorExchange.Reason("substituted")
}
