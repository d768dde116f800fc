import HTTPTypes
import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

extension RetryPolicy {
    /// Tells a breaker what came of a request.
    func note(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest,
        in breaker: RetryPolicy.CircuitBreaker,
        at time: TimeSource
    ) {
        let url = request.parts.url
        switch outcome {
        case .success(let response):
            // A cache that was not asked past tells nothing of the origin; one that stood in for it tells that it failed.
            let contact = response.cacheContact
            guard contact != .none else { return breaker.abandoned(url, at: time) }
            let hasFailed =
                contact == .failed || response.statusCode >= 500 && statuses.contains(response.statusCode)
            if hasFailed { breaker.failed(url, at: time) } else { breaker.succeeded(url) }
        case .failure(let error):
            let hasFailed = mayRepeat(error) && isTransient(error)
            if hasFailed { breaker.failed(url, at: time) } else { breaker.abandoned(url, at: time) }
        }
    }

    /// How long to wait before the request is sent again; nil when the outcome is the call's.
    func pause(
        after outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, _ machine: RetryMachine,
        in call: Call
    ) async throws(SockeyeError) -> Duration? {
        guard !machine.isExhausted, request.body.canBeSent else { return nil }
        if case .failure(let error) = outcome, !mayRepeat(error) { return nil }
        let usual =
            isRepeatable(outcome, of: request)
            ? machine.pause(asked: askedPause(outcome, at: call.shared.time), random: random()) : nil
        guard let pause = try await decided(outcome, of: request, usual, machine),
            machine.allows(pause, remaining: call.remaining)
        else { return nil }
        let (origin, time) = (request.url.origin, call.shared.time)
        if let breaker, breaker.isOpen(origin, after: pause, at: time) { return nil }
        if let budget, !budget.withdraw(for: request.parts.url, at: time) { return nil }
        onRetry?(RetryPolicy.Proposal(request, outcome, count: machine.count, pause: pause))
        return pause
    }

    /// The request as it is sent again: an answer that is worth repeating must not come back from a cache that stored it.
    func repeated(_ request: OutgoingRequest, after outcome: Result<IncomingResponse, SockeyeError>) -> OutgoingRequest
    {
        guard case .success(let response) = outcome, response.cacheOutcome != nil else { return request }
        var request = request
        request.change { $0.options.repeatsAnswer = true }
        return request
    }

    /// Whether there is anybody left to repeat it for.
    private func mayRepeat(_ error: SockeyeError) -> Bool {
        error.code != .cancelled && error.code != .shutDown && error.code != .circuitOpen
    }

    /// Whether the policy repeats it by itself.
    private func isRepeatable(_ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest) -> Bool {
        switch outcome {
        case .success(let response): return allowsRepeating(request) && statuses.contains(response.statusCode)
        case .failure(let error): return (allowsRepeating(request) || error.isUnsent) && isTransient(error)
        }
    }

    private func allowsRepeating(_ request: OutgoingRequest) -> Bool {
        if let declared = request.options.isIdempotent { return declared }
        return methods.contains(request.method) || request.headers.contains("Idempotency-Key")
    }

    private func askedPause(_ outcome: Result<IncomingResponse, SockeyeError>, at time: TimeSource) -> Duration? {
        guard respectsRetryAfter, case .success(let response) = outcome, let value = response["Retry-After"] else {
            return nil
        }
        return RetryAfter.pause(value, date: response[.date], now: time.unixTime)
    }

    private func decided(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, _ usual: Duration?,
        _ machine: RetryMachine
    ) async throws(SockeyeError) -> Duration? {
        guard let decide else { return usual }
        do {
            switch try await decide(RetryPolicy.Proposal(request, outcome, count: machine.count, pause: usual)) {
            case .retry(let pause): return max(.zero, pause)
            case .stop: return nil
            }
        } catch {
            throw SockeyeError(.interceptorFailed, wrapping: error, "deciding on a retry failed", request: request)
        }
    }
}

extension SockeyeError {
    /// Whether the request failed before there was an answer, for a reason that may be gone the next time.
    ///
    /// True when the name could not be resolved, no connection could be made, the peer closed or reset it (in the TLS
    /// handshake, too) before the head of the response was complete, or a deadline of these phases has passed. False for
    /// whatever would fail again or was decided here: certificates that are refused, everything that
    /// ``blame-swift.property`` lays at the door of the caller or of a policy (waiting for the pool among it), responses
    /// that break HTTP, limits, cancellation; and for what happened in the body.
    ///
    /// It does not say whether repeating the request is safe: that depends on its method and its body.
    public var isTransient: Bool { phase != .body && phase != .decode && hasTransientCause }

    /// Whether what failed is the way to the server or the connection, in whichever phase: ``isTransient`` for a download, which
    /// can go on in the middle of the content.
    var hasTransientCause: Bool {
        guard blame != .caller, blame != .policy else { return false }
        switch code {
        case .resolutionFailed, .connectFailed, .connectionClosed, .timeout, .bodyLengthMismatch: return true
        case .tlsFailed:
            guard case .tls(let failure)? = underlying as? TransportError else { return false }
            return failure.reason == .handshakeClosed
        default: return false
        }
    }
}
