package import SockeyeCore
public import SockeyeEngine
package import SockeyeHTTP

/// Sends the cookies of a ``CookiePolicy/Jar``, and stores those that responses set (RFC 6265bis). Off by default.
///
/// ```swift
/// let jar = CookiePolicy.Jar()
/// let client = HTTPClient().adding(.cookies(jar))        // or .cookies(), with a jar of its own in memory
/// ```
///
/// It stands behind redirects, retries and authentication, and so sees each of their requests and responses: cookies set
/// by a redirect or a 401 are in the next request. Every Set-Cookie field is one cookie; a request carries one Cookie
/// field. What the caller writes into that field stays there, behind the cookies of the jar, and a cookie whose name
/// stands in it is not sent from the jar. Like all of the caller's Cookie fields it stays behind at a redirect to another
/// origin, where the jar's cookies are those of that origin.
///
/// What a server sets in vain is left out silently, as a browser would: ``ClientCookie/Fault`` has the reasons. A call goes
/// without cookies by ``OutgoingRequest/Options/handlesCookies`` or `.skipping(.cookies)`.
public struct CookiePolicy: SynchronousInterceptor {
    /// Where the cookies are.
    public let jar: CookiePolicy.Jar
    private var loopbackRoute = LoopbackRoute.local

    /// Makes a policy over a jar, which any number of clients may share.
    public init(_ jar: CookiePolicy.Jar) {
        self.jar = jar
    }

    /// Behind all that sends requests again.
    public var stage: Call.Stage { .cookies }

    /// Adds cookies, and stores those of the response.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await sending(by: call.loopbackRoute).interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .cookies }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
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

    /// Whether a request to this machine leaves it through a proxy that can read the request and write the response.
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
    /// Sends the cookies of a jar, and stores those that responses set: `HTTPClient().adding(.cookies())` is a client that has
    /// cookies for as long as it lives.
    ///
    /// - Parameter jar: Default a new one, in memory.
    public static func cookies(_ jar: CookiePolicy.Jar = CookiePolicy.Jar()) -> CookiePolicy { CookiePolicy(jar) }
}
