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
