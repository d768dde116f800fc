package import SockeyeCore
package import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// The state of one call that its interceptors share: clock, deadline, observer, history.
package final class CallContext: CallLink {
    let clock: CallClock
    package let started: MonotonicTime
    /// The deadline of the whole call, including redirects, retries and pauses.
    package let deadline: MonotonicTime
    /// The configured length of the time limit that ends at ``deadline``; nil without a limit.
    private let total: Duration?
    package let observer: CallObserver?
    package var exchangeObserver: (any ExchangeObserver)? { observer }
    /// The values that the caller attached to the call.
    let values: OutgoingRequest.Context
    /// The start of the running attempt, in nanoseconds.
    private let attemptStarted: Atomic<Int64>
    private let prior = Mutex<[PriorExchange]>([])
    /// True if there are prior exchanges. Most calls have none, and reading this takes no lock.
    private let hasHistory = Atomic(false)

    /// Creates the context of a call.
    ///
    /// - Parameters:
    ///   - started: The start of the call; nil for the current time.
    ///   - total: The time limit of the call; nil for none.
    ///   - end: The end of the time limit if an outer call started the limit; nil if the limit starts with this call.
    init(
        _ clock: CallClock, started: MonotonicTime? = nil, total: Duration?, until end: MonotonicTime? = nil,
        observer: CallObserver? = nil, values: OutgoingRequest.Context
    ) {
        let started = started ?? clock.time.now
        self.clock = clock
        self.total = total
        self.observer = observer
        self.values = values
        self.started = started
        deadline = end ?? started.deadline(after: total)
        attemptStarted = Atomic(started.nanoseconds)
    }

    package var time: TimeSource { clock.time }

    /// A context for work that continues after the call. Its time limit is as long as the call's but starts now, and it
    /// has no observer.
    var contextForDetachedCall: CallContext { CallContext(clock, total: total, values: values) }

    /// A context without a deadline, for work that several calls may wait for, each with a deadline of its own. The
    /// work has a separate history. The call that started the work adds that history to its own with ``adopt(_:)``.
    var withoutDeadline: CallContext {
        CallContext(clock, started: started, total: nil, observer: observer, values: values)
    }

    /// Appends the history of the other context.
    package func adopt(_ other: CallContext) {
        guard other !== self else { return }
        let history = other.history
        if !history.isEmpty { append(history) }
    }

    /// Tells the observer the cache outcome of a response.
    package func cacheAnswered(_ response: IncomingResponse, to url: HTTPURL) {
        guard let observer, let outcome = response.cacheOutcome else { return }
        observer.cacheAnswered(outcome, url)
    }

    /// Returns the request with the call's deadline and observer as options, because interceptors and transports get
    /// only the request. Removes the call's own interceptors from the options, because the chain of this call already
    /// runs them. If an interceptor sent the request with another client, that client would otherwise run them again.
    ///
    /// - Parameter transport: The transport over sockets that sends the request; nil without one.
    func completed(_ request: OutgoingRequest, over transport: SocketTransport?) -> OutgoingRequest {
        let needsStart = hasHistory.load(ordering: .acquiring) || transport?.isDraining == true
        guard !isComplete(request.parts, needsStart: needsStart) else { return request }
        var request = request
        request.change { values in
            if deadline != .distantFuture { values.options.deadline = deadline }
            values.options.observer = observer
            values.options.callStarted = started
            if values.options.hasInterceptors { values.options.interceptors = [] }
        }
        return request
    }

    /// True if a request has the call's deadline and observer, and no interceptors. After the first exchange, and
    /// during a graceful shutdown, the request must also have the call's start. Without the start, a transport that
    /// shuts down gracefully would refuse the request as a new call. Reads only these options, because a copy of all
    /// options would retain every object in them.
    private func isComplete(_ parts: OutgoingRequest.Parts, needsStart: Bool) -> Bool {
        guard parts.hasRareOptions else { return !needsStart && deadline == .distantFuture && observer == nil }
        return (!needsStart || parts.options.callStarted != nil)
            && (deadline == .distantFuture || parts.options.deadline == deadline)
            && (observer == nil || parts.options.observer === observer) && !parts.options.hasInterceptors
    }

    // MARK: History

    func attemptBegins() {
        attemptStarted.store(time.now.nanoseconds, ordering: .relaxed)
    }

    package var history: [PriorExchange] {
        hasHistory.load(ordering: .acquiring) ? prior.withLock { $0 } : []
    }

    private func append(_ exchanges: [PriorExchange]) {
        prior.withLock { $0 += exchanges }
        hasHistory.store(true, ordering: .releasing)
    }

    func record(
        _ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, reason: PriorExchange.Reason
    ) {
        let (now, start) = (time.now, MonotonicTime(nanoseconds: attemptStarted.load(ordering: .relaxed)))
        let exchange = PriorExchange(
            request, outcome, reason: reason, start: start.since(started), duration: now.since(start))
        append([exchange])
        observer?.callWillContinue(after: exchange)
    }

    /// Ends the call: reports the outcome to the observer and returns it.
    ///
    /// - Parameter isReported: True if this call was made within another call, by an interceptor or the transport of
    ///   that call. The outer call then reports the return.
    func conclude(
        _ outcome: Result<IncomingResponse, SockeyeError>, isReported: Bool
    ) throws(SockeyeError) -> IncomingResponse {
        let outcome = completed(outcome)
        if !isReported { observer?.returned(outcome) }
        return try outcome.get()
    }

    /// Returns the outcome with the call's history.
    private func completed(_ outcome: Result<IncomingResponse, SockeyeError>) -> Result<IncomingResponse, SockeyeError>
    {
        let history = history
        switch outcome {
        case .success(let response):
            // The announced length of the body is checked only here, because only the final response's body reaches the
            // caller.
            if let excess = response.announcedSizeError { return completed(.failure(excess)) }
            return .success(history.isEmpty && observer == nil ? response : response.with(history, observer))
        case .failure(let error):
            return .failure(history.isEmpty || !error.history.isEmpty ? error : error.with { $0.history = history })
        }
    }

    // MARK: Waiting

    /// Returns the poller for waits that an event may end before the deadline.
    package func poller() throws(TransportError) -> EventPoller { try clock.poller() }

    /// True if the total deadline has passed.
    package var isOverdue: Bool { time.now >= deadline }

    /// Returns the error of a wait that the total deadline ended.
    package func timedOut(in phase: SockeyeError.Phase) -> SockeyeError {
        .timeout(phase, configured: total, name: "total")
    }

    /// Runs a closure of the application, or an operation of its cache store, in a task of its own. At the total
    /// deadline, or if the call is cancelled, the closure's task is cancelled and not awaited, and this method throws.
    package func run<Value: Sendable>(
        in phase: SockeyeError.Phase, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do throws(TransportError) {
            result = try await DeadlineRunner(deadline: deadline, poller: poller()).run(work)
        } catch {
            throw error == .timedOut ? timedOut(in: phase) : SockeyeError(error, phase: phase)
        }
        return try result.get()
    }

    func sleep(for duration: Duration) async throws(SockeyeError) {
        let end = time.now.advanced(by: duration)
        // Without a deadline, even a wait without an end is allowed.
        guard end < deadline || deadline == .distantFuture else { throw timedOut(in: .prepare) }
        try await sleep(until: end)
    }

    /// Waits for `duration`. If the total deadline passes first, the wait ends then and throws the timeout.
    ///
    /// Use it for waits that an event may end early by cancelling the waiting task. ``sleep(for:)``, in contrast,
    /// throws at once if the wait would exceed the deadline.
    func sleep(atMost duration: Duration) async throws(SockeyeError) {
        let end = time.now.advanced(by: duration)
        try await sleep(until: min(end, deadline))
        guard end < deadline || deadline == .distantFuture else { throw timedOut(in: .prepare) }
    }

    private func sleep(until end: MonotonicTime) async throws(SockeyeError) {
        do throws(TransportError) {
            try await clock.sleep(until: end)
        } catch {
            throw SockeyeError(error, phase: .prepare)
        }
    }
}

extension PriorExchange {
    /// Creates the record of a request and its outcome.
    init(
        _ request: OutgoingRequest, _ outcome: Result<IncomingResponse, SockeyeError>, reason: Reason, start: Duration,
        duration: Duration
    ) {
        let (response, error): (IncomingResponse?, SockeyeError?) =
            switch outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        self.init(
            reason: reason, method: request.method, url: request.url.removingUserInfo, status: response?.status,
            headers: response?.headers, error: error, start: start, duration: duration,
            cacheOutcome: response?.cacheOutcome)
    }
}
