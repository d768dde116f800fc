/// What was answered in one call, so that it comes to an end: a credential once for each realm and scheme, and once more
/// when only the nonce was too old (RFC 7616 3.3). Pure.
package struct ChallengeRound: Sendable {
    private struct Try: Hashable {
        let realm: String
        let credential: Credential
        let revealed: Bool
    }

    /// The most answers of one call, whatever the credentials.
    package static let maximumAnswers = 8

    private var tried: Set<Try> = []
    private var nonces: Set<String> = []
    private var wasStale = false
    /// How many answers were refused.
    package private(set) var failures = 0
    private var answers = 0

    package init() {}

    /// Notes what a request took along before anything was asked.
    package mutating func sent(_ credential: Credential, realm: String, nonce: String?) {
        // With an old nonce the credential was not refused: a new challenge deserves an answer.
        if let nonce {
            nonces.insert(nonce)
        } else {
            tried.insert(Try(realm: realm, credential: credential, revealed: true))
        }
    }

    /// Whether to answer a challenge with a credential; an answer is expected to follow.
    package mutating func permits(_ challenge: AnswerableChallenge, _ credential: Credential) -> Bool {
        guard answers < Self.maximumAnswers, challenge.fits(credential) else { return false }
        let attempt = Try(realm: challenge.realm, credential: credential, revealed: challenge.revealsCredential)
        if case .digest(let digest) = challenge.method {
            let isNew = nonces.insert(digest.nonce).inserted
            if tried.contains(attempt) {
                guard digest.isStale, isNew, !wasStale else { return false }
                wasStale = true
            }
        } else if tried.contains(attempt) {
            return false
        }
        tried.insert(attempt)
        answers += 1
        return true
    }

    /// Notes that an answer was refused.
    package mutating func refused() { failures += 1 }
}
