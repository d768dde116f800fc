/// The parts of a request head, but for the client's default fields. Strings are shared with the caller.
///
/// Noncopyable for speed: the compiler copies a struct of so many fields out of its initializer and destroys the original, and each
/// time counts every reference.
package struct RequestHead: ~Copyable, Sendable {
    package var method: String
    package var kind: MethodKind
    package var target: RequestTarget
    /// The caller's fields.
    package var headers: Headers
    package var body: RequestFraming
    /// Sends `Connection: close`.
    package var closesConnection: Bool
    /// Sends `Expect: 100-continue`, provided there is a body.
    package var expectsContinue: Bool
    /// The protocols to offer, such as `websocket`; sends Upgrade and `Connection: upgrade`.
    package var upgrade: String?
    /// Whether it is a proxy that reads this head; no other gets Proxy-Authorization. CONNECT always goes to a proxy.
    package var isForProxy: Bool

    package init(
        method: String,
        kind: MethodKind? = nil,
        target: RequestTarget,
        headers: Headers = Headers(),
        body: RequestFraming = .none,
        closesConnection: Bool = false,
        expectsContinue: Bool = false,
        upgrade: String? = nil,
        isForProxy: Bool = false
    ) {
        let kind = kind ?? MethodKind(method)
        let isForProxy = isForProxy || kind == .connect
        self.method = method
        self.kind = kind
        self.target = target
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
        self.expectsContinue = expectsContinue
        self.upgrade = upgrade
        self.isForProxy = isForProxy
    }
}

/// The request target, and the authority for Host (RFC 9112 3.2).
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

    /// Whether its bytes were checked when it was made: all of a URL are visible ASCII, and its host is one.
    @inline(__always)
    var isChecked: Bool {
        if case .url = self { true } else { false }
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

/// The framing of a request body: how its end is announced (RFC 9112 6).
package enum RequestFraming: Sendable, Hashable {
    /// The request has no body.
    case none
    /// Exactly this many bytes follow; 0 is an empty body.
    case length(Int)
    /// The length is unknown. Only for servers that are not known to be HTTP/1.0.
    case chunked

    /// Whether not one byte of body follows the head.
    package var isEmpty: Bool {
        self == .none || self == .length(0)
    }
}

/// A request method by its semantics: framing, safety, idempotence (RFC 9110 9.2 and 9.3, RFC 9112 6.3).
package enum MethodKind: Sendable, Hashable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// Another method that is registered as safe, and so idempotent: PROPFIND, QUERY (RFC 10008), REPORT, SEARCH.
    case otherSafe
    /// Another method that is registered as idempotent, such as MKCOL and UNLOCK.
    case otherIdempotent
    /// Any other method: neither safe nor idempotent, as LOCK is registered, or unknown.
    case other

    /// Method names are case-sensitive, so `get` is another method than `GET`.
    package init(_ method: String) {
        switch method {
        case "GET": self = .get
        case "POST": self = .post
        case "HEAD": self = .head
        case "PUT": self = .put
        case "PATCH": self = .patch
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        case "TRACE": self = .trace
        case "CONNECT": self = .connect
        default:
            self =
                Self.safeNames.contains(method)
                ? .otherSafe : Self.idempotentNames.contains(method) ? .otherIdempotent : .other
        }
    }

    /// The methods of IANA's HTTP Method Registry that are safe, besides those of RFC 9110. PRI, which starts HTTP/2, is not a
    /// request.
    private static let safeNames: Set<String> = ["PROPFIND", "QUERY", "REPORT", "SEARCH"]

    /// The methods of that registry that are idempotent and not safe, besides those of RFC 9110.
    private static let idempotentNames: Set<String> = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "MERGE", "MKACTIVITY",
        "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PROPPATCH", "REBIND", "UNBIND",
        "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]

    /// The names of all methods that are idempotent (RFC 9110 9.2.2), by the registry.
    package static let idempotentMethods =
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"] + safeNames.sorted() + idempotentNames.sorted()

    /// Whether an empty body is announced with `Content-Length: 0` (RFC 9110 8.6).
    package var announcesEmptyBody: Bool {
        switch self {
        case .post, .put, .patch: true
        default: false
        }
    }

    /// Whether a request of this method may carry a body at all.
    package var allowsBody: Bool {
        self != .trace && self != .connect
    }

    /// Whether several requests have the effect of a single one (RFC 9110 9.2.2). An unknown method is not idempotent.
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete, .trace, .otherSafe, .otherIdempotent: true
        case .post, .patch, .connect, .other: false
        }
    }

    /// Whether the method only retrieves information (RFC 9110 9.2.1). An unknown method is not safe.
    package var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .otherSafe: true
        case .post, .put, .patch, .delete, .connect, .otherIdempotent, .other: false
        }
    }
}
