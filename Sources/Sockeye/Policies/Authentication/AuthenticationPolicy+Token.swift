extension AuthenticationPolicy {
    /// A token of OAuth 2.0 and how long it may be used. Neither description nor dump show it.
    public struct Token: Sendable, Hashable {
        let text: String
        let lifetime: Duration?

        /// Makes a token.
        ///
        /// - Parameters:
        ///   - text: Visible ASCII.
        ///   - lifetime: How long it can be used from now on, as `expires_in` says (RFC 6749 5.1). Default nil: until a server
        ///     refuses it.
        public init(_ text: String, expiresIn lifetime: Duration? = nil) {
            self.text = text
            self.lifetime = lifetime
        }
    }
}

extension AuthenticationPolicy.Token: CustomStringConvertible, CustomReflectable {
    /// `token`, and no more.
    public var description: String { "token" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension AuthenticationPolicy.Token {
    /// When tokens are fetched anew, and how often at most.
    public struct Refresh: Sendable, Hashable {
        /// How long before its end a token is replaced, but never more than half of its lifetime. Default 30 s.
        public var leeway: Duration = .seconds(30)
        /// How many times the provider is asked within ``window``, failures included; more fails with
        /// ``SockeyeError/Code-swift.struct/limitExceeded`` instead of hammering whoever issues the tokens. Default 5.
        public var maximumCount = 5
        /// The time that ``maximumCount`` is about. Default 30 s.
        public var window: Duration = .seconds(30)
        /// How long the provider may take before those who wait fail, and the next request asks anew. Default 60 s.
        public var timeout: Duration = .seconds(60)

        /// Makes the defaults named at each property.
        public init() {}
    }
}
