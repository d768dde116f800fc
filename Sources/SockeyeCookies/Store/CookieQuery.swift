/// What of a request decides which cookies it gets (RFC 6265bis 5.8.3).
struct CookieQuery {
    let path: Substring.UTF8View
    let isSecure: Bool
    let now: Int64
    /// Whether the cookies looked at are those of the host itself, and not of a domain above it.
    var isOfHost = true

    @inline(__always)
    func matches(_ cookie: Cookie) -> Bool {
        (isOfHost || !cookie.isHostOnly) && (isSecure || !cookie.isSecure)
            && CookieScope.path(path, isWithin: cookie.path) && !cookie.isExpired(at: now)
    }
}
