import SockeyeEngine
import SockeyeHTTP

/// A credential source that calls the caller's challenge handler.
struct CallbackCredentialSource: CredentialSource {
    typealias Handler = @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition

    private let storage: Credential.Storage?
    private let handler: Handler
    /// True for calls from a scope to other origins than that of its base URL.
    private var isOutsideScope = false

    init(_ storage: Credential.Storage?, _ handler: @escaping Handler) {
        self.storage = storage
        self.handler = handler
    }

    /// Always true. A remembered credential stays current until it is rejected, because the handler is called only for
    /// challenges.
    func isCurrent(_ credential: Credential, in realm: String, for request: OutgoingRequest) -> Bool { true }

    /// Always true outside the scope, where only credentials that the handler gave with `anywhere` are remembered.
    func mayReuseAnswer(for request: OutgoingRequest) -> Bool { isOutsideScope || !request.options.leftOrigin }

    var outsideScope: CallbackCredentialSource? {
        var outsideScope = self
        outsideScope.isOutsideScope = true
        return outsideScope
    }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [(SupportedChallenge, Credential)] {
        let challenge = AuthenticationChallenge(
            request: context.request, headers: context.response.headers, challenges: context.challenges,
            previousFailures: context.failures,
            isFromRequestedOrigin: !isOutsideScope && !context.request.options.leftOrigin)
        do {
            switch try await handler(challenge) {
            case .useCredential(let credential, let anywhere):
                return anywhere || challenge.isFromRequestedOrigin ? context.pairs(with: credential) : []
            case .performDefault:
                return try await StorageCredentialSource(storage ?? Credential.Storage()).proposals(context)
            case .cancel: return []
            case .fail(let error): throw error
            }
        } catch {
            throw SockeyeError(
                .authenticationFailed, wrapping: error, "the challenge handler threw an error", request: context.request
            )
        }
    }
}
