import SockeyeEssentials

/// A credential: a user name with a password, or a token.
///
/// Descriptions and dumps show only its kind.
public struct Credential: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case password(user: String, password: String)
        case token(String)
    }

    let content: Content

    /// The maximum length of a user name, and of a password: 16,384 bytes of UTF-8. Most servers refuse a request head
    /// of this length.
    public static let maximumLength = 16_384

    /// Creates a credential for Basic (RFC 7617) and Digest (RFC 7616). User name and password are sent as UTF-8 in
    /// Normalization Form C, as RFC 8265 requires.
    ///
    /// Each of the two may have up to ``maximumLength`` bytes, and no control characters. For Basic, the user name may
    /// not have a colon. If one of these rules is violated, the request fails before the credential is sent.
    public static func user(_ user: String, password: String) -> Credential {
        Credential(content: .password(user: user, password: password))
    }

    /// Creates a credential for Bearer (RFC 6750). If the token is empty or has characters other than visible ASCII,
    /// the request fails before the token is sent.
    public static func bearer(_ token: String) -> Credential {
        Credential(content: .token(token))
    }

    /// The user name; nil for a token.
    public var user: String? {
        if case .password(let user, _) = content { user } else { nil }
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// The kind of the credential, `password` or `token`.
    public var description: String {
        switch content {
        case .password: "password"
        case .token: "token"
        }
    }

    /// A mirror of the description only.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Credential {
    /// The Authorization value, of Basic (RFC 7617) for passwords and of Bearer (RFC 6750) for tokens.
    package var authorization: String {
        get throws(CredentialFault) {
            switch content {
            case .password:
                let (user, password) = try checkedPassword
                guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
                return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
            case .token(let token):
                guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .invalidToken }
                return "Bearer " + token
            }
        }
    }

    /// User name and password in the form in which they are sent and hashed.
    var checkedPassword: (user: String, password: String) {
        get throws(CredentialFault) {
            guard case .password(let user, let password) = content else { throw .invalidToken }
            // Checked first, because the following steps take more time for longer strings.
            guard user.utf8.count <= Self.maximumLength, password.utf8.count <= Self.maximumLength else {
                throw .tooLong
            }
            guard !Self.holdsControl(user), !Self.holdsControl(password) else { throw .controlCharacter }
            return (user.canonicallyComposed, password.canonicallyComposed)
        }
    }

    private static func holdsControl(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

/// The reason why a credential cannot be sent. It contains no part of the credential.
package enum CredentialFault: Error, Sendable, Hashable {
    /// The user name has a colon, which would end it in Basic credentials (RFC 7617 2).
    case colonInUser
    /// The user name or password has a control character (RFC 7617 2).
    case controlCharacter
    /// The user name or password exceeds ``Credential/maximumLength`` bytes.
    case tooLong
    /// The token is empty or has other characters than visible ASCII. RFC 6750 2.1 allows fewer characters, but tokens
    /// with `|` and `:` are in use.
    case invalidToken
}

extension CredentialFault: CustomStringConvertible {
    /// The text for error messages.
    package var description: String {
        switch self {
        case .colonInUser: "the user name has a colon, which Basic credentials cannot carry"
        case .controlCharacter: "the user name or the password contains a control character"
        case .tooLong: "the user name or the password has more than \(Credential.maximumLength) bytes"
        case .invalidToken: "the token is empty or has characters other than visible ASCII"
        }
    }
}
