import SockeyeAuthentication

/// What a closure of the caller says.
struct HandledCredentials: CredentialSource {
    typealias Handler = @Sendable (AuthenticationChallenge) async throws -> AuthenticationDisposition

    private let storage: CredentialStorage?
    private let handler: Handler

    init(_ storage: CredentialStorage?, _ handler: @escaping Handler) {
        self.storage = storage
        self.handler = handler
    }

    /// Until it is refused: the handler is only asked about challenges.
    func holds(_ credential: Credential, in realm: String, for request: Request) -> Bool { true }

    func proposals(_ question: CredentialQuestion) async throws(SockeyeError) -> [(AnswerableChallenge, Credential)] {
        let challenge = AuthenticationChallenge(
            request: question.request, headers: question.response.headers, challenges: question.challenges,
            previousFailures: question.failures)
        do {
            switch try await handler(challenge) {
            case .useCredential(let credential): return question.answered(with: credential)
            case .performDefault:
                return try await StoredCredentials(storage ?? CredentialStorage()).proposals(question)
            case .cancel: return []
            case .fail(let error): throw error
            }
        } catch {
            throw SockeyeError(
                .authenticationFailed, wrapping: error, "the handler of challenges failed", request: question.request)
        }
    }
}
