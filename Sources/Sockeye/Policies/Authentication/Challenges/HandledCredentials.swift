import SockeyeEngine
import SockeyeHTTP

/// What a closure of the caller says.
struct HandledCredentials: CredentialSource {
    typealias Handler = @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition

    private let storage: CredentialStorage?
    private let handler: Handler
    /// Whether the calls lead out of the scope.
    private var isDeparted = false

    init(_ storage: CredentialStorage?, _ handler: @escaping Handler) {
        self.storage = storage
        self.handler = handler
    }

    /// Until it is refused: the handler is only asked about challenges.
    func holds(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool { true }

    /// Away from the scope's origins only what the handler gives to anybody is ever answered with, and so known.
    func recalls(for request: OutgoingRequest) -> Bool { isDeparted || !request.options.leftOrigin }

    var departed: HandledCredentials? {
        var departed = self
        departed.isDeparted = true
        return departed
    }

    func proposals(_ question: CredentialQuestion) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        let challenge = AuthenticationChallenge(
            request: question.request, headers: question.response.headers, challenges: question.challenges,
            previousFailures: question.failures,
            originWasAskedFor: !isDeparted && !question.request.options.leftOrigin)
        do {
            switch try await handler(challenge) {
            case .useCredential(let credential, let anywhere):
                return anywhere || challenge.originWasAskedFor ? question.answered(with: credential) : []
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
