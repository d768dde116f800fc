import FoundationEssentials

/// A credential: a user name with a password, or a token.
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

extension Credential {
    /// The Authorization value of Basic (RFC 7617) or Bearer (RFC 6750), whichever the credential is for.
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

    /// User and password as they are sent and hashed.
    var checkedPassword: (user: String, password: String) {
        get throws(CredentialFault) {
            guard case .password(let user, let password) = content else { throw .invalidToken }
            // Before anything is done with them that takes more time the longer they are.
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

/// Why credentials cannot be sent. Says nothing about what they are.
package enum CredentialFault: Error, Sendable, Hashable {
    /// The name has a colon, which ends it in Basic credentials (RFC 7617 2).
    case colonInUser
    /// User name or password hold a control character (RFC 7617 2).
    case controlCharacter
    /// User name or password has more than ``Credential/maximumLength`` bytes.
    case tooLong
    /// A token is empty, or holds something else than visible ASCII. RFC 6750 2.1 allows less, but tokens with `|` and
    /// `:` are in use.
    case invalidToken
}

extension CredentialFault: CustomStringConvertible {
    /// A sentence for people.
    package var description: String {
        switch self {
        case .colonInUser: "the user name has a colon, which Basic credentials cannot carry"
        case .controlCharacter: "the user name or the password holds a control character"
        case .tooLong: "the user name or the password has more than \(Credential.maximumLength) bytes"
        case .invalidToken: "the token is empty or holds something else than visible ASCII"
        }
    }
}
