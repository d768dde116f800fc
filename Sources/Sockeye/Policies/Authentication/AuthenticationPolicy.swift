package import SockeyeCore
public import SockeyeEngine
package import SockeyeHTTP

/// Adds credentials to requests, and answers challenges (RFC 9110 11). Off unless added.
///
/// ```swift
/// let client = HTTPClient().adding(
///     .basic(
///         user: "ada", password: password, origins: ["https://api.example.com"]))
/// let api = client.adding(.bearer { try await tokens.fetch() })
/// ```
///
/// A client uses one such policy: the one that was added last. To send requests without credentials, as AFNetworking's
/// `clearAuthorizationHeader` does, use ``HTTPClient/removing(_:)`` or ``OutgoingRequest/Options/skipping(_:)-method``
/// with ``Call/Stage/authentication``.
///
/// **Destinations.** Credentials are sent to the origins (scheme, host, port) given with them. If no origins are given,
/// credentials are sent to the origins of the URLs that the caller requests. But if the client is a scope with a base
/// URL (see `scoped` of ``HTTPClient``), credentials without given origins are sent only to the origin of that URL and
/// the origins that the scope trusts. Without given origins, credentials are withheld after a redirect to another
/// origin, even if a later redirect returns to the first origin. Three kinds of credentials follow other rules, also
/// after a redirect:
///
/// - A credential of a ``Credential/Storage`` goes to the origin that it is stored for.
/// - A login of a `.netrc` file goes to the host that it is stored for.
/// - A credential of a challenge handler goes to another origin if the handler returns it with `anywhere: true`.
///
/// A request with its own Authorization field is left unchanged. Credentials in the URL take precedence over those of
/// the policy.
///
/// A TRACE request gets no credentials, not even those in the URL, because the response may show the fields of the
/// request (RFC 9110 9.3.8). If the server answers with 401, the caller gets that response. An Authorization field that
/// the caller set is sent.
///
/// **Plain http.** Basic and Bearer show the secret to eavesdroppers. Unless the policy is made with `allowsPlaintext`,
/// such credentials are sent over http to this machine only (loopback addresses, `localhost`, unix-domain sockets), and
/// not through a proxy on another machine. With ``Proxy/Selection/routing(_:)`` and ``Proxy/Selection/inOrder(_:)``
/// every route counts as a proxy on another machine. A host that ``ClientConfiguration/hostOverrides`` maps to another
/// machine does not count as this machine. If a request needs a credential that may not be sent over http, a `.basic`
/// or `.bearer` policy fails the request with ``SockeyeError/Code-swift.struct/insecureCredentials``. All other
/// policies send the request without the credential, and do not answer a challenge with it. Digest is always allowed,
/// because it is designed for plain http.
///
/// **Challenges.** For each realm, a call tries each credential once with Digest and once with Basic or Bearer. A
/// rejected Digest credential is tried again in two cases: if the server declares that only the nonce was stale (once
/// per call), or if the rejected answer used a nonce remembered from an earlier request. The caller gets the 401 if no
/// challenge can be answered, and at the latest after eight answers. The caller also gets the 401 if the request's
/// content was read and is not ``OutgoingRequest/Body/isReplayable``. With Expect: 100-continue the content is not read
/// before the 401 (RFC 9110 10.1.1), so the challenge can be answered. Of several challenges the strongest is answered:
/// Digest with SHA-512-256, SHA-256, MD5, then Bearer, then Basic. Later requests to the same protection space send the
/// credentials without waiting for a challenge.
public struct AuthenticationPolicy: SynchronousInterceptor {
    private let authenticator: any Authenticator
    /// The authenticator's restrictions, combined with the client's `LoopbackRoute` (the route of http requests to
    /// this machine). Stored here, because reading them from the authenticator takes a dynamic call and a copy.
    private var restrictions: CredentialRestrictions

    init(_ authenticator: any Authenticator) {
        self.authenticator = authenticator
        restrictions = authenticator.restrictions
    }

    /// The stage ``Call/Stage/authentication``: the policy runs once for each attempt.
    public var stage: Call.Stage { .authentication }

    /// Sends the request with credentials, and answers challenges.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await sending(by: call.loopbackRoute).interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .statuses([401]).union(.authorizedRequests) }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation {
        // The response to TRACE may show the fields of the request (RFC 9110 9.3.8).
        guard !request.parts.headers.contains(.authorization), !request.parts.isTrace,
            try restrictions.permits(request)
        else { return .ready }
        return try authenticator.prepare(request, adding: &fields, at: time, under: restrictions)
    }

    package func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest
    {
        try await authenticator.prepareWaiting(request, in: call)
    }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        guard case .success(let response) = outcome, response.statusCode == 401 || request.parts.options.isAuthorized,
            !request.parts.isTrace
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
    /// The name of the type, without credentials.
    public var description: String { "AuthenticationPolicy" }

    /// Only the description, so that dumps show no credentials either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
