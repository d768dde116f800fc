public import HTTPTypes
package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

/// Sends requests again that failed for a reason which may be gone the next time.
///
/// ```swift
/// let client = HTTPClient().adding(.retry(max: 3, backoff: .exponential(jitter: .full), budget: .percent(20)))
/// ```
///
/// Off by default. A request is repeated when all of this is so:
///
/// - Its method is one of ``methods``, or the caller vouches for it with ``OutgoingRequest/Options/isIdempotent`` or the field
///   Idempotency-Key (RFC 9110 9.2.2). ``OutgoingRequest/Options/isIdempotent`` = false forbids it for every method. A request of
///   any method is repeated if nothing of it was sent, because no connection was made.
/// - Its body is ``OutgoingRequest/Body/isReplayable``, or nothing of it was read.
/// - It has failed in a way that ``isTransient`` accepts, or the status of its response is one of ``statuses``.
/// - There were fewer than ``maximumCount`` retries, and the ``budget`` and the ``breaker`` allow another one.
/// - The pause before it ends before the call's ``Timeouts/total`` deadline.
///
/// Otherwise the call ends with what it has: the response as it is, or the error. What was repeated stands in
/// ``IncomingResponse/history`` or ``SockeyeError/history``, and ``SockeyeError/attempt`` counts the attempts.
///
/// A pause is that of ``backoff``, or what the response asks for with Retry-After (RFC 9110 10.2.3) where that is longer.
/// Cancelling the task ends it at once.
///
/// The policy sees responses when their heads have arrived, before the caller does: nothing is ever repeated of which the
/// caller has seen a byte, and a body that breaks off later is the caller's to handle. Each URL of a chain of redirects has
/// its own retries. Alamofire's counterpart is `RetryPolicy`; AFNetworking has none.
public struct RetryPolicy: SynchronousInterceptor {
    /// How many retries a request gets beyond its first attempt. Default 3.
    public var maximumCount = 3
    /// How long to wait before each. Default ``RetryBackoff/exponential(base:factor:cap:jitter:)``.
    public var backoff = RetryBackoff.exponential()
    /// Methods whose requests are repeated without further asking. Default those that IANA's HTTP Method Registry lists as
    /// idempotent (RFC 9110 9.2.2): GET, HEAD, OPTIONS, TRACE, PUT, DELETE, QUERY (RFC 10008), PROPFIND, REPORT, SEARCH and others
    /// of WebDAV, but not POST, PATCH, CONNECT and LOCK.
    public var methods = Set(MethodKind.idempotentMethods.compactMap { HTTPRequest.Method(rawValue: $0) })
    /// Statuses that are worth another try. Default 408, 429, 500, 502, 503 and 504.
    public var statuses: StatusCodeSet = [408, 429, 500, 502, 503, 504]
    /// Errors that are worth another try. Default ``SockeyeError/isTransient``. Never asked about cancellation and
    /// shutting down.
    public var isTransient: @Sendable (SockeyeError) -> Bool = { $0.isTransient } {
        didSet { hasOwnTransience = true }
    }
    /// Whether ``isTransient`` was set, which an archive cannot hold.
    package private(set) var hasOwnTransience = false
    /// How long an attempt may take until the head of its response is there. Default nil: as long as the other deadlines
    /// allow. Past it the attempt fails with ``SockeyeError/Code-swift.struct/timeout``, and is repeated.
    public var attemptTimeout: Duration?
    /// Whether Retry-After is obeyed. Default true.
    public var respectsRetryAfter = true
    /// The longest pause that a response may ask for; one that asks for a longer one is the call's result. Default 30 s.
    public var maximumRetryAfter = Duration.seconds(30)
    /// What bounds the retries of all calls together. Default 20 % of the requests, or 10 per second. Nil: nothing.
    public var budget: RetryPolicy.Budget? = .percent(20)
    /// What keeps requests from an origin that only fails. Default nil: nothing.
    public var breaker: RetryPolicy.CircuitBreaker?
    /// Asked about each error, and each response with one of ``statuses`` or a status from 400 on, to which a retry could
    /// follow; nil does what is ``RetryPolicy/Proposal/usual``. What it throws fails the call.
    public var decide: (@Sendable (RetryPolicy.Proposal) async throws -> RetryPolicy.Decision)?
    /// Told of each retry before its pause.
    public var onRetry: (@Sendable (RetryPolicy.Proposal) -> Void)?

    /// From 0 up to 1, for the jitter.
    package var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Makes the defaults named at each property.
    public init() {}

    /// Around everything that one URL takes.
    public var stage: Call.Stage { .retries }

    /// Sends the request, again where that is allowed.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    package var preparesRequests: Bool { budget != nil || breaker != nil || attemptTimeout != nil }

    package var outcomeFilter: OutcomeFilter {
        guard breaker == nil else { return .everything }
        let outcomeFilter = OutcomeFilter.statuses(statuses).union(.failures)
        return decide == nil ? outcomeFilter : outcomeFilter.union(.statuses(StatusCodeSet(400...999)))
    }

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        if let breaker { try breaker.admit(request, at: time) }
        if let budget { budget.deposit(for: request.parts.url, at: time) }
        guard let attemptTimeout, request.parts.options.attemptTimeout == nil else { return .ready }
        var request = request
        request.change { $0.options.attemptTimeout = attemptTimeout }
        return .replacing(request)
    }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        if let breaker { note(outcome, of: request, in: breaker, at: time) }
        return !isCandidate(outcome)
    }

    /// Whether a retry could follow: after an error, a response with one of ``statuses``, and where there is ``decide``, one from
    /// 400 on. Asked about every attempt, the first and the later ones.
    private func isCandidate(_ outcome: Result<IncomingResponse, SockeyeError>) -> Bool {
        guard case .success(let response) = outcome else { return true }
        let status = response.statusCode
        return (statuses.contains(status) || status >= 400 && decide != nil) && !response.isLocal
    }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        var machine = RetryMachine(
            limit: maximumCount, backoff: backoff, longestAsked: maximumRetryAfter)
        var outcome = outcome
        do throws(SockeyeError) {
            while isCandidate(outcome), let pause = try await pause(after: outcome, of: request, machine, in: call) {
                call.record(request, outcome, reason: .retried)
                // Its connection may be the one that the retry needs, and others meanwhile.
                if case .success(let response) = outcome { response.discard() }
                if pause > .zero { try await call.sleep(for: pause) }
                if let breaker { try breaker.admit(request, at: call.shared.time) }
                machine.retry()
                outcome = await call.outcome(of: repeated(request, after: outcome))
                if let breaker { note(outcome, of: request, in: breaker, at: call.shared.time) }
            }
            return try outcome.get()
        } catch {
            let count = machine.count
            throw count == 0 ? error : error.with { $0.attempt += count }
        }
    }
}

extension Interceptor where Self == RetryPolicy {
    /// Repeats what failed; see ``RetryPolicy``, whose properties have more to set.
    ///
    /// - Parameters:
    ///   - max: How many retries a request gets beyond its first attempt. Default 3.
    ///   - backoff: How long to wait before each. Default 0.5 s, doubled each time up to 30 s, at random in between.
    ///   - budget: What bounds the retries of all calls together. Default 20 % of the requests, or 10 per second. Nil:
    ///     nothing.
    ///   - breaker: What keeps requests from an origin that only fails. Default nil: nothing.
    public static func retry(
        max: Int = 3, backoff: RetryBackoff = .exponential(), budget: RetryPolicy.Budget? = .percent(20),
        breaker: RetryPolicy.CircuitBreaker? = nil
    ) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.maximumCount = max
        policy.backoff = backoff
        policy.budget = budget
        policy.breaker = breaker
        return policy
    }

    /// A policy with properties of your own.
    public static func retry(_ policy: RetryPolicy) -> RetryPolicy { policy }
}
