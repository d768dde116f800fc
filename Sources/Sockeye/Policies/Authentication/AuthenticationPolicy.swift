package import SockeyeCore
public import SockeyeEngine
package import SockeyeHTTP

/// Adds credentials to requests, and answers challenges (RFC 9110 11). Off unless added.
///
/// ```swift
/// let client = HTTPClient().adding(.basic(user: "ada", password: password, origins: ["https://api.example.com"]))
/// let api = client.adding(.bearer { try await tokens.fetch() })
/// ```
///
/// One policy holds at a time: the one that was added last. To go without, as AFNetworking's
/// `clearAuthorizationHeader` does, there are ``HTTPClient/removing(_:)`` and ``OutgoingRequest/Options/skipping(_:)-method`` with
/// ``Call/Stage/authentication``.
///
/// **Where credentials go.** To the origins (scheme, host, port) that are named with them; without such, to the URLs that
/// the caller asks for, but never to another origin that a redirect leads to, nor back from there, nor out of a scope to
/// another origin than that of its base URL. A request that has an Authorization field of its own is left alone, and
/// credentials in its URL go before those of the policy.
///
/// **Plain http.** Basic and Bearer show the secret to eavesdroppers. Over http they go to this machine only (loopback
/// addresses, `localhost`, unix-domain sockets), and not through a proxy on another machine, unless the policy is made with
/// `allowsPlaintext`. With ``Proxy/Selection/routing(_:)`` and ``Proxy/Selection/inOrder(_:)`` every route counts as such a
/// proxy. A credential that was to be sent unasked fails the request with ``SockeyeError/Code-swift.struct/insecureCredentials``; a challenge that asks for it is not answered.
/// Digest is made for plain http and always allowed.
///
/// **Challenges.** A 401 is answered once for each realm and credential; when a Digest challenge says that only the nonce
/// was too old, once more. After that, and when nothing in it can be answered, the 401 is the response, as it is when the
/// content of the request is not ``OutgoingRequest/Body/isReplayable`` and was read (with Expect: 100-continue it is not, RFC 9110
/// 10.1.1). Of several challenges the strongest is answered:
/// Digest with SHA-512-256, SHA-256, MD5, then Bearer, then Basic. Later requests to the same protection space take their
/// answer along.
public struct AuthenticationPolicy: SynchronousInterceptor {
    private let authenticator: any Authenticator
    /// Those of the authenticator, here so that reading them takes neither a call nor a copy, and with the client's route.
    private var restrictions: CredentialRestrictions

    init(_ authenticator: any Authenticator) {
        self.authenticator = authenticator
        restrictions = authenticator.restrictions
    }

    /// Around each attempt.
    public var stage: Call.Stage { .authentication }

    /// Authenticates the request.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await sending(by: call.loopbackRoute).interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .statuses([401]).union(.answers) }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        guard !request.parts.headers.contains(.authorization), try restrictions.permits(request) else { return .ready }
        return try authenticator.prepare(request, adding: &fields, at: time, under: restrictions)
    }

    package func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest
    {
        try await authenticator.prepareWaiting(request, in: call)
    }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        guard case .success(let response) = outcome, response.statusCode == 401 || request.parts.options.isAuthorized
        else { return true }
        return authenticator.accepts(response, of: request, under: restrictions)
    }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        try await authenticator.revise(try outcome.get(), of: request, in: call, under: restrictions)
    }
}

extension AuthenticationPolicy: RouteBoundInterceptor {
    func sending(by route: LoopbackRoute) -> AuthenticationPolicy {
        var policy = self
        policy.restrictions = restrictions.sending(by: route)
        return policy
    }
}

extension AuthenticationPolicy: OriginBoundInterceptor {
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)? {
        authenticator.outsideScope.map { AuthenticationPolicy($0) }
    }
}

extension AuthenticationPolicy: CustomStringConvertible, CustomReflectable {
    /// The name of the type, and nothing of the credentials.
    public var description: String { "AuthenticationPolicy" }

    /// The description alone, so that dumps show no credentials either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
