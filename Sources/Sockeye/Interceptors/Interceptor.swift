public import SockeyeEngine
import SockeyeHTTP

/// Stands between the caller and the wire: may change a request, answer it itself, send it again, or refuse it.
///
/// ```swift
/// struct Tenant: Interceptor {
///     func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
///         var request = request
///         request.headers["X-Tenant"] = "sockeye"
///         return try await call.proceed(request)
///     }
/// }
/// let client = HTTPClient().adding(Tenant())
/// ```
///
/// Interceptors are added to a client (``ClientConfiguration/interceptors``), to a scope
/// (``HTTPClient/adding(_:)``) or to a single call (``OutgoingRequest/Options/interceptors``). A request goes through them
/// in the order of their ``stage-swift.property``, and within a stage those of the client first, then those of scopes from the
/// outside in, then those of the call; the response comes back the other way. The library's own policies are
/// interceptors, too, each in a stage of its own; see ``Call/Stage``.
///
/// What an interceptor throws ends the call: a ``SockeyeError`` reaches the caller as it is, `CancellationError` as
/// ``SockeyeError/Code-swift.struct/cancelled``, and anything else as the ``SockeyeError/underlying`` of an
/// ``SockeyeError/Code-swift.struct/interceptorFailed``.
///
/// A minor version may add requirements, whose default implementations leave requests as they are; see <doc:Stability>.
public protocol Interceptor: Sendable {
    /// Where it stands among the others. Default ``Call/Stage/call``: once around the whole call.
    var stage: Call.Stage { get }

    /// Whether it gives requests what is meant for one origin only, such as a token. Default false.
    ///
    /// Such an interceptor is left out of calls that lead out of its scope (see
    /// ``HTTPClient/scoped(baseURL:isConfined:trusting:headers:unixSocketPath:timeouts:tolerances:requestSerializer:decoder:)``),
    /// and, where it stands behind ``RedirectPolicy``, of requests after a redirect to another origin. One that stands in front of that, as by default, sets fields as if the
    /// caller had: of those ``RedirectPolicy/strippedFields`` and Authorization and its kind stay behind.
    var carriesCredentials: Bool { get }

    /// Handles a request, usually by letting it proceed.
    ///
    /// - Parameters:
    ///   - request: The request as those further out made it.
    ///   - call: The rest of the way; ``Call/proceed(_:)`` may be called never, once, or again for as long as the body
    ///     ``OutgoingRequest/Body/isReplayable``.
    /// - Returns: The response for those further out. One that is not returned should be dropped or read, so that its
    ///   connection is free.
    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse
}

extension Interceptor {
    /// Once around the whole call.
    public var stage: Call.Stage { .call }

    /// It is for every origin.
    public var carriesCredentials: Bool { false }
}

/// An interceptor with a variant for other origins than that of its scope.
protocol OriginBoundInterceptor: Interceptor {
    /// The variant for such calls; nil to be left out.
    ///
    /// - Parameter fields: Names of fields that stay behind, besides those that always do.
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)?
}

extension Call {
    /// Where an interceptor stands between the caller and the wire, from the outside in.
    ///
    /// | stage | runs | who is there |
    /// | --- | --- | --- |
    /// | ``call`` | once for each call | interceptors that see the request as the caller made it, and the final response |
    /// | ``redirects`` | once for each call | ``RedirectPolicy``, on by default |
    /// | ``retries`` | once for each URL of a chain of redirects | the policy that repeats what failed |
    /// | ``authentication`` | for each attempt | ``AuthenticationPolicy``, which adds credentials and answers challenges |
    /// | ``cookies`` | for each attempt, and again after a challenge | the policy that adds and stores cookies |
    /// | ``cache`` | for each attempt, likewise | ``CachePolicy``, which answers from what is stored |
    /// | ``attempt`` | for each request that goes to the wire | interceptors that see the final fields, such as one that signs |
    ///
    /// The stages of the built-in policies hold one policy each: the one that was added last, so that a scope or a call can
    /// override its client's. The others hold any number.
    public struct Stage: Sendable, Hashable, Comparable, CustomStringConvertible {
        private let rank: Int
        /// The name of the stage.
        public let description: String
        /// Whether a policy replaces the one that was there.
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
        /// Repeating what failed.
        public static let retries = Call.Stage(2, "retries", holdsOne: true)
        /// Adding credentials and answering challenges.
        public static let authentication = Call.Stage(3, "authentication", holdsOne: true)
        /// Adding and storing cookies.
        public static let cookies = Call.Stage(4, "cookies", holdsOne: true)
        /// Answering from stored responses.
        public static let cache = Call.Stage(5, "cache", holdsOne: true)
        /// Once around every request that goes to the wire.
        public static let attempt = Call.Stage(6, "attempt", holdsOne: false)

        /// All stages, the outermost first.
        package static let all = [call, redirects, retries, authentication, cookies, cache, attempt]

        /// Whether `left` is further out.
        public static func < (left: Call.Stage, right: Call.Stage) -> Bool {
            left.rank < right.rank
        }
    }
}
