import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Tokens of a provider: one for all requests, a new one when it is refused.
struct BearerAuthenticator: AuthenticationWay {
    let reach: CredentialReach
    private let keeper: TokenKeeper

    init(_ keeper: TokenKeeper, _ reach: CredentialReach) {
        self.keeper = keeper
        self.reach = reach
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try reach.requirePrivacy(request)
        return keeper.addToken(to: &fields, at: time) ? .ready : .waiting
    }

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest {
        guard !keeper.isAsking else { return request }
        return request.authorized(try await keeper.token(in: call))
    }

    func accepts(_ response: IncomingResponse, of request: OutgoingRequest) -> Bool {
        // Whether it was this policy's token that was refused is told when it matters.
        response.statusCode != 401
    }

    func revise(_ response: IncomingResponse, of request: OutgoingRequest, in call: Call) async throws(SockeyeError)
        -> IncomingResponse
    {
        guard case .token(let generation)? = request.parts.options.sentCredential, !keeper.isAsking else {
            return response
        }
        guard request.body.isReplayable else {
            keeper.doubt(generation)
            return response
        }
        call.record(request, .success(response), reason: .challenged)
        let token: BearerTokenMachine.Issued
        do throws(SockeyeError) {
            token = try await keeper.token(insteadOf: generation, in: call)
        } catch {
            throw await response.refusal(replacing: error)
        }
        response.discard()
        return try await call.proceed(request.withoutSentCredential.authorized(token))
    }
}

extension OutgoingRequest {
    fileprivate func authorized(_ token: BearerTokenMachine.Issued) -> OutgoingRequest {
        authorized(token.authorization.value, as: .token(generation: token.generation))
    }
}

extension IncomingResponse {
    /// The error of a challenge that nobody could answer, with the challenge as evidence.
    func refusal(replacing error: SockeyeError) async -> SockeyeError {
        let evidence = await refusal(error.code, error.message).response
        return error.with { $0.response = evidence }.about(request)
    }
}
