extension ClientCookie {
    /// How much a jar of cookies holds, and sends. The defaults are those of RFC 6265bis 5.7 where it has some, and else
    /// curl's.
    public struct Limits: Sendable, Hashable {
        /// How many cookies of one response are looked at. Default 50; the further ones are left out.
        public var cookiesPerResponse = 50
        /// How many cookies one domain may have. Default 180; past it those that are not secure go first, and of them the
        /// ones that were sent least recently.
        public var cookiesPerDomain = 180
        /// How many cookies there may be in all. Default 3,000; past it those go that were sent least recently.
        public var cookies = 3000
        /// How many cookies one request carries. Default 150; those with the longer paths first.
        public var cookiesPerRequest = 150
        /// The most bytes of a Cookie field. Default 8,190; cookies that would exceed it are left out. What the caller sets
        /// in that field counts, and is never shortened.
        public var fieldLength = 8190

        /// Makes the defaults named at each property.
        public init() {}
    }
}
