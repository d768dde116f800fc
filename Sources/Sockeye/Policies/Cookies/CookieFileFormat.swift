extension CookieJar {
    /// How a file of cookies is written.
    public enum FileFormat: Sendable, Hashable {
        /// `cookies.txt` of Netscape's browser, which curl, wget, Python and many others read and write. Has no SameSite.
        case netscape
        /// An array of objects with the names that browsers' extensions use; see ``ClientCookie/init(from:)``.
        case json
    }
}
