/// A cookie, and what the store has to know of it.
struct StoredCookie: Sendable {
    let cookie: Cookie
    /// What of it stands in a Cookie field: made once, since nearly all requests that carry a cookie carry one.
    let pair: String
    /// Counts up with each cookie that is new; one that is set again keeps its place.
    let created: UInt64
    /// Counts up with each use.
    var used: UInt64

    init(_ cookie: Cookie, created: UInt64, used: UInt64) {
        self.cookie = cookie
        // What has no name comes back as it came (RFC 6265bis 5.8.3, step 5).
        pair = cookie.name.isEmpty ? cookie.value : cookie.name + "=" + cookie.value
        self.created = created
        self.used = used
    }
}
