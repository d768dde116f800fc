/// What of a request decides which cookies it gets (RFC 6265bis 5.8.3). What few cookies ask for is found out only when one
/// does: the path, the time, and whether the request is secure.
struct CookieQuery {
    let url: HTTPURL
    let trustsLoopback: Bool
    /// Whether the cookies looked at are those of the host itself, and not of a domain above it.
    var isOfHost = true
    /// Whether a cookie was among them that not all paths get.
    private(set) var dependsOnPath = false
    private var time: Int64?

    init(_ url: HTTPURL, trustsLoopback: Bool) {
        self.url = url
        self.trustsLoopback = trustsLoopback
    }

    mutating func matches(_ cookie: Cookie, at now: () -> Int64) -> Bool {
        guard isOfHost || !cookie.isHostOnly else { return false }
        // The path of a URL begins with the slash that is all of this one.
        if cookie.path.utf8.count != 1 {
            dependsOnPath = true
            guard CookieScope.path(url.pathView, isWithin: cookie.path) else { return false }
        }
        if cookie.isSecure, !CookieScope.isTrustworthy(url, trustsLoopback: trustsLoopback) { return false }
        guard let expiration = cookie.expiration else { return true }
        let time = time ?? now()
        self.time = time
        return expiration > time
    }
}
