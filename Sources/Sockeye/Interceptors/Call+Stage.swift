extension Call {
    /// The position of an interceptor between the caller and the transport. The table lists the stages from the
    /// outermost, which is next to the caller, to the innermost.
    ///
    /// | stage | runs | interceptors |
    /// | --- | --- | --- |
    /// | ``call`` | once for each call | interceptors that see the caller's request and the final response |
    /// | ``redirects`` | once for each call | ``RedirectPolicy``, on by default |
    /// | ``retries`` | once for each URL of a chain of redirects | the policy that retries failed requests |
    /// | ``authentication`` | for each attempt | ``AuthenticationPolicy``: adds credentials, answers challenges |
    /// | ``cookies`` | for each attempt, and again after a challenge | the policy that adds and stores cookies |
    /// | ``cache`` | for each attempt, and again after a challenge | the cache that answers with stored responses |
    /// | ``attempt`` | for each request that is sent | interceptors that inspect or sign the final fields |
    ///
    /// In the table, an attempt is the first try of a URL or a retry. The stage ``attempt`` also runs for each answer
    /// to a challenge, but not for a stored response. In each stage from ``redirects`` to ``cache``, an added policy
    /// replaces the previous one. So a call can override a policy of its client, and a scoped client (see `scoped` of
    /// ``HTTPClient``) can override a policy of the client it was made from. The stages ``call`` and ``attempt`` hold
    /// any number of interceptors.
    public struct Stage: Sendable, Hashable, Comparable, CustomStringConvertible {
        private let rank: Int
        /// The name of the stage.
        public let description: String
        /// True if an added policy replaces the existing one.
        package let holdsOne: Bool

        private init(_ rank: Int, _ name: String, holdsOne: Bool) {
            self.rank = rank
            description = name
            self.holdsOne = holdsOne
        }

        /// Once around the whole call.
        public static let call = Call.Stage(0, "call", holdsOne: false)
        /// Following redirects.
        public static let redirects = Call.Stage(1, "redirects", holdsOne: true)
        /// Retrying failed requests.
        public static let retries = Call.Stage(2, "retries", holdsOne: true)
        /// Adding credentials and answering challenges.
        public static let authentication = Call.Stage(3, "authentication", holdsOne: true)
        /// Adding and storing cookies.
        public static let cookies = Call.Stage(4, "cookies", holdsOne: true)
        /// Answering with stored responses.
        public static let cache = Call.Stage(5, "cache", holdsOne: true)
        /// Once around every request that is sent.
        public static let attempt = Call.Stage(6, "attempt", holdsOne: false)

        /// All stages, the outermost first.
        package static let all = [call, redirects, retries, authentication, cookies, cache, attempt]

        /// True if `left` is further outside than `right`.
        public static func < (left: Call.Stage, right: Call.Stage) -> Bool {
            left.rank < right.rank
        }
    }
}
