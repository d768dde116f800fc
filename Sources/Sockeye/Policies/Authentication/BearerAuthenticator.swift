import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Bearer authentication (RFC 6750) with a provider's tokens: one token for all requests, and a new one when it expires
/// or after a 401.
struct BearerAuthenticator: Authenticator {
    let restrictions: CredentialRestrictions
    private let store: TokenStore

    init(_ store: TokenStore, _ restrictions: CredentialRestrictions) {
        self.store = store
        self.restrictions = restrictions
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        under restrictions: CredentialRestrictions
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.url.hasUserInfo else { return .ready }
        try restrictions.requirePrivacy(request)
        return store.addToken(to: &fields, at: time) ? .ready : .waiting
    }

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest {
        guard !store.isReentrant else { return request }
        return request.authorized(try await store.token(in: call))
    }

    func accepts(
        _ response: IncomingResponse, of request: OutgoingRequest, under restrictions: CredentialRestrictions
    ) -> Bool {
        // `revise` checks whether the request carried a token of this policy.
        response.statusCode != 401
    }

    func revise(
        _ response: IncomingResponse, of request: OutgoingRequest, in call: Call,
        under restrictions: CredentialRestrictions
    ) async throws(SockeyeError) -> IncomingResponse {
        guard case .token(let generation)? = request.parts.options.sentCredential, !store.isReentrant else {
            return response
        }
        guard request.body.canBeSent else {
            store.markRejected(generation)
            return response
        }
        call.record(request, .success(response), reason: .challenged)
        // Frees the connection first: the provider's request for a token may need it.
        let start = response.head.reader.start
        response.discardUnstored()
        let token: BearerTokenMachine.Issued
        do throws(SockeyeError) {
            token = try await store.token(insteadOf: generation, in: call)
        } catch {
            throw response.refusal(replacing: error, body: start)
        }
        return try await call.proceed(request.withoutSentCredential.authorized(token))
    }
}

extension OutgoingRequest {
    fileprivate func authorized(_ token: BearerTokenMachine.Issued) -> OutgoingRequest {
        authorized(token.authorization.value, as: .token(generation: token.generation))
    }
}

extension IncomingResponse {
    /// Returns `error`, which a token provider or a challenge handler caused, with this 401 response as its
    /// ``SockeyeError/response``.
    func refusal(replacing error: SockeyeError, body: Bytes) -> SockeyeError {
        let start = body.slice(0..<min(body.count, SockeyeError.Evidence.bodyLimit))
        let evidence = refusal(error.code, error.message, body: start).response
        return error.with { $0.response = evidence }.about(request)
    }
}
