/// A cookie, and what the store has to know of it.
struct StoredCookie: Sendable {
    let cookie: Cookie
    /// Counts up with each cookie that is new; one that is set again keeps its place.
    let created: UInt64
    /// Counts up with each use.
    var used: UInt64
}
