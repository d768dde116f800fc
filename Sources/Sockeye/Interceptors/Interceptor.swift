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
/// You can add interceptors to a client (``ClientConfiguration/interceptors``), to a client derived from it, called a
/// scope (``HTTPClient/adding(_:)``), or to a single call (``OutgoingRequest/Options/interceptors``). A request passes
/// through them in the order of their ``stage-swift.property``. Within a stage, it first passes through the client's
/// interceptors, then through those of the scopes (an outer scope before an inner one), then through those of the call.
/// The response passes through them in reverse order. The library's own policies are interceptors as well; see
/// ``Call/Stage``.
///
/// An error that an interceptor throws passes through the outer interceptors to the caller. These are the interceptors
/// that the request has passed before, and they may handle the error. A ``SockeyeError`` is passed on unchanged, and
/// `CancellationError` becomes ``SockeyeError/Code-swift.struct/cancelled``. Any other error becomes the
/// ``SockeyeError/underlying`` error of ``SockeyeError/Code-swift.struct/interceptorFailed``.
///
/// A minor version may add requirements with default implementations that leave requests unchanged; see
/// <doc:Stability>.
public protocol Interceptor: Sendable {
    /// The position among the interceptors. Default: ``Call/Stage/call``, where the interceptor runs once for the whole
    /// call.
    var stage: Call.Stage { get }

    /// True if the interceptor adds data meant for one origin only, such as a token. Default: false.
    ///
    /// If the client or scope with the interceptor has a base URL or trusted origins, such an interceptor runs only for
    /// calls to the origin of the base URL and to the trusted origins; see `scoped` of ``HTTPClient``.
    ///
    /// A redirect may lead to another origin. If the stage of such an interceptor comes after ``RedirectPolicy``, the
    /// interceptor is skipped from then on, even if a later redirect leads back to the first origin. In the default
    /// stage, the interceptor runs before ``RedirectPolicy``, so its fields count as set by the caller.
    /// ``RedirectPolicy`` removes only some fields from the redirected request: Authorization, Cookie, and the others
    /// that its documentation names.
    var carriesCredentials: Bool { get }

    /// Handles a request, usually by letting it proceed.
    ///
    /// - Parameters:
    ///   - request: The request as the outer interceptors passed it on.
    ///   - call: The remaining steps. Call ``Call/proceed(_:)`` never, once, or, if the body is replayable
    ///     (``OutgoingRequest/Body/isReplayable``), several times.
    /// - Returns: The response for the outer interceptors. Read or discard a response that you do not return, so that
    ///   its connection becomes free.
    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse
}

extension Interceptor {
    /// The stage ``Call/Stage/call``: the interceptor runs once for the whole call.
    public var stage: Call.Stage { .call }

    /// False: the interceptor runs for requests to every origin.
    public var carriesCredentials: Bool { false }
}

/// An interceptor that may have a variant for calls to origins outside of its scope. These are all origins except the
/// origin of the scope's base URL and the origins that the scope trusts.
protocol OriginBoundInterceptor: Interceptor {
    /// Returns the variant for calls to origins outside of the scope; nil to skip the interceptor.
    ///
    /// - Parameter fields: Names of fields to withhold from origins outside of the scope, because their values may be
    ///   meant for the scope's origins only.
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)?
}
