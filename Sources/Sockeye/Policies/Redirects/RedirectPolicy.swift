import HTTPTypes
package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

/// Follows redirects (RFC 9110 15.4). On by default, with the defaults below.
///
/// 301, 302, 303, 307 and 308 are followed, each with a Location; every other status is the answer. After 303, and after
/// 301 and 302 of a POST, the request goes on as GET without content and the fields that describe it; otherwise method
/// and content are kept. A relative target is resolved against the URL (RFC 3986 5.2) and inherits its fragment.
///
/// At another origin (scheme, host or port) the request arrives without Authorization, Proxy-Authorization, Cookie,
/// Origin, Host, credentials of the URL and ``strippedFields``, without the client certificate of ``ClientConfiguration/tls``
/// and without ``OutgoingRequest/Options/tls``; they do not come back should a later redirect return. Where https may lead to http,
/// Referer stays behind, too.
///
/// A response is returned as it is, instead of being followed, when it has no Location, or when the content would have
/// to be sent again and is not ``OutgoingRequest/Body/isReplayable``, unless nothing of it was read. The call fails
///
/// - with ``SockeyeError/Code-swift.struct/redirectRefused`` when the target is malformed, not http or https, or leads
///   from https to http; or when Location fields contradict each other;
/// - with ``SockeyeError/Code-swift.struct/redirectLoop`` when it leads to a URL of the same call for the third time,
///   without a cookie having been set in between;
/// - with ``SockeyeError/Code-swift.struct/limitExceeded`` past ``maximumCount``.
///
/// The exchanges before the last one stand in ``IncomingResponse/history``. AFNetworking's counterpart is
/// `setTaskWillPerformHTTPRedirectionBlock:`.
public struct RedirectPolicy: SynchronousInterceptor, CrossOriginFieldStripping {
    /// How many redirects one call follows. Default 10; 0 fails at the first.
    public var maximumCount = 10
    /// Whether https may lead to http. Default false.
    public var allowsDowngrade = false
    /// Further fields that do not go to another origin. Default ``usualStrippedFields``.
    public var strippedFields = RedirectPolicy.usualStrippedFields
    /// Asked about each redirect that would be followed; nil follows. What it throws fails the call.
    public var decide: (@Sendable (RedirectPolicy.Proposal) async throws -> RedirectPolicy.Decision)?
    /// Whether redirects are returned as they are.
    package var isManual = false

    /// The fields besides Authorization and its kind in which services take secrets, such as Api-Key, Ocp-Apim-Subscription-Key,
    /// Private-Token, X-Amz-Security-Token, X-API-Key, X-Auth-Token, X-CSRF-Token, X-Session-Token and X-Vault-Token.
    public static let usualStrippedFields: [Headers.Name] = InterceptorList.usualStrippedFields

    /// Makes the defaults named at each property.
    public init() {}

    /// Follows redirects, as by default.
    public static let following = RedirectPolicy()

    /// Returns redirects as they are.
    public static let manual = {
        var policy = RedirectPolicy()
        policy.isManual = true
        return policy
    }()

    /// Follows at most `maximumCount` redirects.
    public static func following(atMost maximumCount: Int) -> RedirectPolicy {
        var policy = RedirectPolicy()
        policy.maximumCount = maximumCount
        return policy
    }

    /// Follows at most `maximumCount` redirects, and those only about which `decide` says so.
    public static func following(
        atMost maximumCount: Int = 10,
        decide: @escaping @Sendable (RedirectPolicy.Proposal) async throws -> RedirectPolicy.Decision
    ) -> RedirectPolicy {
        var policy = RedirectPolicy()
        policy.maximumCount = maximumCount
        policy.decide = decide
        return policy
    }

    /// Around everything that one URL takes.
    public var stage: Call.Stage { .redirects }

    /// Follows redirects of the request.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    package var preparesRequests: Bool { false }

    package var outcomeFilter: OutcomeFilter { isManual ? .nothing : .statuses(StatusCodeSet(300...399)) }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        guard case .success(let response) = outcome else { return true }
        return !concerns(response)
    }

    /// Whether there is a redirect to look at.
    func concerns(_ response: IncomingResponse) -> Bool {
        RedirectMachine.isRedirect(response.statusCode) && !isManual
    }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        var machine = RedirectMachine(limit: maximumCount, allowsDowngrade: allowsDowngrade)
        var request = request
        var response = try outcome.get()
        while concerns(response), let next = try await next(response, to: request, &machine) {
            call.record(request, .success(response), reason: .redirected)
            // Its connection may be the one that the next request needs.
            response.discard()
            request = next.markingOriginLeft(from: request)
            response = try await call.proceed(request)
        }
        return response
    }

    /// The request that follows; nil when the response is the answer.
    private func next(
        _ response: IncomingResponse, to request: OutgoingRequest, _ machine: inout RedirectMachine
    ) async throws(SockeyeError) -> OutgoingRequest? {
        let redirect: Redirect?
        do throws(RedirectFault) {
            redirect = try machine.follow(
                response.statusCode, to: response.locations, from: request.url, method: request.method.rawValue,
                setsState: response["Set-Cookie"] != nil)
        } catch {
            throw await response.refusal(error)
        }
        guard let redirect, !redirect.keepsBody || request.body.canBeSent else { return nil }
        let proposed = self.request(request, redirectedBy: redirect)
        guard let decide else { return proposed }
        let proposal = RedirectPolicy.Proposal(
            original: request, status: response.status, headers: response.headers, request: proposed,
            leavesOrigin: redirect.leavesOrigin, count: machine.count - 1)
        do {
            switch try await decide(proposal) {
            case .follow(let request): return request
            case .stop: return nil
            case .refuse: throw await response.refusal(.redirectRefused, "the redirect was refused", blame: .policy)
            }
        } catch {
            throw SockeyeError(.interceptorFailed, wrapping: error, "deciding on a redirect failed", request: request)
        }
    }
}

extension Interceptor where Self == RedirectPolicy {
    /// How redirects are followed, such as `.redirects(.manual)`.
    public static func redirects(_ policy: RedirectPolicy) -> RedirectPolicy { policy }
}

extension IncomingResponse {
    /// The targets of a redirect. A field is bytes; those beyond ASCII go on as they are, which in a URL means encoded.
    var locations: [String] {
        let values = values(of: .location)
        guard !values.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return values }
        return rawValues(of: .location).map { value in
            unsafe value.withUnsafeBytes { unsafe PercentEncoding.encodingBeyondASCII($0) }
        }
    }

    func refusal(_ fault: RedirectFault) async -> SockeyeError {
        switch fault {
        case .ambiguous:
            return await refusal(.redirectRefused, "the response has several Location fields that differ")
        case .badTarget(let fault):
            return await refusal(.redirectRefused, "the target of the redirect cannot be requested: \(fault)")
        case .downgrade:
            return await refusal(.redirectRefused, "the redirect leads from https to http", blame: .policy)
        case .loop:
            return await refusal(.redirectLoop, "the redirects lead back to a URL of the same call again and again")
        case .tooMany(let limit):
            return await refusal(.limitExceeded, "there are too many redirects", blame: .policy).with { fields in
                fields.limit = .init("maximumCount", configured: limit, seen: limit + 1)
            }
        }
    }
}
