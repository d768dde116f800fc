package import SockeyeCore
import SockeyeEssentials

/// A Digest session: one nonce of a server, and the answers made with it (RFC 7616 3.4).
///
/// Each new nonce, from a challenge or from Authentication-Info, starts a new session with its own client nonce. For
/// the `-sess` algorithms the session also has its own key, made from both nonces. Each answer contains both
/// nonces that it was computed from, so a server can check the answer without remembering earlier answers.
package struct DigestSession: Sendable {
    package let challenge: DigestChallenge
    private let credential: Credential
    private let clientNonce: String
    /// The user name as sent, including the name of its parameter.
    private let user: String
    /// The hash of user name, realm and password, for the `-sess` algorithms also of the nonces (A1 of RFC 7616 3.4.2).
    private let key: String
    /// The number of answers made.
    package private(set) var count: UInt32 = 0

    /// - Parameter clientNonce: An unpredictable string without quotes and backslashes: it is sent in quotes,
    ///   unescaped.
    /// - Returns: Nil if the hash function is unavailable, or if the credential is a token.
    /// - Throws: ``CredentialFault`` if the user name or password cannot be sent.
    package init?(
        _ challenge: DigestChallenge, _ credential: Credential, clientNonce: String
    ) throws(CredentialFault) {
        guard credential.user != nil else { return nil }
        let (user, password) = try credential.checkedPassword
        let hash = challenge.algorithm.hash
        guard var key = hash.hexadecimal(of: "\(user):\(challenge.realm):\(password)"),
            let hashedUser = hash.hexadecimal(of: "\(user):\(challenge.realm)")
        else { return nil }
        if challenge.algorithm.isSession {
            guard let sessionKey = hash.hexadecimal(of: "\(key):\(challenge.nonce):\(clientNonce)") else { return nil }
            key = sessionKey
        }
        self.challenge = challenge
        self.credential = credential
        self.clientNonce = clientNonce
        self.key = key
        if challenge.hashesUser {
            self.user = "username=\"\(hashedUser)\""
        } else if challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) {
            self.user = "username*=UTF-8''\(PercentEncoding.encode(user))"
        } else {
            self.user = "username=\(FieldText.quoted(user))"
        }
    }

    /// Returns a client nonce: 128 bits from the system's random generator.
    package static func randomClientNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }).base64EncodedString()
    }

    /// Returns a new session with another nonce.
    package func renewed(nonce: String, clientNonce: String) throws(CredentialFault) -> DigestSession? {
        try DigestSession(challenge.renewed(nonce), credential, clientNonce: clientNonce)
    }

    /// Reserves the next count for an answer that is made later. To make that answer, the caller uses a copy of this
    /// session from before the call: ``answer(_:)`` on the copy uses the reserved count.
    ///
    /// - Returns: False, without a change, if the content must be protected but is not in memory.
    mutating func countAnswer(hasContent: Bool) -> Bool {
        guard hasContent || challenge.protection != .content else { return false }
        count &+= 1
        return true
    }

    /// Returns the Authorization value for a request, and increments the counter.
    ///
    /// - Returns: Nil if the content must be protected but is not in memory, or if the hash function is unavailable.
    package mutating func answer(_ request: DigestRequest) -> String? {
        guard let subject = subject(request) else { return nil }
        count &+= 1
        let hash = challenge.algorithm.hash
        var fields = [
            user, "realm=\(FieldText.quoted(challenge.realm))", "nonce=\(FieldText.quoted(challenge.nonce))",
            "uri=\(FieldText.quoted(request.target))",
        ]
        let response: String?
        if challenge.protection == .legacy {
            response = hash.hexadecimal(of: "\(key):\(challenge.nonce):\(subject)")
            if challenge.algorithm.isSession { fields.append("cnonce=\"\(clientNonce)\"") }
        } else {
            let quality = challenge.protection == .content ? "auth-int" : "auth"
            let digits = String(count, radix: 16)
            let counter = String(repeating: "0", count: 8 - digits.utf8.count) + digits
            response = hash.hexadecimal(
                of: "\(key):\(challenge.nonce):\(counter):\(clientNonce):\(quality):\(subject)")
            fields += ["cnonce=\"\(clientNonce)\"", "nc=\(counter)", "qop=\(quality)"]
        }
        guard let response else { return nil }
        fields.append("response=\"\(response)\"")
        if let opaque = challenge.opaque { fields.append("opaque=\(FieldText.quoted(opaque))") }
        // A server that does not name the algorithm may not know the parameter.
        if challenge.namesAlgorithm { fields.append("algorithm=\(challenge.algorithm.rawValue)") }
        if challenge.hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    /// Returns the hash of the protected parts (A2 of RFC 7616 3.4.3); nil if the content must be protected but is not
    /// in memory, or if the hash function is unavailable.
    private func subject(_ request: DigestRequest) -> String? {
        let hash = challenge.algorithm.hash
        guard challenge.protection == .content else {
            return hash.hexadecimal(of: "\(request.method):\(request.target)")
        }
        guard let content = request.content, let entity = hash.hexadecimal(of: content) else { return nil }
        return hash.hexadecimal(of: "\(request.method):\(request.target):\(entity)")
    }
}

/// The parts of a request that the answer to a Digest challenge covers.
package struct DigestRequest: Sendable {
    let method: String
    let target: String
    let content: Bytes?
    /// True if the content is in memory and so can be protected.
    package var hasContent: Bool { content != nil }

    /// - Parameters:
    ///   - target: The request target exactly as it is sent.
    ///   - content: Nil if the content is not in memory and so cannot be protected.
    package init(method: String, target: String, content: Bytes?) {
        self.method = method
        self.target = target
        self.content = content
    }
}
