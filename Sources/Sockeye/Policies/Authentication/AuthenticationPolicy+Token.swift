extension AuthenticationPolicy {
    /// An OAuth 2.0 token and its lifetime. Its description and dump do not show the token.
    public struct Token: Sendable, Hashable {
        let text: String
        let lifetime: Duration?

        /// Creates a token.
        ///
        /// - Parameters:
        ///   - text: Visible ASCII.
        ///   - lifetime: The remaining lifetime, as in `expires_in` (RFC 6749 5.1). Default nil: the token is used
        ///     until a server rejects it.
        public init(_ text: String, expiresIn lifetime: Duration? = nil) {
            self.text = text
            self.lifetime = lifetime
        }
    }
}

extension AuthenticationPolicy.Token: CustomStringConvertible, CustomReflectable {
    /// The constant `token`.
    public var description: String { "token" }

    /// Only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension AuthenticationPolicy.Token {
    /// The limits of fetching tokens: when, how often and how long.
    public struct Refresh: Sendable, Hashable {
        /// A token is replaced this long before it expires. Default 30 s. If this is more than half of the token's
        /// lifetime, the token is replaced after half of its lifetime.
        public var leeway: Duration = .seconds(30)
        /// The maximum number of calls of the token provider (the closure that fetches a token) within ``window``,
        /// including failed ones. Default 5.
        ///
        /// A request that would need a further provider call fails with
        /// ``SockeyeError/Code-swift.struct/limitExceeded``, so that the token server is not flooded.
        public var maximumCount = 5
        /// The period for ``maximumCount``. Default 30 s.
        public var window: Duration = .seconds(30)
        /// The maximum duration of one provider call. Default 60 s. If a call takes longer, the requests that wait for
        /// it fail, and the next request calls the provider again.
        public var timeout: Duration = .seconds(60)

        /// Creates limits with the default of each property.
        public init() {}
    }
}
