public import SockeyeHTTP

extension Headers {
    /// Accept-Language and User-Agent as AFNetworking sends them by default; here they are sent when asked for, as the
    /// languages of a server's process are nobody's, and ``ClientConfiguration/userAgent`` names the client already.
    ///
    /// ```swift
    /// let api = client.scoped(headers: .defaults(product: "Mirror", version: "1.2"))
    /// // Accept-Language: de-DE;q=1, en;q=0.9
    /// // User-Agent: Mirror/1.2 (Linux 6.1.0)
    /// ```
    ///
    /// - Parameters:
    ///   - product: What runs; nil for the name of the executable.
    ///   - version: Its version; nil for none.
    public static func defaults(product: String? = nil, version: String? = nil) -> Headers {
        var headers = Headers()
        if let languages = AcceptLanguage(environment: .process).fieldValue { headers[.acceptLanguage] = languages }
        headers[.userAgent] = UserAgent(product: product, version: version).fieldValue
        return headers
    }
}
