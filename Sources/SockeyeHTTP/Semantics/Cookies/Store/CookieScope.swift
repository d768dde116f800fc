/// Domain matching and path matching (RFC 6265bis 5.1.3 and 5.1.4).
package enum CookieScope {
    /// Whether a host is `domain`, or a name below it (RFC 6265bis 5.1.3). Both in lower-case A-labels.
    package static func host(_ host: String, _ kind: HTTPURL.HostKind, isWithin domain: String) -> Bool {
        if host == domain { return true }
        let (name, suffix) = (host.utf8, domain.utf8)
        guard kind == .name, !suffix.isEmpty, name.count > suffix.count else { return false }
        return name.reversed().dropFirst(suffix.count).first == UInt8(ascii: ".") && host.hasSuffix(domain)
    }

    /// Whether the path of a request is `scope`, or below it (RFC 6265bis 5.1.4).
    package static func path(_ path: some BidirectionalCollection<UInt8>, isWithin scope: String) -> Bool {
        var rest = path[...]
        for byte in scope.utf8 {
            guard rest.popFirst() == byte else { return false }
        }
        return rest.isEmpty || scope.utf8.last == slash || rest.first == slash
    }

    /// The path of a cookie that names none: that of the request up to its last slash, without it (RFC 6265bis 5.1.4).
    package static func defaultPath(of path: some BidirectionalCollection<UInt8>) -> String {
        guard path.first == slash, let last = path.lastIndex(of: slash), last > path.startIndex else { return "/" }
        return String(decoding: path[..<last], as: UTF8.self)
    }

    /// Whether `url` is a secure channel: over TLS, or to this machine.
    ///
    /// RFC 6265bis leaves to the client what it trusts (5.8.3). Browsers and curl trust `localhost`, names below it and
    /// the loopback addresses, as the Secure Contexts standard has it (3.1, "potentially trustworthy").
    package static func isTrustworthy(_ url: HTTPURL, trustsLoopback: Bool) -> Bool {
        url.scheme == .https || trustsLoopback && url.isLoopback
    }

    private static let slash = UInt8(ascii: "/")
}

/// A retrieval of cookies for a request (RFC 6265bis 5.8.3). Path, time and security are looked at lazily, since few
/// cookies depend on them.
struct CookieQuery {
    let url: HTTPURL
    let trustsLoopback: Bool
    /// Whether the cookies that are matched are those of the host itself, and not of a domain above it.
    var isOfHost = true
    /// Whether a cookie was among them that not all paths get.
    private(set) var dependsOnPath = false
    private var time: Int64?

    init(_ url: HTTPURL, trustsLoopback: Bool) {
        self.url = url
        self.trustsLoopback = trustsLoopback
    }

    mutating func matches(_ cookie: ClientCookie, at now: () -> Int64) -> Bool {
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
