extension CookieJar {
    /// What became of the cookies in a file.
    public struct FileSummary: Sendable, Hashable {
        /// How many were added, or took the place of others.
        public let loaded: Int
        /// How many were over.
        public let expired: Int
        /// How many lines or objects are no cookies, or ones that may not be; see ``ClientCookie/Fault``.
        public let unreadable: Int

        package init(loaded: Int, expired: Int, unreadable: Int) {
            self.loaded = loaded
            self.expired = expired
            self.unreadable = unreadable
        }
    }
}
