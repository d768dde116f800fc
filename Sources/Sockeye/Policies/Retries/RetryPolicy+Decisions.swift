import HTTPTypes
import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

extension RetryPolicy {
    /// Tells a circuit breaker the outcome of a request.
    func note(
        _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest,
        in breaker: RetryPolicy.CircuitBreaker,
        at time: TimeSource
    ) {
        switch outcome {
        case .success(let response):
            // A cached response that was served without contact to the origin says nothing about the origin. A cached
            // response that replaced an error counts as a failure. A response that several calls share counts once.
            let contact = response.cacheContact
            guard contact != .none, response.cacheOutcome?.kind != .joined else {
                return breaker.abandoned(request, at: time)
            }
            let hasFailed =
                contact == .failed || response.statusCode >= 500 && statuses.contains(response.statusCode)
            if hasFailed { breaker.failed(request, at: time) } else { breaker.succeeded(request) }
        case .failure(let error):
            let hasFailed = !error.fields.isShared && mayRepeat(error) && isTransient(error)
            if hasFailed { breaker.failed(request, at: time) } else { breaker.abandoned(request, at: time) }
        }
    }

    /// Returns the pause before a retry; nil if there is no retry.
    func pause(
        after outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, _ machine: RetryMachine,
        in call: Call
    ) async throws(SockeyeError) -> Duration? {
        guard !machine.isExhausted, request.body.canBeSent, !call.shared.isOverdue else { return nil }
        if case .failure(let error) = outcome, !mayRepeat(error) { return nil }
        let usual =
            isRepeatable(outcome, of: request)
            ? machine.pause(serverPause: askedPause(outcome, at: call.shared.time), random: random()) : nil
        guard let pause = try await decided(outcome, of: request, usual, machine, in: call),
            machine.allows(pause, remaining: call.remaining)
        else { return nil }
        let (origin, time) = (request.url.origin, call.shared.time)
        if let breaker, breaker.isOpen(origin, after: pause, at: time) { return nil }
        if let budget, !budget.withdraw(for: request.parts.url, at: time) { return nil }
        onRetry?(RetryPolicy.Proposal(request, outcome, count: machine.count, pause: pause))
        return pause
    }

    /// Returns the request for a retry. The mark `isRetryAfterResponse` prevents a cache that has stored the error
    /// response from answering the retry with that response.
    ///
    /// - Parameter probe: The number that the circuit breaker gave the retry, if the retry is the single request that
    ///   tests a failing origin; nil otherwise.
    func retryRequest(
        _ request: OutgoingRequest, after outcome: Result<IncomingResponse, SockeyeError>, probe: Int?
    ) -> OutgoingRequest {
        var retry = probe.map(request.asProbe) ?? request
        guard case .success(let response) = outcome, response.cacheOutcome != nil else { return retry }
        retry.change { $0.options.isRetryAfterResponse = true }
        return retry
    }

    /// Returns false if the caller cancelled, the client was shut down, or the circuit is open.
    private func mayRepeat(_ error: SockeyeError) -> Bool {
        error.code != .cancelled && error.code != .shutDown && error.code != .circuitOpen
    }

    /// Returns the decision of the policy itself, which ``decide`` can override.
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
        _ machine: RetryMachine, in call: Call
    ) async throws(SockeyeError) -> Duration? {
        guard let decide else { return usual }
        let proposal = RetryPolicy.Proposal(request, outcome, count: machine.count, pause: usual)
        do {
            switch try await call.shared.run(in: .prepare, { try await decide(proposal) }) {
            case .retry(let pause): return max(.zero, pause)
            case .stop: return nil
            }
        } catch {
            // The outcome says more than the total deadline, which has passed while the closure ran.
            if call.shared.isOverdue { return nil }
            throw SockeyeError(
                .interceptorFailed, wrapping: error, "the closure RetryPolicy.decide threw an error", request: request)
        }
    }
}

extension SockeyeError {
    /// True if the request failed before the response head arrived, for a reason that may be temporary.
    ///
    /// True if name resolution or connecting failed, or if the peer closed or reset the connection before the head was
    /// complete (also in the TLS handshake). Also true if a deadline passed during name resolution, connecting, the TLS
    /// handshake, sending, or the wait for the head.
    ///
    /// False for errors that would recur, such as rejected certificates and responses that violate HTTP. Also false for
    /// every error with the caller or a policy as ``blame-swift.property``, such as cancellation, an exceeded limit, or
    /// a timeout while the request waits for a connection of the pool.
    ///
    /// This property does not tell whether repeating the request is safe: that depends on its method and body.
    public var isTransient: Bool { phase != .body && phase != .decode && hasTransientCause }

    /// True if downloads and event streams may continue with another request. Unlike ``isTransient``, also true if the
    /// connection failed in the body.
    ///
    /// Also true for errors before the body that are caused by a temporary state of this client: no free connection, a
    /// full queue, an open circuit, or a lack of descriptors or memory.
    package var mayPass: Bool {
        if hasTransientCause { return true }
        guard phase != .body, phase != .decode else { return false }
        switch code {
        case .tooManyWaiting, .circuitOpen, .outOfResources: return true
        case .timeout: return blame == .policy
        default: return false
        }
    }

    /// True if the connection or the route to the server failed, in any phase.
    private var hasTransientCause: Bool {
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
