/// What proves who sends a request: a user with a password, or a token.
///
/// Neither description nor dump show it.
public struct Credential: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case password(user: String, password: String)
        case token(String)
    }

    let content: Content

    /// The longest user name, and the longest password, in bytes of UTF-8: 16,384, more than the heads of requests that
    /// servers take. A request with a longer one fails before it is sent.
    public static let maximumLength = 16_384

    /// A user name and a password, for Basic (RFC 7617) and Digest (RFC 7616). Both are sent as UTF-8 in Normalization
    /// Form C, as RFC 8265 wants them, and have ``maximumLength`` bytes at most.
    public static func user(_ user: String, password: String) -> Credential {
        Credential(content: .password(user: user, password: password))
    }

    /// A token for Bearer (RFC 6750).
    public static func bearer(_ token: String) -> Credential {
        Credential(content: .token(token))
    }

    /// The name of the user; nil of a token.
    public var user: String? {
        if case .password(let user, _) = content { user } else { nil }
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// For example `password` or `token`: which kind it is and no more.
    public var description: String {
        switch content {
        case .password: "password"
        case .token: "token"
        }
    }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
