package import SockeyeCore
public import SockeyeEngine
package import SockeyeHTTP

/// Sends the cookies of a ``CookiePolicy/Jar``, and stores those that responses set (RFC 6265bis). Off by default.
///
/// ```swift
/// let jar = CookiePolicy.Jar()
/// // or .cookies(), with a jar of its own in memory
/// let client = HTTPClient().adding(.cookies(jar))
/// ```
///
/// The policy runs inside redirects, retries and authentication: cookies set by a redirect or a 401 are in the next
/// request. If the caller sets Cookie, its cookies follow those of the jar in the same field, and the jar's cookies
/// with the same names are omitted. The caller's field is dropped at a redirect to another origin, and the jar's
/// cookies for that origin are sent.
///
/// A TRACE request gets no cookies (RFC 9110 9.3.8).
///
/// Invalid and forbidden cookies are ignored, as in a browser; ``ClientCookie/Fault`` lists the reasons.
/// ``OutgoingRequest/Options/handlesCookies`` = false and `.skipping(.cookies)` turn cookies off for a call.
public struct CookiePolicy: SynchronousInterceptor {
    /// The jar that holds the cookies.
    public let jar: CookiePolicy.Jar
    private var loopbackRoute = LoopbackRoute.local

    /// Creates a policy over a jar. Any number of clients may share a jar.
    public init(_ jar: CookiePolicy.Jar) {
        self.jar = jar
    }

    /// The stage inside redirects, retries and authentication.
    public var stage: Call.Stage { .cookies }

    /// Adds cookies to the request, and stores those of the response.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await sending(by: call.loopbackRoute).interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .cookies }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation {
        // The response to TRACE may show the fields of the request (RFC 9110 9.3.8).
        guard !request.parts.isTrace else { return .ready }
        let isExposed = isExposed(request.parts)
        guard request.parts.headers.contains(.cookie) || isExposed else {
            if !jar.isEmpty { jar.addField(to: &fields, for: request.parts.url, at: time) }
            return .ready
        }
        let own = request.parts.headers[values: .cookie]
        guard let field = jar.field(for: request.parts.url, besides: own, isExposed: isExposed, at: time) else {
            return .ready
        }
        var request = request
        request.change { $0.headers[.cookie] = field }
        return .replacing(request)
    }

    /// Returns true if an http request to a loopback host may leave this machine, through a proxy on another machine or
    /// an entry of ``ClientConfiguration/hostOverrides``. Another machine can then read and change the exchange.
    private func isExposed(_ request: OutgoingRequest.Parts) -> Bool {
        if case .local = loopbackRoute { return false }
        return request.url.isLoopback && !request.isPrivate(by: loopbackRoute)
    }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        if case .success(let response) = outcome, response.setsCookies {
            jar.store(
                response.rawValues(of: .setCookie), from: request.parts.url, isExposed: isExposed(request.parts),
                at: time)
        }
        return true
    }
}

extension CookiePolicy: RouteBoundInterceptor {
    func sending(by route: LoopbackRoute) -> CookiePolicy {
        var policy = self
        policy.loopbackRoute = route
        return policy
    }
}

extension Interceptor where Self == CookiePolicy {
    /// Sends the cookies of a jar, and stores those that responses set.
    ///
    /// `HTTPClient().adding(.cookies())` is a client that keeps cookies as long as it lives.
    ///
    /// - Parameter jar: The jar. Default: a new jar in memory.
    public static func cookies(_ jar: CookiePolicy.Jar = CookiePolicy.Jar()) -> CookiePolicy { CookiePolicy(jar) }
}
