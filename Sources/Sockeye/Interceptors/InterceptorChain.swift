import SockeyeCore
import SockeyeEngine

/// Interceptors in the order in which a request meets them, and the transport behind the last.
///
/// A request goes through in one loop: the synchronous ones prepare it one after the other, it is sent, and they look at
/// what came of it in the opposite order. The loop awaits only where one of them has to wait, or where the next
/// interceptor is of the kind that wants a frame of its own; behind that it goes on by ``Call/proceed(_:)``.
final class InterceptorChain: Sendable {
    private enum Link: Sendable {
        case synchronous(any SynchronousInterceptor, prepares: Bool, interest: OutcomeInterest)
        case asynchronous(any Interceptor)
    }

    private let links: [Link]
    private let transport: any HTTPTransport
    private let sockets: SocketTransport?
    private let clock: CallClock
    private let monitors: [any EventMonitor]
    private let usual: Timeouts?
    /// Which outcomes one of the synchronous ones wants to see.
    private let interest: OutcomeInterest
    /// Whether each call needs a context from its beginning.
    private let needsContext: Bool

    init(
        _ interceptors: InterceptorList, to transport: any HTTPTransport, monitors: [any EventMonitor], clock: CallClock
    ) {
        var (interest, isSynchronous) = (OutcomeInterest.nothing, true)
        links = interceptors.ordered.map { interceptor in
            guard let synchronous = interceptor as? any SynchronousInterceptor else {
                isSynchronous = false
                return .asynchronous(interceptor)
            }
            interest = interest.union(synchronous.interest)
            return .synchronous(
                synchronous, prepares: synchronous.preparesRequests, interest: synchronous.interest)
        }
        self.transport = transport
        sockets = transport as? SocketTransport
        self.clock = clock
        self.monitors = monitors
        self.interest = interest
        usual = sockets?.configuration.timeouts
        needsContext = !isSynchronous || !monitors.isEmpty || sockets?.configuration.limits.bodyBytes != nil
    }

    // MARK: A call

    /// Sends the request of a call through all of them.
    @inline(__always)
    func send(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        var context: CallContext?
        if needsContext || request.parts.hasSeldomOptions && !request.parts.options.isUsual {
            context = self.context(of: request, observer: observer(of: request))
        }
        let outcome = await outcome(of: context?.completed(request) ?? request, from: 0, in: &context)
        guard let context else { return try outcome.get() }
        return try context.conclude(outcome)
    }

    /// Sends a request through those from a position on.
    func send(_ request: OutgoingRequest, from start: Int, in context: CallContext) async throws(SockeyeError)
        -> IncomingResponse
    {
        var context: CallContext? = context
        return try await outcome(of: request, from: start, in: &context).get()
    }

    /// What comes of a request that those in front of `start` have seen.
    ///
    /// - Parameter context: Made when somebody needs one.
    @inline(__always)
    private func outcome(
        of request: OutgoingRequest, from start: Int, in context: inout CallContext?
    ) async -> Result<IncomingResponse, SockeyeError> {
        var passing = PassingRequest(request, at: start)
        var outcome: Result<IncomingResponse, SockeyeError>
        do throws(SockeyeError) {
            while let waiting = try prepare(&passing) {
                let call = call(at: passing.position, with: passing.request, in: &context)
                passing.replace(by: try await waiting.prepareWaiting(passing.request, in: call))
            }
            if let context {
                outcome = .success(try await goOn(with: passing, in: context))
            } else if let sockets {
                outcome = .success(
                    try await sockets.perform(passing.request, adding: passing.added, upgrade: nil).answer())
            } else {
                outcome = .success(try await transport.answer(passing.whole))
            }
        } catch {
            // Those further out see it as they see every other outcome.
            outcome = .failure(error)
        }
        while let objecting = objection(to: outcome, of: &passing, from: start) {
            let call = call(at: passing.position, with: passing.request, since: outcome.started, in: &context)
            do throws(SockeyeError) {
                outcome = .success(try await objecting.revise(outcome, of: passing.asItWentOn, in: call))
            } catch {
                outcome = .failure(error)
            }
        }
        return outcome
    }

    /// Has the synchronous ones from the position on prepare the request.
    ///
    /// - Returns: The one that has to wait for that; nil behind the last of those that follow one another.
    @inline(__always)
    private func prepare(_ passing: inout PassingRequest) throws(SockeyeError) -> (any SynchronousInterceptor)? {
        while passing.position < links.count,
            case .synchronous(let interceptor, let prepares, _) = links[passing.position]
        {
            if !prepares {
                passing.goOn()
            } else if try !passing.prepare(by: interceptor, at: time) {
                return interceptor
            }
        }
        return nil
    }

    /// Shows the outcome to those that the request has passed, from the last of them on, if it concerns any of them.
    ///
    /// - Returns: The one that does not let it pass.
    @inline(__always)
    private func objection(
        to outcome: Result<IncomingResponse, SockeyeError>, of passing: inout PassingRequest, from start: Int
    ) -> (any SynchronousInterceptor)? {
        guard passing.position > start, interest.includes(outcome, of: passing.request) else { return nil }
        while passing.position > start {
            passing.goBack()
            if case .synchronous(let interceptor, _, let interest) = links[passing.position],
                interest.includes(outcome, of: passing.request),
                !interceptor.accepts(outcome, of: passing.request, at: time)
            {
                return interceptor
            }
        }
        return nil
    }

    /// Sends a request to the next interceptor, or to the wire.
    private func goOn(with passing: PassingRequest, in context: CallContext) async throws(SockeyeError)
        -> IncomingResponse
    {
        let position = passing.position
        if position < links.count, case .asynchronous(let interceptor) = links[position] {
            let request = context.completed(passing.whole)
            return try await intercept(request, by: interceptor, Call(self, at: position + 1, context))
        }
        context.attemptBegins()
        if let sockets {
            let request = context.completed(passing.request)
            return try await sockets.perform(request, adding: passing.added, upgrade: nil).answer()
        }
        return try await answer(context.completed(passing.whole))
    }

    /// The answer of a transport of somebody else's, which tells nothing of what goes on within.
    private func answer(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        guard let observer = request.options.observer else { return try await transport.answer(request) }
        observer.exchangeBegan(request.method, request.url)
        do throws(SockeyeError) {
            let response = try await transport.answer(request)
            observer.receivedHead(response.status) { response.headers }
            observer.exchangeEnded()
            return response
        } catch {
            observer.exchangeEnded(error)
            throw error
        }
    }

    private func intercept(
        _ request: OutgoingRequest, by interceptor: any Interceptor, _ call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        // What it has is meant for the origin that was asked for, which a redirect has left.
        if request.parts.hasSeldomOptions, request.parts.options.leftOrigin, interceptor.carriesCredentials {
            return try await call.proceed(request)
        }
        do {
            return try await interceptor.intercept(request, in: call)
        } catch {
            throw SockeyeError(.interceptorFailed, wrapping: error, "an interceptor failed", request: request)
        }
    }

    // MARK: What the interceptors of a call share

    private var time: TimeSource { clock.time }

    /// The way behind a position.
    ///
    /// - Parameter started: When the call began, if it has no context yet. Nil: now.
    private func call(
        at position: Int, with request: OutgoingRequest, since started: MonotonicTime? = nil,
        in context: inout CallContext?
    ) -> Call {
        let shared = context ?? self.context(of: request, started: started)
        context = shared
        return Call(self, at: position + 1, shared)
    }

    private func context(
        of request: OutgoingRequest, started: MonotonicTime? = nil, observer: CallObserver? = nil
    ) -> CallContext {
        CallContext(clock, started: started, total: total(of: request), observer: observer)
    }

    /// What a request that says nothing else gets from the client's configuration. A transport of somebody else's is taken to
    /// do what is usual.
    var usualSettings: (decompresses: Bool, bodyLimit: Int?) {
        guard let sockets else { return (true, nil) }
        return (sockets.configuration.decompresses, sockets.configuration.limits.bodyBytes)
    }

    private func total(of request: OutgoingRequest) -> Duration? {
        guard request.parts.hasSeldomOptions, let own = request.parts.options.timeouts else { return usual?.total }
        return own.assigned.contains(.total) ? own.total : usual?.total
    }

    private func observer(of request: OutgoingRequest) -> CallObserver? {
        guard request.parts.hasSeldomOptions || !monitors.isEmpty else { return nil }
        let options = request.parts.options
        if let observer = options.observer as? CallObserver { return observer }
        guard options.collectsMetrics || !monitors.isEmpty else { return nil }
        return CallObserver(request, monitors: monitors, time: clock.time)
    }
}

extension Result<IncomingResponse, SockeyeError> {
    /// When the exchange began that led to this; nil where it never did.
    fileprivate var started: MonotonicTime? {
        switch self {
        case .success(let response): response.started
        case .failure(let error): error.started
        }
    }
}
