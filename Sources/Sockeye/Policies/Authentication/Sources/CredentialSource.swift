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
    var departed: Self? { get }

    /// Which challenges may be answered with what, the best first.
    func proposals(_ question: CredentialQuestion) async throws(SockeyeError) -> [(SupportedChallenge, Credential)]
}

extension CredentialSource {
    func unasked(for request: OutgoingRequest) -> Credential? { nil }

    func recalls(for request: OutgoingRequest) -> Bool { true }
}

/// A source that has its credentials at hand. Those of the URL go first.
protocol ReadyCredentialSource: CredentialSource {
    func credential(in realm: String, for request: OutgoingRequest) -> Credential?
}

extension ReadyCredentialSource {
    func holds(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool {
        self.credential(in: realm, for: request) == credential
    }

    func proposals(_ question: CredentialQuestion) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        if let credential = question.request.url.credential { return question.answered(with: credential) }
        return question.ranked.compactMap { challenge in
            credential(in: challenge.realm, for: question.request).map { (challenge, $0) }
        }
    }
}
