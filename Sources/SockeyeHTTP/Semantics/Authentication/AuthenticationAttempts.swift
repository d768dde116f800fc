/// The authentication attempts of one call and their limits. Each credential is tried once per realm and scheme. A
/// Digest credential is tried again if the server refused a nonce remembered from an earlier call. It is also tried
/// again, once per call, if a nonce was stale (RFC 7616 3.3).
package struct AuthenticationAttempts: Sendable {
    private struct Attempt: Hashable {
        let realm: String
        let credential: Credential
        let isDigest: Bool
    }

    /// The maximum number of challenges that one call answers, counted over all credentials.
    package static let maximumAnswers = 8

    private var attempts: Set<Attempt> = []
    private var nonces: Set<String> = []
    /// Credentials sent in full (by Basic or Bearer) before there was a challenge. They count as tried for every realm.
    private var sentInFull: Set<Credential> = []
    /// The attempt with a remembered nonce. The server may refuse this nonce without calling it stale, for example
    /// after a restart.
    private var attemptWithRememberedNonce: Attempt?
    private var wasStale = false
    private var answers = 0
    /// The number of times that credentials were refused.
    package private(set) var failures = 0

    package init() {}

    /// Records that the server refused credentials which a request sent preemptively.
    ///
    /// - Parameter nonce: The nonce of a Digest answer; nil if the credential was sent in full (by Basic or Bearer).
    package mutating func refusedPreemptive(_ credential: Credential, realm: String, nonce: String?) {
        failures += 1
        guard let nonce else {
            sentInFull.insert(credential)
            return
        }
        nonces.insert(nonce)
        let attempt = Attempt(realm: realm, credential: credential, isDigest: true)
        attempts.insert(attempt)
        attemptWithRememberedNonce = attempt
    }

    /// True if the call may answer no further challenge.
    package var areExhausted: Bool { answers >= Self.maximumAnswers }

    /// Returns true if the call may answer a challenge with a credential.
    package func permits(_ challenge: SupportedChallenge, _ credential: Credential) -> Bool {
        guard !areExhausted, challenge.fits(credential) else { return false }
        let attempt = attempt(challenge, credential)
        guard case .digest(let digest) = challenge.method else {
            return !attempts.contains(attempt) && !sentInFull.contains(credential)
        }
        guard attempts.contains(attempt) else { return true }
        return !nonces.contains(digest.nonce)
            && (attempt == attemptWithRememberedNonce || (digest.isStale && !wasStale))
    }

    /// Records that a challenge is answered.
    package mutating func answered(_ challenge: SupportedChallenge, with credential: Credential) {
        answers += 1
        let attempt = attempt(challenge, credential)
        let isFirst = attempts.insert(attempt).inserted
        guard case .digest(let digest) = challenge.method else { return }
        nonces.insert(digest.nonce)
        if attempt == attemptWithRememberedNonce {
            attemptWithRememberedNonce = nil
        } else if !isFirst {
            wasStale = true
        }
    }

    /// Records that a challenge is answered with a credential that was refused only because its nonce was too old.
    /// Such a refusal is not a failure of the credential. ``failures`` already counts it, and is reduced by one.
    package mutating func renewed(_ challenge: SupportedChallenge, with credential: Credential) {
        failures -= 1
        answered(challenge, with: credential)
    }

    /// Records that an answer was refused.
    package mutating func refused() { failures += 1 }

    private func attempt(_ challenge: SupportedChallenge, _ credential: Credential) -> Attempt {
        Attempt(realm: challenge.realm, credential: credential, isDigest: !challenge.revealsCredential)
    }
}
