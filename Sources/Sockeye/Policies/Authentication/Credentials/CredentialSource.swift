import SockeyeEngine
import SockeyeHTTP

/// Where the credentials come from that challenges are answered with.
protocol CredentialSource: Sendable {
    /// A credential to send although nobody has asked for it yet. Nil where the URL has one.
    func unasked(for request: OutgoingRequest) -> Credential?

    /// Whether a credential that was good for a realm still is the one to use.
    func holds(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool

    /// Whether a credential that the origin of a request was given before may be sent to it unasked.
    func recalls(for request: OutgoingRequest) -> Bool

    /// What is left of it for calls of a scope that lead to another origin than it was added for; nil where nothing is.
    var outsideScope: Self? { get }

    /// Which challenges may be answered with what, the best first.
    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(AnswerableChallenge, Credential)]
}

extension CredentialSource {
    func unasked(for request: OutgoingRequest) -> Credential? { nil }

    func recalls(for request: OutgoingRequest) -> Bool { true }
}

/// A source that has its credentials at hand. Those of the URL go first.
protocol LookupCredentialSource: CredentialSource {
    func credential(in realm: String, for request: OutgoingRequest) -> Credential?
}

extension LookupCredentialSource {
    func holds(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool {
        self.credential(in: realm, for: request) == credential
    }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(AnswerableChallenge, Credential)] {
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
    let ranked: [AnswerableChallenge]
    let failures: Int

    /// The same credential for each challenge.
    func answered(with credential: Credential) -> [(AnswerableChallenge, Credential)] {
        ranked.map { ($0, credential) }
    }
}

/// One user, for Digest alone.
struct DigestCredentialSource: LookupCredentialSource {
    private let credential: Credential

    init(_ credential: Credential) {
        self.credential = credential
    }

    /// Its user is known to the origins of the scope.
    var outsideScope: DigestCredentialSource? { nil }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? { credential }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(AnswerableChallenge, Credential)] {
        let credential = context.request.url.credential ?? credential
        return context.answered(with: credential).filter { !$0.0.revealsCredential }
    }
}
