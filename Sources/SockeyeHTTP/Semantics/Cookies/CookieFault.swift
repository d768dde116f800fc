extension ClientCookie {
    /// Why a cookie cannot be, or is not stored. Names no value, since that may be a secret.
    public enum Fault: Error, Sendable, Hashable {
        /// There is neither a name nor a value.
        case empty
        /// A control character, or bytes that are no UTF-8; of a cookie made by hand also `;`, blanks around name or value,
        /// or `=` in the name.
        case badCharacter
        /// Name and value have more than 4,096 bytes together, or the path more than 1,024.
        case tooLong
        /// The domain is no host name, or not the one that sets the cookie or one above it.
        case badDomain
        /// The path does not begin with `/`.
        case badPath
        /// The domain is one below which everybody may register names, such as `co.uk`.
        case publicSuffix
        /// A secure cookie set without TLS, or a cookie that would hide a secure one without TLS.
        case insecure
        /// The name promises what the cookie does not keep: `__Secure-`, `__Host-` (RFC 6265bis 4.1.3).
        case brokenPrefix
        /// SameSite=None without Secure (RFC 6265bis 5.7).
        case insecureSameSite
    }
}

extension ClientCookie.Fault: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .empty: "the cookie has neither a name nor a value"
        case .badCharacter: "the cookie has a character that is not allowed"
        case .tooLong: "the cookie is too long"
        case .badDomain: "the cookie is for a domain that is not its host's"
        case .badPath: "the cookie's path does not begin with a slash"
        case .publicSuffix: "the cookie is for a public suffix"
        case .insecure: "the cookie needs TLS"
        case .brokenPrefix: "the cookie does not keep what the prefix of its name promises"
        case .insecureSameSite: "a cookie with SameSite=None has to be secure"
        }
    }
}
