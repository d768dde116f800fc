public import SockeyeEngine
import SockeyeHTTP

/// A step between the caller and the transport. It may change a request, answer it, send it again, or refuse it.
///
/// ```swift
/// struct Tenant: Interceptor {
///     func intercept(_ request: OutgoingRequest, in call: Call) async throws
///         -> IncomingResponse
///     {
///         var request = request
///         request.headers["X-Tenant"] = "sockeye"
///         return try await call.proceed(request)
///     }
/// }
/// let client = HTTPClient().adding(Tenant())
/// ```
///
/// You can add interceptors to a client (``ClientConfiguration/interceptors``), to a scope (``HTTPClient/adding(_:)``)
/// or to a single call (``OutgoingRequest/Options/interceptors``). A request passes through them in the order of their
/// ``stage-swift.property``. Within a stage the client's come first, then those of scopes from the outside in, then
/// those of the call. The response passes through them in reverse order. The library's own policies are interceptors as
/// well, each in its own stage; see ``Call/Stage``.
///
/// An error that an interceptor throws ends the call. A ``SockeyeError`` reaches the caller unchanged, and
/// `CancellationError` becomes ``SockeyeError/Code-swift.struct/cancelled``. Any other error becomes the
/// ``SockeyeError/underlying`` error of ``SockeyeError/Code-swift.struct/interceptorFailed``.
///
/// A minor version may add requirements with default implementations that leave requests unchanged; see
/// <doc:Stability>.
public protocol Interceptor: Sendable {
    /// The position among the interceptors. Default: ``Call/Stage/call``, once around the whole call.
    var stage: Call.Stage { get }

    /// True if the interceptor adds data meant for one origin only, such as a token. Default: false.
    ///
    /// Such an interceptor is skipped for calls that leave its scope's origin; see `scoped` of ``HTTPClient``.
    ///
    /// If it runs inside of ``RedirectPolicy``, it is also skipped after a redirect to another origin. If it runs
    /// outside, which is the default, its fields count as set by the caller. The redirect policy then removes
    /// ``RedirectPolicy/strippedFields``, Authorization and similar fields.
    var carriesCredentials: Bool { get }

    /// Handles a request, usually by letting it proceed.
    ///
    /// - Parameters:
    ///   - request: The request as the outer interceptors passed it on.
    ///   - call: The remaining steps. ``Call/proceed(_:)`` may be called never, once, or repeatedly while the body
    ///     ``OutgoingRequest/Body/isReplayable``.
    /// - Returns: The response for the outer interceptors. Read or discard a response that you do not return, so that
    ///   its connection becomes free.
    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse
}

extension Interceptor {
    /// The stage ``Call/Stage/call``: once around the whole call.
    public var stage: Call.Stage { .call }

    /// False: the interceptor runs for requests to every origin.
    public var carriesCredentials: Bool { false }
}

/// An interceptor with a variant for origins outside of its scope.
protocol OriginBoundInterceptor: Interceptor {
    /// Returns the variant for calls to such origins; nil to skip the interceptor.
    ///
    /// - Parameter fields: Names of fields to leave out, in addition to those that are always left out.
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)?
}

extension Call {
    /// The position of an interceptor between the caller and the transport, the outermost first.
    ///
    /// | stage | runs | interceptors |
    /// | --- | --- | --- |
    /// | ``call`` | once for each call | interceptors that see the caller's request and the final response |
    /// | ``redirects`` | once for each call | ``RedirectPolicy``, on by default |
    /// | ``retries`` | once for each URL of a chain of redirects | the policy that retries failed requests |
    /// | ``authentication`` | for each attempt | ``AuthenticationPolicy``: adds credentials, answers challenges |
    /// | ``cookies`` | for each attempt, and again after a challenge | the policy that adds and stores cookies |
    /// | ``cache`` | for each attempt, and again after a challenge | the cache that answers with stored responses |
    /// | ``attempt`` | for each request that is sent | interceptors that see the final fields, such as one that signs |
    ///
    /// Each stage of a built-in policy holds one policy, the last one added. So a scope or a call can override its
    /// client's policy. The other stages hold any number of interceptors.
    public struct Stage: Sendable, Hashable, Comparable, CustomStringConvertible {
        private let rank: Int
        /// The name of the stage.
        public let description: String
        /// True if an added policy replaces the existing one.
        package let holdsOne: Bool

        private init(_ rank: Int, _ name: String, holdsOne: Bool) {
            self.rank = rank
            description = name
            self.holdsOne = holdsOne
        }

        /// Once around the whole call.
        public static let call = Call.Stage(0, "call", holdsOne: false)
        /// Following redirects.
        public static let redirects = Call.Stage(1, "redirects", holdsOne: true)
        /// Retrying failed requests.
        public static let retries = Call.Stage(2, "retries", holdsOne: true)
        /// Adding credentials and answering challenges.
        public static let authentication = Call.Stage(3, "authentication", holdsOne: true)
        /// Adding and storing cookies.
        public static let cookies = Call.Stage(4, "cookies", holdsOne: true)
        /// Answering with stored responses.
        public static let cache = Call.Stage(5, "cache", holdsOne: true)
        /// Once around every request that is sent.
        public static let attempt = Call.Stage(6, "attempt", holdsOne: false)

        /// All stages, the outermost first.
        package static let all = [call, redirects, retries, authentication, cookies, cache, attempt]

        /// True if `left` is further outside than `right`.
        public static func < (left: Call.Stage, right: Call.Stage) -> Bool {
            left.rank < right.rank
        }
    }
}
