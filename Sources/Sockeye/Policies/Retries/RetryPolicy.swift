public import HTTPTypes
package import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

/// Repeats requests that failed for a reason that may be temporary.
///
/// ```swift
/// let client = HTTPClient().adding(
///     .retry(max: 3, backoff: .exponential(jitter: .full), budget: .percent(20)))
/// ```
///
/// Off by default. A request is repeated if all of these conditions hold:
///
/// - Its method is one of ``methods``, or the caller sets the field Idempotency-Key. If the caller sets
///   ``OutgoingRequest/Options/isIdempotent``, that value decides instead (RFC 9110 9.2.2). This condition does not
///   apply if nothing of the request was sent, for example because no connection was made.
/// - Its body is ``OutgoingRequest/Body/isReplayable``, or nothing of it was read.
/// - It failed with an error that ``isTransient`` accepts, or its response has one of the ``statuses`` and is not from
///   a cache.
/// - There were fewer than ``maximumCount`` retries, and the ``budget`` and the ``breaker`` allow another one.
/// - The pause before the retry is shorter than the time left until the call's ``Timeouts/total`` deadline.
///
/// Otherwise the call ends with the response or the error. ``IncomingResponse/history`` and ``SockeyeError/history``
/// list the earlier attempts. ``SockeyeError/attempt`` is the number of the attempt that failed.
///
/// The pause is that of ``backoff`` or that of Retry-After (RFC 9110 10.2.3), whichever is longer. Cancelling the task
/// ends the pause at once.
///
/// A request is never repeated after the caller has received the response: if the body breaks off later, the caller
/// gets the error. Each URL of a chain of redirects has its own retries. Alamofire's counterpart is `RetryPolicy`;
/// AFNetworking has none.
public struct RetryPolicy: SynchronousInterceptor {
    /// The maximum number of retries of a request after its first attempt. Default 3.
    public var maximumCount = 3
    /// The pauses before retries. Default ``RetryBackoff/exponential(base:factor:cap:jitter:)``.
    public var backoff = RetryBackoff.exponential()
    /// The methods that may be repeated. Default: those that IANA's HTTP Method Registry lists as idempotent (RFC 9110
    /// 9.2.2).
    ///
    /// These are GET, HEAD, OPTIONS, TRACE, PUT, DELETE, QUERY (RFC 10008), PROPFIND, REPORT, SEARCH and others of
    /// WebDAV, but not POST, PATCH, CONNECT and LOCK.
    public var methods = Set(MethodKind.idempotentMethods.compactMap { HTTPRequest.Method(rawValue: $0) })
    /// The statuses that lead to a retry. Default 408, 429, 500, 502, 503 and 504.
    public var statuses: StatusCodeSet = [408, 429, 500, 502, 503, 504]
    /// Returns true for errors that lead to a retry. Default ``SockeyeError/isTransient``.
    ///
    /// Not called for cancellation, shutdown and open circuits, which never lead to a retry.
    public var isTransient: @Sendable (SockeyeError) -> Bool = { $0.isTransient } {
        didSet { hasCustomIsTransient = true }
    }
    /// True if the caller set ``isTransient``. The product SockeyeArchiving then refuses to encode the policy.
    package private(set) var hasCustomIsTransient = false
    /// The maximum time of an attempt until the response head arrives. Default nil: only the other deadlines apply.
    ///
    /// After this time the attempt fails with ``SockeyeError/Code-swift.struct/timeout``, and the policy may repeat the
    /// request. The time includes the wait for a connection of the pool. An attempt whose time ends during that wait is
    /// not repeated, because its repetition would wait behind all other requests. If an attempt takes several requests,
    /// as after a challenge, the limit applies to each of them separately.
    public var attemptTimeout: Duration?
    /// True if the policy honours Retry-After. Default true.
    public var respectsRetryAfter = true
    /// The longest Retry-After that the policy honours; a response that asks for a longer pause ends the call. Default
    /// 30 s.
    public var maximumRetryAfter = Duration.seconds(30)
    /// The limit on the retries of all calls to one origin together. Default 20 % of the requests plus 10 per second;
    /// nil for no limit.
    public var budget: RetryPolicy.Budget? = .percent(20)
    /// The circuit breaker, which rejects requests to an origin that keeps failing. Default nil: none.
    public var breaker: RetryPolicy.CircuitBreaker?
    /// Decides about each possible retry; nil to follow ``RetryPolicy/Proposal/usual``.
    ///
    /// Called after each error, and after each response with one of the ``statuses`` or a status of 400 or above, even
    /// if the method is not one of ``methods``. The exceptions are the cases in which no retry is possible:
    /// ``maximumCount`` retries, a body that cannot be sent again, a cached response, cancellation, shutdown and an
    /// open circuit. An error that the closure throws fails the call.
    public var decide: (@Sendable (RetryPolicy.Proposal) async throws -> RetryPolicy.Decision)?
    /// Called before the pause of each retry.
    public var onRetry: (@Sendable (RetryPolicy.Proposal) -> Void)?

    /// Returns a random number for the jitter, from 0 up to but not including 1.
    package var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Creates a policy with the default of each property.
    public init() {}

    /// The stage around all attempts for one URL.
    public var stage: Call.Stage { .retries }

    /// Sends the request, and repeats it under the conditions that ``RetryPolicy`` lists.
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
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation {
        let probe = try breaker?.admit(request, at: time)
        if let budget { budget.deposit(for: request.parts.url, at: time) }
        let prepared = probe.map(request.asProbe)
        guard let attemptTimeout, request.parts.options.attemptTimeout == nil else {
            return prepared.map(Preparation.replacing) ?? .ready
        }
        var request = prepared ?? request
        request.change { $0.options.attemptTimeout = attemptTimeout }
        return .replacing(request)
    }

    package func accepts(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
    ) -> Bool {
        if let breaker { note(outcome, of: request, in: breaker, at: time) }
        return !isCandidate(outcome)
    }

    /// Returns true if a retry may follow the outcome of an attempt.
    private func isCandidate(_ outcome: Result<IncomingResponse, SockeyeError>) -> Bool {
        guard case .success(let response) = outcome else { return true }
        let status = response.statusCode
        return (statuses.contains(status) || status >= 400 && decide != nil) && !response.isFromCache
    }

    package func revise(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        var machine = RetryMachine(
            limit: maximumCount, backoff: backoff, maximumServerPause: maximumRetryAfter)
        var outcome = outcome
        do throws(SockeyeError) {
            while isCandidate(outcome), let pause = try await pause(after: outcome, of: request, machine, in: call) {
                call.record(request, outcome, reason: .retried)
                // Frees the connection for the retry, or for another request during the pause.
                if case .success(let response) = outcome { response.discardUnstored() }
                if pause > .zero { try await call.sleep(for: pause) }
                let probe = try breaker?.admit(request, at: call.shared.time)
                machine.retry()
                let retry = retryRequest(request, after: outcome, probe: probe)
                outcome = await call.outcome(of: retry)
                if let breaker { note(outcome, of: retry, in: breaker, at: call.shared.time) }
            }
            return try outcome.get()
        } catch {
            let count = machine.count
            throw count == 0 ? error : error.with { $0.attempt += count }
        }
    }
}

extension Interceptor where Self == RetryPolicy {
    /// Repeats failed requests; see ``RetryPolicy``, which has further settings.
    ///
    /// - Parameters:
    ///   - max: The maximum number of retries of a request after its first attempt. Default 3.
    ///   - backoff: The pauses before retries. Default 0.5 s, doubled each time up to 30 s, with random jitter.
    ///   - budget: The limit on the retries of all calls to one origin together. Default 20 % of the requests plus 10
    ///     per second; nil for no limit.
    ///   - breaker: The circuit breaker, which rejects requests to an origin that keeps failing. Default nil: none.
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

    /// Repeats failed requests as the given policy specifies.
    public static func retry(_ policy: RetryPolicy) -> RetryPolicy { policy }
}
