extension Cookie {
    /// From where requests may carry a cookie (RFC 6265bis 5.6.7).
    ///
    /// A rule for browsers, in which one site makes requests in the name of another. No other site makes a client's
    /// requests, so that all are same-site: the value is kept and shown, and keeps no cookie back.
    public enum SameSite: String, Sendable, Hashable {
        /// From pages of the same site only.
        case strict
        /// From there, and by following a link.
        case lax
        /// From anywhere; with Secure only.
        case none
    }
}
