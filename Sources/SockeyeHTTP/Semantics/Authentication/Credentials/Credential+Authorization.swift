import FoundationEssentials

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
