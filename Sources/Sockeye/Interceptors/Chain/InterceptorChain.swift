import SockeyeCore

/// Interceptors in the order in which a request meets them, and what is behind the last.
final class InterceptorChain: Sendable {
    private struct Link: Sendable {
        let interceptor: any Interceptor
        let quick: (any QuickLink)?
    }

    private let links: [Link]
    private let transport: any HTTPTransport
    private let sockets: SocketTransport?
    private let clock: CallClock
    private let monitors: [any EventMonitor]

    init(_ interceptors: InterceptorList, _ settings: ClientScope.Settings) {
        links = interceptors.ordered.map { Link(interceptor: $0, quick: ($0 as? any QuickInterceptor)?.link) }
        transport = settings.transport
        sockets = settings.transport as? SocketTransport
        clock = settings.clock
        monitors = settings.monitors
    }

    /// Sends a request through all of them.
    func send(_ request: Request) async throws(SockeyeError) -> Response {
        let observer = observer(of: request)
        let context = CallContext(clock, total: total(of: request), observer: observer)
        var outcome: Result<Response, SockeyeError>
        do throws(SockeyeError) {
            outcome = .success(try await send(context.completed(request), from: 0, in: context))
        } catch {
            outcome = .failure(error)
        }
        outcome = context.completed(outcome)
        observer?.returned(outcome)
        return try outcome.get()
    }

    private func observer(of request: Request) -> CallObserver? {
        let options = request.parts.options
        if let observer = options.observer { return observer }
        guard options.collectsMetrics || !monitors.isEmpty else { return nil }
        return CallObserver(request, monitors: monitors, time: clock.time)
    }

    /// Goes on from a response that was sent without the chain, which has nothing but `redirects`.
    func follow(
        _ response: Response, to request: Request, by redirects: RedirectPolicy
    ) async throws(SockeyeError) -> Response {
        let context = CallContext(clock, started: response.started, total: total(of: request))
        let outcome: Result<Response, SockeyeError>
        do throws(SockeyeError) {
            let call = Call(self, at: links.count, context)
            outcome = .success(try await redirects.revise(.success(response), of: context.completed(request), in: call))
        } catch {
            outcome = .failure(error)
        }
        return try context.completed(outcome).get()
    }

    private func total(of request: Request) -> Duration? {
        (request.parts.options.timeouts ?? sockets?.configuration.timeouts)?.total
    }

    /// Sends a request through those from a position on.
    ///
    /// Down and up again in one frame, as long as nobody has to wait: see ``QuickInterceptor``.
    func send(_ request: Request, from start: Int, in context: CallContext) async throws(SockeyeError) -> Response {
        var request = request
        var sent: [Request] = []
        sent.reserveCapacity(links.count - start)
        var position = start
        var outcome: Result<Response, SockeyeError>
        do throws(SockeyeError) {
            while position < links.count, let quick = links[position].quick {
                if let prepared = try quick.prepare(request, at: context.time) {
                    request = prepared
                } else {
                    let call = Call(self, at: position + 1, context)
                    request = try await quick.interceptor.prepareWaiting(request, in: call)
                }
                sent.append(request)
                position += 1
            }
            outcome = await self.outcome(of: request, at: position, in: context)
        } catch {
            // Those further out see it as they see every other outcome.
            outcome = .failure(error)
        }
        while position > start {
            position -= 1
            guard let quick = links[position].quick else { continue }
            let request = sent[position - start]
            if quick.accepts(outcome, of: request, at: context.time) { continue }
            do throws(SockeyeError) {
                outcome = .success(
                    try await quick.interceptor.revise(
                        outcome, of: request, in: Call(self, at: position + 1, context)))
            } catch {
                outcome = .failure(error)
            }
        }
        return try outcome.get()
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
            observer.receivedHead(response)
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
        do {
            return try await interceptor.intercept(request, in: call)
        } catch {
            throw SockeyeError(.interceptorFailed, wrapping: error, "an interceptor failed", request: request)
        }
    }
}
