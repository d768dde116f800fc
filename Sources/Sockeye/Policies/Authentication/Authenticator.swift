import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// An authentication strategy of an ``AuthenticationPolicy``: adds credentials to requests and answers challenges.
protocol Authenticator: Sendable {
    /// The configured restrictions on the credentials. Whether they permit plain http to this machine also depends on
    /// the route by which the client sends such requests (`LoopbackRoute`). ``AuthenticationPolicy`` adds that route.
    var restrictions: CredentialRestrictions { get }

    /// Adds credentials to a request, if there are any.
    ///
    /// Called for requests that the restrictions permit and that have no Authorization field.
    ///
    /// - Parameter restrictions: The value of the property ``restrictions``, completed with the client's route.
    ///   `accepts` and `revise` get the same value.
    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        under restrictions: CredentialRestrictions
    ) throws(SockeyeError) -> Preparation

    /// Adds credentials if `prepare` returned `waiting`, for example because a token must be fetched first.
    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest

    /// Returns true if the response goes to the caller without a further attempt.
    ///
    /// Called for each 401 response. If the request has a credential of this policy, called for every other response
    /// too, because such a response may announce the next nonce.
    func accepts(
        _ response: IncomingResponse, of request: OutgoingRequest, under restrictions: CredentialRestrictions
    ) -> Bool

    /// The authenticator for calls to foreign origins. An origin is foreign to a scope (a client made with `scoped`) if
    /// it is neither the origin of the scope's base URL nor one of its trusted origins. Nil to send no credentials to
    /// foreign origins.
    var outsideScope: (any Authenticator)? { get }

    /// Answers the challenge of a response that was not accepted.
    func revise(
        _ response: IncomingResponse, of request: OutgoingRequest, in call: Call,
        under restrictions: CredentialRestrictions
    ) async throws(SockeyeError) -> IncomingResponse
}

extension Authenticator {
    /// This authenticator if the caller listed the origins that may receive the credentials. Otherwise nil: without
    /// such a list, foreign origins get no credentials.
    var outsideScope: (any Authenticator)? { restrictions.namesOrigins ? self : nil }

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest {
        request
    }

    func accepts(
        _ response: IncomingResponse, of request: OutgoingRequest, under restrictions: CredentialRestrictions
    ) -> Bool { true }

    func revise(
        _ response: IncomingResponse, of request: OutgoingRequest, in call: Call,
        under restrictions: CredentialRestrictions
    ) async throws(SockeyeError) -> IncomingResponse { response }
}

extension OutgoingRequest {
    /// Returns the request with an Authorization field of the policy.
    func authorized(_ authorization: String, as sent: SentCredential? = nil) -> OutgoingRequest {
        var request = self
        request.change { values in
            values.headers.append(.authorization, authorization)
            if let sent { values.options.sentCredential = sent }
        }
        return request
    }

    /// The request without the policy's Authorization field.
    var withoutSentCredential: OutgoingRequest {
        guard parts.options.sentCredential != nil else { return self }
        var request = self
        request.change { values in
            values.headers.removeAll(named: .authorization)
            values.options.sentCredential = nil
        }
        return request
    }
}

extension SockeyeError {
    /// Returns the error for a token provider that failed.
    static func authenticationFailed(_ message: String, _ cause: any Error) -> SockeyeError {
        var fields = Fields(.authenticationFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = cause
        return SockeyeError(fields)
    }
}
