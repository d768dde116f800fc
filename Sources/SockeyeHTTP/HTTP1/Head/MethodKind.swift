/// A request method by its semantics: framing, safety, idempotence (RFC 9110 9.2 and 9.3, RFC 9112 6.3).
package enum MethodKind: Sendable, Hashable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// Any other method: neither safe nor idempotent as far as we know.
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
        default: self = .other
        }
    }

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

    /// Whether doing it twice is doing it once (RFC 9110 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete, .trace: true
        case .post, .patch, .connect, .other: false
        }
    }
}
