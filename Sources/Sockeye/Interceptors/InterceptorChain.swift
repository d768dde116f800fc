import SockeyeCore
import SockeyeEngine

/// Interceptors in the order in which a request meets them, and what is behind the last.
final class InterceptorChain: Sendable {
    private struct Link: Sendable {
        let interceptor: any Interceptor
        let quick: QuickLink?
    }

    private let links: [Link]
    private let transport: any HTTPTransport
    private let sockets: SocketTransport?
    private let clock: CallClock
    private let monitors: [any EventMonitor]
    private let usual: Timeouts?
    /// How far requests come to which the quick ones in front do nothing; nil where they do something.
    let start: Int?
    /// Which outcomes one of the quick ones wants to see.
    let interest: OutcomeInterest
    /// Whether nobody in it wants a frame of his own, nor watches, and the response is the call's as it comes.
    let isQuick: Bool

    init(
        _ interceptors: InterceptorList, to transport: any HTTPTransport, monitors: [any EventMonitor], clock: CallClock
    ) {
        links = Self.links(interceptors.ordered)
        self.transport = transport
        sockets = transport as? SocketTransport
        self.clock = clock
        self.monitors = monitors
        usual = sockets?.configuration.timeouts
        if let first = links.first?.quick { start = first.preparesRequests ? nil : first.end } else { start = 0 }
        interest = links.reduce(.nothing) { $0.union($1.quick?.interest ?? .nothing) }
        let limitsBodies = sockets?.configuration.limits.bodyBytes != nil
        isQuick = links.allSatisfy { $0.quick != nil } && monitors.isEmpty && !limitsBodies
    }

    /// From the last to the first, since each knows the next.
    private static func links(_ interceptors: [any Interceptor]) -> [Link] {
        var next: QuickLink?
        let links = interceptors.enumerated().reversed().map { position, interceptor in
            next = (interceptor as? any QuickInterceptor).map { QuickLink($0, at: position, before: next) }
            return Link(interceptor: interceptor, quick: next)
        }
        return links.reversed()
    }

    func quickLink(at position: Int) -> QuickLink? {
        position < links.count ? links[position].quick : nil
    }

    /// Sends a request through all of them.
    func send(_ request: Request) async throws(SockeyeError) -> Response {
        let context = context(of: request, observer: observer(of: request))
        let descent = Descent(context.completed(request), at: 0)
        return try context.conclude(await outcome(of: descent, from: 0, in: context))
    }

    private func observer(of request: Request) -> CallObserver? {
        guard request.parts.hasSeldomOptions || !monitors.isEmpty else { return nil }
        let options = request.parts.options
        if let observer = options.observer as? CallObserver { return observer }
        guard options.collectsMetrics || !monitors.isEmpty else { return nil }
        return CallObserver(request, monitors: monitors, time: clock.time)
    }

    var time: TimeSource { clock.time }

    /// - Parameter started: Nil: now.
    func context(of request: Request, started: MonotonicTime? = nil, observer: CallObserver? = nil) -> CallContext {
        CallContext(clock, started: started, total: total(of: request), observer: observer)
    }

    private func total(of request: Request) -> Duration? {
        guard request.parts.hasSeldomOptions, let own = request.parts.options.timeouts else { return usual?.total }
        return own.assigned.contains(.total) ? own.total : usual?.total
    }

    /// Sends a request through those from a position on.
    func send(_ request: Request, from start: Int, in context: CallContext) async throws(SockeyeError) -> Response {
        try await outcome(of: Descent(request, at: start), from: start, in: context).get()
    }

    /// What comes of a request that those from `start` on have seen as far as it has come.
    ///
    /// Down and up again in one frame, as long as nobody has to wait: see ``QuickInterceptor``.
    func outcome(
        of descent: Descent, from start: Int, in context: CallContext
    ) async -> Result<Response, SockeyeError> {
        var descent = descent
        var outcome: Result<Response, SockeyeError>
        do throws(SockeyeError) {
            while let waiting = try descend(&descent) {
                let call = Call(self, at: descent.position + 1, context)
                descent.replace(by: try await waiting.interceptor.prepareWaiting(descent.request, in: call))
            }
            let request = context.completed(descent.whole)
            outcome = await self.outcome(of: request, at: descent.position, in: context)
        } catch {
            // Those further out see it as they see every other outcome.
            outcome = .failure(error)
        }
        guard let objecting = ascend(&descent, to: start, with: outcome) else { return outcome }
        return await self.outcome(outcome, of: descent, revisedBy: objecting, to: start, in: context)
    }

    /// What becomes of an outcome that a policy does not let pass, and those further out after it.
    func outcome(
        _ outcome: Result<Response, SockeyeError>, of descent: Descent, revisedBy objecting: QuickLink,
        to start: Int, in context: CallContext
    ) async -> Result<Response, SockeyeError> {
        var (outcome, descent) = (outcome, descent)
        var next: QuickLink? = objecting
        while let objecting = next {
            let call = Call(self, at: descent.position + 1, context)
            do throws(SockeyeError) {
                outcome = .success(
                    try await objecting.interceptor.revise(outcome, of: descent.asItWentOn, in: call))
            } catch {
                outcome = .failure(error)
            }
            next = ascend(&descent, to: start, with: outcome)
        }
        return outcome
    }

    /// What comes of a request behind the quick ones: on the wire, or of an interceptor that wants a frame of its own.
    private func outcome(
        of request: Request, at position: Int, in context: CallContext
    ) async -> Result<Response, SockeyeError> {
        do throws(SockeyeError) {
            if position < links.count {
                return .success(
                    try await intercept(request, by: links[position].interceptor, Call(self, at: position + 1, context))
                )
            }
            context.attemptBegins()
            if let sockets { return .success(try await sockets.send(request)) }
            return .success(try await answer(request))
        } catch {
            return .failure(error)
        }
    }

    /// The answer of a transport of somebody else's, which tells nothing of what goes on within.
    private func answer(_ request: Request) async throws(SockeyeError) -> Response {
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
        _ request: Request, by interceptor: any Interceptor, _ call: Call
    ) async throws(SockeyeError) -> Response {
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
}
