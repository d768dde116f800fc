import SockeyeEngine
import SockeyeHTTP

/// One user, for Digest alone.
struct DigestCredential: ReadyCredentialSource {
    private let credential: Credential

    init(_ credential: Credential) {
        self.credential = credential
    }

    /// Its user is known to the origins of the scope.
    var departed: DigestCredential? { nil }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? { credential }

    func proposals(_ question: CredentialQuestion) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        let credential = question.request.url.credential ?? credential
        return question.answered(with: credential).filter { !$0.0.revealsCredential }
    }
}
