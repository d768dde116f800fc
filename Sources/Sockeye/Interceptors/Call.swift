public import SockeyeEngine
import SockeyeHTTP

/// The remaining steps of a call after an ``Interceptor``: the inner interceptors and the transport.
public struct Call: Sendable {
    private let chain: InterceptorChain
    private let position: Int
    /// The state that the interceptors of the call share.
    package let shared: CallContext

    init(_ chain: InterceptorChain, at position: Int, _ shared: CallContext) {
        self.chain = chain
        self.position = position
        self.shared = shared
    }

    /// Sends a request through the following interceptors and the transport.
    ///
    /// - Returns: The response, as soon as its head has arrived.
    /// - Throws: ``SockeyeError``. If an inner interceptor throws an error of another type, the error is converted; see
    ///   ``Interceptor``.
    public func proceed(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        try await chain.send(request, from: position, in: shared)
    }

    /// Like ``proceed(_:)``, but returns errors instead of throwing them.
    package func outcome(of request: OutgoingRequest) async -> Result<IncomingResponse, SockeyeError> {
        do throws(SockeyeError) {
            return .success(try await proceed(request))
        } catch {
            return .failure(error)
        }
    }

    /// The remaining steps for work that continues after the call. Their time limit is as long as the call's but
    /// starts now, and they have no observer.
    package var detached: Call { Call(chain, at: position, shared.contextForDetachedCall) }

    /// Starts work that does not belong to one call. It is cancelled after `limit` and when the client ends.
    ///
    /// - Parameters:
    ///   - isAwaited: True if calls wait for the work. A graceful shutdown lets such work run, and cancels all other
    ///     work when the shutdown begins.
    ///   - ended: Called once: when the work ends or is cancelled, or at once if the work cannot start.
    /// - Returns: The task; nil if the client has ended, or is shutting down and `isAwaited` is false.
    @discardableResult
    package func inBackground(
        within limit: Duration, isAwaited: Bool = false, work: @escaping @Sendable () async -> Void,
        ended: @escaping @Sendable (BackgroundWork.Ending) -> Void
    ) -> Task<Void, Never>? {
        chain.background.start(
            within: limit, by: chain.backgroundClock, isAwaited: isAwaited, work: work, ended: ended)
    }

    /// The remaining steps without a deadline, for an exchange that several callers with different deadlines wait for.
    /// The request for these steps must not have a deadline either.
    package var withoutDeadline: Call {
        shared.deadline == .distantFuture ? self : Call(chain, at: position, shared.withoutDeadline)
    }

    /// The route of requests to this machine.
    var loopbackRoute: LoopbackRoute { chain.loopbackRoute }

    /// True if a following interceptor may add credentials that earlier interceptors do not see.
    package var hasHiddenCredentials: Bool { chain.hasCredentials(from: position) }

    /// Returns the deadlines of a request.
    package func limits(of request: OutgoingRequest) -> PhaseLimits { chain.limits(of: request) }

    /// Fields that count as credentials in addition to ``RedirectPolicy/usualStrippedFields``. They come from the
    /// ``RedirectPolicy/strippedFields`` of the client's and the call's redirect policies.
    package var secretFields: Set<Headers.Name> { chain.secretFields }

    /// The identity of the chain, which differs between calls with different interceptors or transports.
    package var chainIdentity: ObjectIdentifier { ObjectIdentifier(chain) }

    /// The client's settings for requests that do not set them: whether responses are decompressed, and the maximum
    /// size of a body in bytes (nil: unlimited).
    package var usualSettings: (decompresses: Bool, bodyLimit: Int?) { chain.usualSettings }

    /// The client's tolerances for requests that do not set them.
    package var usualTolerances: ResponseTolerances { chain.usualTolerances }

    /// The User-Agent that the client adds to requests without one; nil if it adds none.
    package var usualUserAgent: String? { chain.usualUserAgent }

    /// The values that the caller attached to the call; see ``OutgoingRequest/Options/context``.
    public var context: OutgoingRequest.Context { shared.values }

    /// The time since the call began.
    public var elapsed: Duration { shared.time.now.since(shared.started) }

    /// The time left until the call's ``Timeouts/total`` deadline: zero after the deadline, nil without one.
    public var remaining: Duration? {
        shared.deadline == .distantFuture ? nil : shared.deadline.since(shared.time.now)
    }

    /// The exchanges of the call so far; see ``IncomingResponse/history``.
    public var history: [PriorExchange] { shared.history }

    /// Adds an exchange to the call's history. An interceptor that sends a request again calls this method for each
    /// exchange whose outcome it does not return.
    ///
    /// - Parameters:
    ///   - request: The request as it was sent.
    ///   - outcome: The outcome of the request.
    ///   - reason: The reason for sending another request.
    public func record(
        _ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, reason: PriorExchange.Reason
    ) {
        shared.record(request, outcome, reason: reason)
    }

    /// Waits on the client's clock.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/timeout`` at once if the wait would exceed the call's total deadline,
    ///   and ``SockeyeError/Code-swift.struct/cancelled`` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws(SockeyeError) {
        try await shared.sleep(for: duration)
    }
}
