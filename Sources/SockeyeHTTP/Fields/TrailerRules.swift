/// Which fields must not stand in a trailer section, sent or received (RFC 9110 6.5.1).
///
/// A trailer arrives after decisions were made on the head, so whatever governs framing, routing, authentication, state
/// or the reading of the content has no effect there but to mislead.
enum TrailerRules {
    /// `name` must be a token, as both callers have checked.
    static func forbids(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let base = name.baseAddress else { return true }
        for forbidden in list where unsafe ByteScan.equals(base, count: name.count, forbidden) { return true }
        return false
    }

    /// Trailers are rare, so a list is read from front to end.
    private static let list: [StaticString] = [
        // Framing and routing.
        "transfer-encoding", "content-length", "host", "trailer", "te", "connection", "keep-alive", "upgrade",
        "proxy-connection", "max-forwards",
        // Authentication and state.
        "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "authentication-info",
        "proxy-authentication-info", "cookie", "set-cookie",
        // How to read the content. (Digests of the content are what trailers are for, and stay.)
        "content-encoding", "content-type", "content-range", "content-language", "content-location",
        "content-disposition",
        // Control data of requests and responses.
        "cache-control", "expect", "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
        "if-range", "age", "date", "expires", "location", "retry-after", "vary", "pragma",
    ]
}
