/// Domain matching and path matching (RFC 6265bis 5.1.3 and 5.1.4).
package enum CookieScope {
    /// Returns true if the host is `domain` or a name below it (RFC 6265bis 5.1.3). Both must be lower-case A-labels.
    package static func host(_ host: String, _ kind: HTTPURL.HostKind, isWithin domain: String) -> Bool {
        if host == domain { return true }
        let (name, suffix) = (host.utf8, domain.utf8)
        guard kind == .name, !suffix.isEmpty, name.count > suffix.count else { return false }
        return name.reversed().dropFirst(suffix.count).first == UInt8(ascii: ".") && host.hasSuffix(domain)
    }

    /// Returns true if a request's path is `scope` or below it (RFC 6265bis 5.1.4).
    package static func path(_ path: some BidirectionalCollection<UInt8>, isWithin scope: String) -> Bool {
        var rest = path[...]
        for byte in scope.utf8 {
            guard rest.popFirst() == byte else { return false }
        }
        return rest.isEmpty || scope.utf8.last == slash || rest.first == slash
    }

    /// Returns the path of a cookie without a Path attribute: the request's path before its last slash (RFC 6265bis
    /// 5.1.4).
    package static func defaultPath(of path: some BidirectionalCollection<UInt8>) -> String {
        guard path.first == slash, let last = path.lastIndex(of: slash), last > path.startIndex else { return "/" }
        return String(decoding: path[..<last], as: UTF8.self)
    }

    /// Returns true if requests to `url` count as secure: over TLS, or to this machine if `trustsLoopback` is true.
    ///
    /// RFC 6265bis leaves this decision to the client (5.8.3). Browsers trust `localhost`, names below it and the
    /// loopback addresses, as the Secure Contexts standard defines (3.1, "potentially trustworthy").
    package static func isTrustworthy(_ url: HTTPURL, trustsLoopback: Bool) -> Bool {
        url.scheme == .https || trustsLoopback && url.isLoopback
    }

    private static let slash = UInt8(ascii: "/")
}

/// A retrieval of cookies for a request (RFC 6265bis 5.8.3). The URL's path, the current time and the security of the
/// URL are examined only for cookies that depend on them.
struct CookieQuery {
    let url: HTTPURL
    let trustsLoopback: Bool
    /// True while cookies of the host itself are matched, false for those of the domains above it.
    var isOfHost = true
    /// True if the result depends on the request's path: the path of at least one cookie was compared, whether or not
    /// it matched.
    private(set) var dependsOnPath = false
    private var time: Int64?

    init(_ url: HTTPURL, trustsLoopback: Bool) {
        self.url = url
        self.trustsLoopback = trustsLoopback
    }

    mutating func matches(_ cookie: ClientCookie, at now: () -> Int64) -> Bool {
        guard isOfHost || !cookie.isHostOnly else { return false }
        // A cookie path of one byte is `/`, which matches the path of every URL.
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
