import SockeyeEngine
import SockeyeHTTP

/// A source of credentials for answers to challenges.
protocol CredentialSource: Sendable {
    /// A credential to send preemptively. Nil where the URL has one.
    func unasked(for request: OutgoingRequest) -> Credential?

    /// Whether a credential that was good for a realm still is the one to use.
    func holds(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool

    /// Whether a credential that the origin of a request was given before may be sent to it unasked.
    func recalls(for request: OutgoingRequest) -> Bool

    /// The variant for calls to other origins than that of its scope; nil: none.
    var outsideScope: Self? { get }

    /// The challenges with the credentials that may answer them, the best first.
    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(SupportedChallenge, Credential)]
}

extension CredentialSource {
    func unasked(for request: OutgoingRequest) -> Credential? { nil }

    func recalls(for request: OutgoingRequest) -> Bool { true }
}

/// A source that looks credentials up without waiting. Those of the URL go first.
protocol LookupCredentialSource: CredentialSource {
    func credential(in realm: String, for request: OutgoingRequest) -> Credential?
}

extension LookupCredentialSource {
    func holds(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool {
        self.credential(in: realm, for: request) == credential
    }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        if let credential = context.request.url.credential { return context.answered(with: credential) }
        return context.ranked.compactMap { challenge in
            credential(in: challenge.realm, for: context.request).map { (challenge, $0) }
        }
    }
}

/// A response with status 401 for which credentials are looked for.
struct ChallengeContext: Sendable {
    /// Without the credentials of the policy.
    let request: OutgoingRequest
    let response: IncomingResponse
    let challenges: [Challenge]
    /// Those of them that can be answered, the strongest first.
    let ranked: [SupportedChallenge]
    let failures: Int

    /// The same credential for each challenge.
    func answered(with credential: Credential) -> [(SupportedChallenge, Credential)] {
        ranked.map { ($0, credential) }
    }
}

/// A source of one user, for Digest challenges alone.
struct DigestCredentialSource: LookupCredentialSource {
    private let credential: Credential

    init(_ credential: Credential) {
        self.credential = credential
    }

    /// None: the user belongs to the origins of the scope.
    var outsideScope: DigestCredentialSource? { nil }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? { credential }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        let credential = context.request.url.credential ?? credential
        return context.answered(with: credential).filter { !$0.0.revealsCredential }
    }
}
