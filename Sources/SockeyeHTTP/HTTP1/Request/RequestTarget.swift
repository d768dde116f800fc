/// What a request asks for, and of whom: the request target and the value of Host (RFC 9112 3.2).
package enum RequestTarget: Sendable {
    /// The origin-form of a URL, and its authority.
    case url(HTTPURL)
    /// As given: absolute-form for a proxy, authority-form for CONNECT or `*`; and the authority, without userinfo and
    /// default port, with brackets around IPv6.
    case text(target: Substring.UTF8View, authority: Substring.UTF8View)

    /// How many bytes the two have together.
    @inline(__always)
    var count: Int {
        switch self {
        case .url(let url): url.text.utf8.count
        case .text(let target, let authority): target.count + authority.count
        }
    }

    /// What stands in the request line.
    @inline(__always)
    func withTarget<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .url(let url): unsafe url.withTarget(body)
        case .text(let target, _): unsafe ByteScan.withBytes(of: target, body)
        }
    }

    /// The value of Host, unless the request has one of its own.
    @inline(__always)
    func withAuthority<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .url(let url): unsafe url.withAuthority(body)
        case .text(_, let authority): unsafe ByteScan.withBytes(of: authority, body)
        }
    }
}
