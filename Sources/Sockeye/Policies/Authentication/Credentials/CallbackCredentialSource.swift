import SockeyeEngine
import SockeyeHTTP

/// A credential source that calls the caller's challenge handler.
struct CallbackCredentialSource: CredentialSource {
    typealias Handler = @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition

    /// The source of the credentials for `performDefault`.
    private let defaults: StorageCredentialSource
    private let handler: Handler
    /// True for calls to an origin that is neither the origin of the client's base URL nor trusted by the client (see
    /// `scoped` of ``HTTPClient``).
    private var isOutsideScope = false

    init(_ storage: Credential.Storage?, _ handler: @escaping Handler) {
        defaults = StorageCredentialSource(storage ?? Credential.Storage())
        self.handler = handler
    }

    /// Unless the URL names another user or password, a credential that the handler returned is current until a server
    /// rejects it. A credential of `performDefault` is current only while it is in the URL or the storage.
    func isCurrent(_ credential: Credential, isDefault: Bool, in realm: String, for request: OutgoingRequest) -> Bool {
        guard !isDefault else { return defaults.isCurrent(credential, isDefault: true, in: realm, for: request) }
        guard let own = request.url.credential else { return true }
        return request.url.password == nil ? own.user == credential.user : own == credential
    }

    /// In the client's scope (see ``isOutsideScope``), false after a redirect to another origin, so that the handler
    /// decides again before a credential is sent. Outside of the scope, always true: there, a credential of the handler
    /// was accepted only with `anywhere`, which permits every origin.
    func mayReuseAnswer(for request: OutgoingRequest) -> Bool { isOutsideScope || !request.options.leftOrigin }

    var outsideScope: CallbackCredentialSource? {
        var outsideScope = self
        outsideScope.isOutsideScope = true
        return outsideScope
    }

    func proposals(_ context: ChallengeContext) async throws(SockeyeError) -> [CredentialProposal] {
        let challenge = AuthenticationChallenge(
            request: context.request, headers: context.response.headers, challenges: context.challenges,
            previousFailures: context.failures,
            isFromRequestedOrigin: !isOutsideScope && !context.request.options.leftOrigin)
        do {
            switch try await context.call.run(in: .prepare, { [handler] in try await handler(challenge) }) {
            case .useCredential(let credential, let anywhere):
                return anywhere || challenge.isFromRequestedOrigin ? context.proposals(of: credential) : []
            case .performDefault:
                return try await defaults.proposals(context).map {
                    CredentialProposal(challenge: $0.challenge, credential: $0.credential, isDefault: true)
                }
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
