import HTTPTypes
package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

/// Follows redirects (RFC 9110 15.4). On by default, with the defaults below.
///
/// Redirects are responses with 301, 302, 303, 307 or 308. If 301 or 302 answers a POST, or if 303 answers any method
/// but GET and HEAD, the next request is a GET. This GET has neither content nor the fields that describe content. In
/// all other cases, method and content are kept. A relative target is resolved against the URL of the redirected
/// request (RFC 3986 5.2). A target without a fragment inherits the fragment of that URL.
///
/// A request to another origin (scheme, host or port) loses Authorization, Proxy-Authorization, Cookie, Origin, Host,
/// credentials in the URL and the ``strippedFields``. It is also sent without the client certificate of
/// ``ClientConfiguration/tls``, without ``OutgoingRequest/Options/tls`` and without
/// ``OutgoingRequest/Options/unixSocketPath``. All of these stay removed if a later redirect leads back to the first
/// origin. Referer is shortened to its origin, unless its URL has the same origin as the target. If a redirect leads
/// from https to http, Referer is removed.
///
/// A redirect without a Location is returned instead of followed. So is a redirect after which the content of the
/// request would have to be sent again, if that content is not ``OutgoingRequest/Body/isReplayable`` and was already
/// read. The call fails
///
/// - with ``SockeyeError/Code-swift.struct/redirectRefused`` if the target is malformed or is not http or https, if the
///   redirect leads from https to http without ``allowsDowngrade``, or if Location fields contradict each other;
/// - with ``SockeyeError/Code-swift.struct/redirectLoop`` if redirects lead to the same URL for the third time without
///   a cookie being set in between;
/// - with ``SockeyeError/Code-swift.struct/limitExceeded`` after more than ``maximumCount`` redirects.
///
/// ``IncomingResponse/history`` lists the redirects before the response. AFNetworking's counterpart is
/// `setTaskWillPerformHTTPRedirectionBlock:`.
public struct RedirectPolicy: SynchronousInterceptor, CrossOriginFieldStripping {
    /// The maximum number of redirects that one call follows. Default 10; with 0 the first redirect fails the call.
    public var maximumCount = 10
    /// True if redirects from https to http are followed. Default false.
    public var allowsDowngrade = false
    /// Further fields that are not sent to another origin. Default ``usualStrippedFields``.
    ///
    /// If the list has all names of ``usualStrippedFields``, other fields with names that suggest a secret are not sent
    /// either, such as `apikey`, `DD-API-KEY` and `X-Acme-Token`. Authorization, Cookie, Host and similar fields are
    /// withheld even if the list is empty.
    public var strippedFields = RedirectPolicy.usualStrippedFields
    /// Decides about each redirect that would be followed; nil to follow all. An error that the closure throws fails
    /// the call.
    public var decide: (@Sendable (RedirectPolicy.Proposal) async throws -> RedirectPolicy.Decision)?
    /// True if redirects are returned instead of followed.
    package var isManual = false

    /// Fields that commonly carry secrets. Authorization, Cookie and similar fields are not listed, because they are
    /// always withheld from other origins.
    ///
    /// Examples are Api-Key, Ocp-Apim-Subscription-Key, Private-Token, X-Amz-Security-Token, X-API-Key, X-Auth-Token,
    /// X-CSRF-Token, X-Session-Token and X-Vault-Token.
    public static let usualStrippedFields: [Headers.Name] = InterceptorList.usualStrippedFields

    /// Creates a policy with the default of each property.
    public init() {}

    /// The default policy, which follows redirects.
    public static let following = RedirectPolicy()

    /// A policy that returns redirects instead of following them.
    public static let manual = {
        var policy = RedirectPolicy()
        policy.isManual = true
        return policy
    }()

    /// Creates a policy that follows at most `maximumCount` redirects.
    public static func following(atMost maximumCount: Int) -> RedirectPolicy {
        var policy = RedirectPolicy()
        policy.maximumCount = maximumCount
        return policy
    }

    /// Creates a policy that follows at most `maximumCount` redirects, and only those that `decide` accepts.
    public static func following(
        atMost maximumCount: Int = 10,
        decide: @escaping @Sendable (RedirectPolicy.Proposal) async throws -> RedirectPolicy.Decision
    ) -> RedirectPolicy {
        var policy = RedirectPolicy()
        policy.maximumCount = maximumCount
        policy.decide = decide
        return policy
    }

    /// The stage around all requests of a chain of redirects.
    public var stage: Call.Stage { .redirects }

    /// Sends the request and follows redirects.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    package var preparesRequests: Bool { false }

    package var outcomeFilter: OutcomeFilter { isManual ? .nothing : .statuses(StatusCodeSet(300...399)) }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        guard case .success(let response) = outcome else { return true }
        return !handles(response)
    }

    /// Returns true if the response is a redirect that the policy handles.
    func handles(_ response: IncomingResponse) -> Bool {
        RedirectMachine.isRedirect(response.statusCode) && !isManual
    }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        var machine = RedirectMachine(limit: maximumCount, allowsDowngrade: allowsDowngrade)
        var request = request
        var response = try outcome.get()
        while handles(response), let next = try await next(response, to: request, &machine, in: call) {
            call.record(request, .success(response), reason: .redirected)
            // Discards the rest of the content, so that the next request can use the connection of this response.
            response.discardUnstored()
            request = next.markingOriginLeft(from: request)
            response = try await call.proceed(request)
        }
        return response
    }

    /// Returns the request that follows a redirect; nil if the redirect is returned to the caller.
    private func next(
        _ response: IncomingResponse, to request: OutgoingRequest, _ machine: inout RedirectMachine, in call: Call
    ) async throws(SockeyeError) -> OutgoingRequest? {
        let redirect: Redirect?
        do throws(RedirectFault) {
            redirect = try machine.follow(
                response.statusCode, to: response.locations, from: request.url, method: request.method.rawValue,
                setsState: response["Set-Cookie"] != nil)
        } catch {
            throw await response.refusal(error, by: call.shared.clock)
        }
        guard let redirect, !redirect.keepsBody || request.body.canBeSent else { return nil }
        let proposed = self.request(request, redirectedBy: redirect)
        guard let decide else { return proposed }
        let proposal = RedirectPolicy.Proposal(
            original: request, status: response.status, headers: response.headers, request: proposed,
            leavesOrigin: redirect.leavesOrigin, count: machine.count - 1)
        do {
            switch try await call.shared.run(in: .prepare, { try await decide(proposal) }) {
            case .follow(let request): return request
            case .stop: return nil
            case .refuse:
                throw await response.refusal(
                    .redirectRefused, "`RedirectPolicy.decide` refused the redirect", blame: .policy,
                    by: call.shared.clock)
            }
        } catch {
            throw SockeyeError(
                .interceptorFailed, wrapping: error, "the closure RedirectPolicy.decide threw an error",
                request: request)
        }
    }
}

extension Interceptor where Self == RedirectPolicy {
    /// Handles redirects by a policy, such as `.redirects(.manual)`.
    public static func redirects(_ policy: RedirectPolicy) -> RedirectPolicy { policy }
}

extension IncomingResponse {
    /// The targets of a redirect, with bytes beyond ASCII percent-encoded.
    package var locations: [String] {
        let values = values(of: .location)
        guard !values.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return values }
        return rawValues(of: .location).map { value in
            unsafe value.withUnsafeBytes { unsafe PercentEncoding.encodingBeyondASCII($0) }
        }
    }

    func refusal(_ fault: RedirectFault, by clock: CallClock) async -> SockeyeError {
        let (code, message, blame): (SockeyeError.Code, String, SockeyeError.Blame) =
            switch fault {
            case .ambiguous: (.redirectRefused, "the response has several different Location fields", .peer)
            case .badTarget(let fault):
                (.redirectRefused, "the target of the redirect cannot be requested: \(fault)", .peer)
            case .downgrade: (.redirectRefused, "the redirect leads from https to http", .policy)
            case .loop: (.redirectLoop, "the redirects lead to the same URL for the third time", .peer)
            case .tooMany(let limit): (.limitExceeded, "the servers sent more than \(limit) redirects", .policy)
            }
        let error = await refusal(code, message, blame: blame, by: clock)
        guard case .tooMany(let limit) = fault else { return error }
        return error.with { $0.limit = .init("maximumCount", configured: limit, seen: limit + 1) }
    }
}
