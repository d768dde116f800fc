/// The authentication attempts of one call, which bound it: a credential once for each realm and scheme, and once more
/// for a stale nonce (RFC 7616 3.3).
package struct AuthenticationAttempts: Sendable {
    private struct Try: Hashable {
        let realm: String
        let credential: Credential
        let isDigest: Bool
    }

    /// The most answers of one call, whatever the credentials.
    package static let maximumAnswers = 8

    private var tried: Set<Try> = []
    private var nonces: Set<String> = []
    /// Sent in full before there was a challenge, and so for any realm.
    private var revealed: Set<Credential> = []
    /// Sent with a nonce that may have been too old without the server saying so, as after it was started anew.
    private var remembered: Try?
    private var wasStale = false
    private var answers = 0
    /// How many times credentials were refused.
    package private(set) var failures = 0

    package init() {}

    /// Notes credentials that a request took along before anything was asked, and that were refused.
    ///
    /// - Parameter nonce: Nil where they were sent in full.
    package mutating func sent(_ credential: Credential, realm: String, nonce: String?) {
        failures += 1
        guard let nonce else {
            revealed.insert(credential)
            return
        }
        nonces.insert(nonce)
        let attempt = Try(realm: realm, credential: credential, isDigest: true)
        tried.insert(attempt)
        remembered = attempt
    }

    /// Whether to answer a challenge with a credential.
    package func permits(_ challenge: SupportedChallenge, _ credential: Credential) -> Bool {
        guard answers < Self.maximumAnswers, challenge.fits(credential) else { return false }
        let attempt = attempt(challenge, credential)
        guard case .digest(let digest) = challenge.method else {
            return !tried.contains(attempt) && !revealed.contains(credential)
        }
        guard tried.contains(attempt) else { return true }
        return !nonces.contains(digest.nonce) && (attempt == remembered || (digest.isStale && !wasStale))
    }

    /// Notes that a challenge is answered.
    package mutating func answered(_ challenge: SupportedChallenge, with credential: Credential) {
        answers += 1
        let attempt = attempt(challenge, credential)
        let isFirst = tried.insert(attempt).inserted
        guard case .digest(let digest) = challenge.method else { return }
        nonces.insert(digest.nonce)
        if attempt == remembered {
            remembered = nil
        } else if !isFirst {
            wasStale = true
        }
    }

    /// Notes that a challenge is answered with the credential that was refused for the age of its nonce only: it did
    /// not fail.
    package mutating func renewed(_ challenge: SupportedChallenge, with credential: Credential) {
        failures -= 1
        answered(challenge, with: credential)
    }

    /// Notes that an answer was refused.
    package mutating func refused() { failures += 1 }

    private func attempt(_ challenge: SupportedChallenge, _ credential: Credential) -> Try {
        Try(realm: challenge.realm, credential: credential, isDigest: !challenge.revealsCredential)
    }
}
