import SockeyeEngine
import SockeyeHTTP

/// A source of credentials for answering challenges.
protocol CredentialSource: Sendable {
    /// Returns a credential to send without a challenge; nil to wait for one. A source also returns nil if the URL has
    /// a user name and a password, because they take precedence over its own credential and are sent only after a
    /// challenge.
    func preemptiveCredential(for request: OutgoingRequest) -> Credential?

    /// Returns true if a credential that a realm accepted before is still the current one for the request; false, for
    /// example, if the URL of the request names another user.
    ///
    /// - Parameter isDefault: See ``CredentialProposal/isDefault``.
    func isCurrent(_ credential: Credential, isDefault: Bool, in realm: String, for request: OutgoingRequest) -> Bool

    /// Returns true if a credential that the request's origin accepted before may be sent again without a challenge.
    func mayReuseAnswer(for request: OutgoingRequest) -> Bool

    /// The variant of this source for calls to foreign origins; nil if such calls get no credentials. An origin is
    /// foreign to a scope (a client made with `scoped`) if it is neither the origin of the scope's base URL nor a
    /// trusted origin of the scope.
    var outsideScope: Self? { get }

    /// Returns pairs of a challenge and a credential that may answer it, the best pair first.
    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [CredentialProposal]
}

/// A challenge with a credential that may answer it.
struct CredentialProposal: Sendable {
    let challenge: SupportedChallenge
    let credential: Credential
    /// True if a challenge handler chose `performDefault`. The credential then comes from the URL or from the policy's
    /// ``Credential/Storage``.
    var isDefault = false
}

extension CredentialSource {
    func preemptiveCredential(for request: OutgoingRequest) -> Credential? { nil }

    func mayReuseAnswer(for request: OutgoingRequest) -> Bool { true }
}

/// A source that looks up credentials without suspending. Credentials in the URL take precedence.
protocol LookupCredentialSource: CredentialSource {
    func credential(in realm: String, for request: OutgoingRequest) -> Credential?
}

extension LookupCredentialSource {
    func isCurrent(_ credential: Credential, isDefault: Bool, in realm: String, for request: OutgoingRequest) -> Bool {
        (request.url.credential ?? self.credential(in: realm, for: request)) == credential
    }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [CredentialProposal] {
        if let credential = context.request.url.credential { return context.proposals(of: credential) }
        return context.ranked.compactMap { challenge in
            credential(in: challenge.realm, for: context.request).map {
                CredentialProposal(challenge: challenge, credential: $0)
            }
        }
    }
}

/// A 401 response for which credentials are needed.
struct ChallengeContext: Sendable {
    /// The rejected request, without the credentials that the ``AuthenticationPolicy`` added.
    let request: OutgoingRequest
    let response: IncomingResponse
    let challenges: [Challenge]
    /// The supported challenges, the strongest first.
    let ranked: [SupportedChallenge]
    /// See ``AuthenticationChallenge/previousFailures``.
    let failures: Int
    /// The context of the call, which limits the time for asking the source.
    let call: CallContext

    /// Pairs each challenge with the same credential.
    func proposals(of credential: Credential) -> [CredentialProposal] {
        ranked.map { CredentialProposal(challenge: $0, credential: credential) }
    }
}

/// A source with the credential of one user. The source answers only Digest challenges.
struct DigestCredentialSource: LookupCredentialSource {
    private let credential: Credential

    init(_ credential: Credential) {
        self.credential = credential
    }

    /// Nil: the credential is meant only for the origins of the scope.
    var outsideScope: DigestCredentialSource? { nil }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? { credential }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [CredentialProposal] {
        let credential = context.request.url.credential ?? credential
        return context.proposals(of: credential).filter { !$0.challenge.revealsCredential }
    }
}
