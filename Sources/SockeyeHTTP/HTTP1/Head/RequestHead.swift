/// The parts of a request head except the client's default fields.
///
/// Noncopyable for speed. If a struct with this many fields were copyable, its initializer would return a copy and
/// destroy the original. Both steps would update the reference counts of all fields.
package struct RequestHead: ~Copyable, Sendable {
    package var method: String
    package var kind: MethodKind
    package var target: RequestTarget
    /// The caller's fields.
    package var headers: Headers
    package var body: RequestFraming
    /// True to send `Connection: close`.
    package var closesConnection: Bool
    /// True to send `Expect: 100-continue` if there is a body.
    package var expectsContinue: Bool
    /// The protocols to offer in an Upgrade field, such as `websocket`; `Connection: upgrade` is then sent, too. Nil to
    /// send neither.
    package var upgrade: String?
    /// True if a proxy reads this head. Only then Proxy-Authorization is sent. CONNECT always goes to a proxy.
    package var isSentToProxy: Bool

    package init(
        method: String,
        kind: MethodKind? = nil,
        target: RequestTarget,
        headers: Headers = Headers(),
        body: RequestFraming = .none,
        closesConnection: Bool = false,
        expectsContinue: Bool = false,
        upgrade: String? = nil,
        isSentToProxy: Bool = false
    ) {
        let kind = kind ?? MethodKind(method)
        let isSentToProxy = isSentToProxy || kind == .connect
        self.method = method
        self.kind = kind
        self.target = target
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
        self.expectsContinue = expectsContinue
        self.upgrade = upgrade
        self.isSentToProxy = isSentToProxy
    }
}

/// The request target, and the authority for Host (RFC 9112 3.2).
package enum RequestTarget: Sendable {
    /// The origin-form of a URL, and its authority.
    case url(HTTPURL)
    /// A target that is not the origin-form of a URL: the absolute-form for a proxy, or the authority-form for CONNECT.
    /// The authority has no userinfo, and an IPv6 address in it has brackets. A default port is included only for
    /// CONNECT.
    case text(target: Substring.UTF8View, authority: Substring.UTF8View)

    /// The number of bytes of target and authority together. For a URL, this is an upper bound: the length of its
    /// whole text.
    @inline(__always)
    var count: Int {
        switch self {
        case .url(let url): url.text.utf8.count
        case .text(let target, let authority): target.count + authority.count
        }
    }

    /// True if the bytes need no check: the parser of URLs ensures visible ASCII and a valid host.
    @inline(__always)
    var isChecked: Bool {
        if case .url = self { true } else { false }
    }

    /// Calls `body` with the bytes of the target for the request line.
    @inline(__always)
    func withTarget<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .url(let url): unsafe url.withTarget(body)
        case .text(let target, _): unsafe ByteScan.withBytes(of: target, body)
        }
    }

    /// Calls `body` with the value of Host for requests that have no Host field of their own.
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
    /// The length is unknown. Must not be sent to servers that are known to speak HTTP/1.0.
    case chunked

    /// True if no byte of a body follows the head.
    package var isEmpty: Bool {
        self == .none || self == .length(0)
    }
}

/// A request method by its semantics: framing, safety, idempotence (RFC 9110 9.2 and 9.3, RFC 9112 6.3).
package enum MethodKind: Sendable, Hashable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// Another method that is registered as safe, and therefore idempotent: PROPFIND, QUERY (RFC 10008), REPORT,
    /// SEARCH.
    case otherSafe
    /// Another method that is registered as idempotent, such as MKCOL and UNLOCK.
    case otherIdempotent
    /// Any other method, neither safe nor idempotent: registered as such (LOCK) or unknown.
    case other

    /// Classifies a method name. Names are case-sensitive, so `get` is another method than `GET`.
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

    /// The safe methods of IANA's HTTP Method Registry that are not in RFC 9110. Without PRI, which starts HTTP/2 and
    /// is not a request.
    private static let safeNames: Set<String> = ["PROPFIND", "QUERY", "REPORT", "SEARCH"]

    /// The methods of IANA's HTTP Method Registry that are idempotent but not safe, and are not in RFC 9110.
    private static let idempotentNames: Set<String> = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "MERGE", "MKACTIVITY",
        "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PROPPATCH", "REBIND", "UNBIND",
        "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]

    /// The names of all idempotent methods (RFC 9110 9.2.2) of IANA's HTTP Method Registry, without PRI.
    package static let idempotentMethods =
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"] + safeNames.sorted() + idempotentNames.sorted()

    /// True if an empty body is announced with `Content-Length: 0` (RFC 9110 8.6).
    package var announcesEmptyBody: Bool {
        switch self {
        case .post, .put, .patch: true
        default: false
        }
    }

    package var allowsBody: Bool {
        self != .trace && self != .connect
    }

    /// True if several identical requests have the effect of a single one (RFC 9110 9.2.2). False for unknown methods.
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete, .trace, .otherSafe, .otherIdempotent: true
        case .post, .patch, .connect, .other: false
        }
    }

    /// True if the method only retrieves information (RFC 9110 9.2.1). False for unknown methods.
    package var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .otherSafe: true
        case .post, .put, .patch, .delete, .connect, .otherIdempotent, .other: false
        }
    }
}
