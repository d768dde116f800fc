/// How the end of a request body is announced (RFC 9112 6).
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
