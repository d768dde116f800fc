import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// An authentication strategy: what an ``AuthenticationPolicy`` does to requests and challenges.
protocol Authenticator: Sendable {
    /// Its restrictions, without those of a client.
    var restrictions: CredentialRestrictions { get }

    /// Adds credentials to a request, if there are any. Called for requests that the restrictions permit and that have
    /// no Authorization field.
    ///
    /// - Parameter restrictions: Its own, with the route of the client, as for the other methods.
    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        under restrictions: CredentialRestrictions
    ) throws(SockeyeError) -> Preparation

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest

    /// Whether the response goes to the caller. Called for each 401, and for other responses to requests with a
    /// credential of this policy, which may announce the next nonce.
    func accepts(
        _ response: IncomingResponse, of request: OutgoingRequest, under restrictions: CredentialRestrictions
    ) -> Bool

    /// The variant for calls to other origins than that of its scope; nil: none.
    var outsideScope: (any Authenticator)? { get }

    /// Answers the challenge of a response that was not accepted.
    func revise(
        _ response: IncomingResponse, of request: OutgoingRequest, in call: Call,
        under restrictions: CredentialRestrictions
    ) async throws(SockeyeError) -> IncomingResponse
}

extension Authenticator {
    /// Itself if the origins of its credentials were named; else they are the scope's.
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
    /// The request with an Authorization field of the policy's.
    func authorized(_ authorization: String, as sent: SentCredential? = nil) -> OutgoingRequest {
        var request = self
        request.change { values in
            values.headers.append(.authorization, authorization)
            if let sent { values.options.sentCredential = sent }
        }
        return request
    }

    /// The request without it.
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
    /// Nobody could tell which credentials to use.
    static func authenticationFailed(_ message: String, _ cause: any Error) -> SockeyeError {
        var fields = Fields(.authenticationFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = cause
        return SockeyeError(fields)
    }
}
