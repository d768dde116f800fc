import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// How an ``AuthenticationPolicy`` comes by credentials.
protocol Authenticator: Sendable {
    /// Which requests it is for.
    var restrictions: CredentialRestrictions { get }

    /// Credentials for the request, as far as there are some. Asked only of requests within reach that have no credentials
    /// in a field.
    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest

    /// Whether the response is the answer; takes note of what it says. Asked of responses with status 401, and of others to
    /// requests that took credentials along by which they can be known.
    func accepts(_ response: IncomingResponse, of request: OutgoingRequest) -> Bool

    /// What is left of it for calls of a scope that lead to another origin than it was added for; nil where nothing is.
    var outsideScope: (any Authenticator)? { get }

    /// What comes of a response that is not.
    func revise(_ response: IncomingResponse, of request: OutgoingRequest, in call: Call) async throws(SockeyeError)
        -> IncomingResponse
}

extension Authenticator {
    /// Credentials that are for named origins go there whoever asks for it; others are the scope's.
    var outsideScope: (any Authenticator)? { restrictions.namesOrigins ? self : nil }

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest {
        request
    }

    func accepts(_ response: IncomingResponse, of request: OutgoingRequest) -> Bool { true }

    func revise(_ response: IncomingResponse, of request: OutgoingRequest, in call: Call) async throws(SockeyeError)
        -> IncomingResponse
    {
        response
    }
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
