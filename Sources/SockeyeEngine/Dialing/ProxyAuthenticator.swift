import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// Answers the challenges of one proxy and remembers the answers for the next requests to that proxy.
final class ProxyAuthenticator: Sendable {
    private let address: ProxyAddress
    private let authentication: Proxy.Authentication
    private let memory = Mutex(ProtectionSpaceStore())

    init(_ address: ProxyAddress, _ authentication: Proxy.Authentication) {
        self.address = address
        self.authentication = authentication
    }

    /// True if the credentials are those of the proxy's URL.
    var isOfURL: Bool { if case .url = authentication.source { true } else { false } }

    /// Returns true if this authenticator and `other` have equal credentials. User and password of the URL are part of
    /// the address, which the caller compares. False for closures, which cannot be compared.
    func isSame(as other: ProxyAuthenticator) -> Bool {
        switch (authentication.source, other.authentication.source) {
        case (.url, .url): true
        case (.credential(let own, let unasked), .credential(let others, let othersUnasked)):
            own == others && unasked == othersUnasked
        default: false
        }
    }

    /// Hashes the credential that ``isSame(as:)`` compares.
    func hash(into hasher: inout Hasher) {
        guard case .credential(let credential, _) = authentication.source else { return }
        hasher.combine(credential)
    }

    /// True if a closure gives the credentials. The authenticator is then equal to no other.
    var hasHandler: Bool { if case .handler = authentication.source { true } else { false } }

    /// The credential that is sent before the proxy asks for credentials; nil if the client waits for a challenge.
    var unaskedCredential: Credential? {
        switch authentication.source {
        case .url: address.user.map { .user($0, password: address.password ?? "") }
        case .credential(let credential, isUnasked: true): credential
        case .credential, .handler: nil
        }
    }

    /// Throws if the unasked credential cannot be sent.
    func check() throws(CredentialFault) {
        _ = try unaskedCredential?.authorization
    }

    /// The credentials that go with a request from the start: the answer to an earlier challenge, or else the unasked
    /// credential. Nil if there is neither.
    func unasked(for request: DigestRequest) -> ChallengeAnswer? {
        var draft = memory.withLock { memory in
            memory.isEmpty
                ? nil : memory.draft(at: address.origin, hasContent: request.hasContent) { _, _, _ in true }
        }
        // Computes the answer outside of the lock, because all requests to the proxy take that lock.
        if let remembered = draft?.answer(request) { return remembered }
        guard let credential = unaskedCredential, let authorization = try? credential.authorization else { return nil }
        return ChallengeAnswer(authorization: authorization, credential: credential, realm: "", nonce: nil)
    }

    /// Returns the answer to a proxy's challenges; nil if there is no credential for them, or if all attempts are used
    /// up.
    ///
    /// - Parameter values: The values of Proxy-Authenticate.
    func answer(
        _ values: [String], to request: DigestRequest, _ round: inout ProxyAuthenticationRound, _ runner: DeadlineRunner
    ) async throws(SockeyeError) -> ChallengeAnswer? {
        let refused = round.sent
        round.noteRefusal()
        if let refused { memory.withLock { $0.forget(refused, of: address.origin.origin) } }
        let challenges = ChallengeParser.challenges(in: values)
        guard !challenges.isEmpty, !round.attempts.areExhausted else { return nil }
        let ranked = SupportedChallenge.ranked(challenges)
        if let refused, let answer = try renewed(refused, ranked, request, &round) { return answer }
        guard let credential = try await credential(for: challenges, round.attempts.failures, runner) else {
            return nil
        }
        for challenge in ranked where round.attempts.permits(challenge, credential) {
            guard let answer = try answer(challenge, credential, request) else { continue }
            round.answered(challenge, answer)
            return answer
        }
        return nil
    }

    /// Answers with the same credential and another nonce, if the refused answer merely had a stale nonce (RFC 7616
    /// 3.3).
    private func renewed(
        _ refused: ChallengeAnswer, _ ranked: [SupportedChallenge], _ request: DigestRequest,
        _ round: inout ProxyAuthenticationRound
    ) throws(SockeyeError) -> ChallengeAnswer? {
        guard refused.nonce != nil else { return nil }
        for challenge in ranked where challenge.isStale && challenge.realm == refused.realm {
            guard round.attempts.permits(challenge, refused.credential),
                let answer = try answer(challenge, refused.credential, request)
            else { continue }
            round.renewed(challenge, answer)
            return answer
        }
        return nil
    }

    private func credential(
        for challenges: [Challenge], _ failures: Int, _ runner: DeadlineRunner
    ) async throws(SockeyeError) -> Credential? {
        switch authentication.source {
        case .url: return address.user.map { .user($0, password: address.password ?? "") }
        case .credential(let credential, _): return credential
        case .handler(let handler):
            let question = Proxy.CredentialRequest(
                proxy: address.description, challenges: challenges, previousFailures: failures)
            let answer: Result<Credential?, any Error>
            do throws(TransportError) {
                answer = try await runner.run { try await handler(question) }
            } catch {
                throw SockeyeError(error, phase: .prepare)
            }
            do { return try answer.get() } catch { throw .proxyCredentialsFailed(error, address) }
        }
    }

    private func answer(
        _ challenge: SupportedChallenge, _ credential: Credential, _ request: DigestRequest
    ) throws(SockeyeError) -> ChallengeAnswer? {
        do throws(CredentialFault) {
            guard
                var draft = try ProtectionSpaceStore.Draft(
                    challenge, with: credential, at: address.origin, isForProxy: true,
                    clientNonce: DigestSession.randomClientNonce),
                let answer = draft.answer(request)
            else { return nil }
            memory.withLock { [draft] in $0.remember(draft, at: address.origin) }
            return answer
        } catch {
            throw .badProxy(error.description)
        }
    }

    /// Adopts the next nonce, which a response may announce in Proxy-Authentication-Info (RFC 7615, RFC 7616 3.5).
    func note(_ info: String, to sent: ChallengeAnswer) {
        guard let nonce = sent.nonce, let next = AuthenticationInfo(info).nextNonce else { return }
        memory.withLock {
            $0.renew(nonce, of: address.origin.origin, by: next, clientNonce: DigestSession.randomClientNonce())
        }
    }
}

/// The attempts so far to authenticate to a proxy, for one call or one tunnel.
struct ProxyAuthenticationRound: Sendable {
    fileprivate(set) var attempts = AuthenticationAttempts()
    /// The answer that was sent last; nil if no credentials were sent yet.
    fileprivate(set) var sent: ChallengeAnswer?
    /// True until the first refusal. If the first request carried credentials, that refusal concerns them.
    private var isFirst = true

    init(unasked sent: ChallengeAnswer?) {
        self.sent = sent
    }

    fileprivate mutating func noteRefusal() {
        defer { isFirst = false }
        guard isFirst else { return attempts.refused() }
        if let sent { attempts.refusedPreemptive(sent.credential, realm: sent.realm, nonce: sent.nonce) }
    }

    fileprivate mutating func answered(_ challenge: SupportedChallenge, _ answer: ChallengeAnswer) {
        attempts.answered(challenge, with: answer.credential)
        sent = answer
    }

    fileprivate mutating func renewed(_ challenge: SupportedChallenge, _ answer: ChallengeAnswer) {
        attempts.renewed(challenge, with: answer.credential)
        sent = answer
    }
}
