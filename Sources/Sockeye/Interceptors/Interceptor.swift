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
/// interceptors, too, each in a stage of its own; see ``InterceptorStage``.
///
/// What an interceptor throws ends the call: a ``SockeyeError`` reaches the caller as it is, `CancellationError` as
/// ``SockeyeError/Code-swift.struct/cancelled``, and anything else as the ``SockeyeError/underlying`` of an
/// ``SockeyeError/Code-swift.struct/interceptorFailed``.
public protocol Interceptor: Sendable {
    /// Where it stands among the others. Default ``InterceptorStage/call``: once around the whole call.
    var stage: InterceptorStage { get }

    /// Whether it gives requests what is meant for one origin only, such as a token. Default false.
    ///
    /// Such an interceptor is left out of calls that lead out of its scope (see
    /// ``HTTPClient/scoped(baseURL:headers:unixSocketPath:timeouts:)``), and, where it stands behind ``RedirectPolicy``, of
    /// requests after a redirect to another origin. One that stands in front of that, as by default, sets fields as if the
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
    public var stage: InterceptorStage { .call }

    /// It is for every origin.
    public var carriesCredentials: Bool { false }
}

/// An interceptor of the library that knows by itself what is left of it at another origin than that of its scope.
protocol OriginBoundInterceptor: Interceptor {
    /// What stands in its place for a call that leads there; nil for nothing.
    ///
    /// - Parameter fields: Names of fields that stay behind, besides those that always do.
    func departed(withholding fields: [FieldName]) -> (any Interceptor)?
}
