import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// The interceptors of a call in their order, followed by the transport.
///
/// One loop processes a request: the synchronous interceptors prepare it in order, it is sent, and they examine the
/// outcome in reverse order. The loop awaits only the transport, asynchronous interceptors, and the asynchronous
/// variants of a ``SynchronousInterceptor``'s steps. An asynchronous interceptor runs the rest of the chain through
/// ``Call/proceed(_:)``.
package final class InterceptorChain: Sendable {
    private enum Link: Sendable {
        case synchronous(any SynchronousInterceptor, outcomeFilter: OutcomeFilter)
        case asynchronous(any Interceptor)
    }

    private let links: [Link]
    /// A skip table. It maps a position to the same position if the link there prepares requests or is asynchronous, or
    /// else to the next such position. Reading a link costs reference counting; the table saves it for skipped links.
    private let nextActivePositions: [Int]
    private let transport: any HTTPTransport
    /// The transport if it is a ``SocketTransport``, else nil; saves dynamic calls through ``HTTPTransport``.
    private let sockets: SocketTransport?
    /// The ``SocketTransport`` that sends the requests: ``transport`` itself, or the one it wraps. Nil without sockets.
    private let base: SocketTransport?
    /// The route of http requests to this machine (`localhost`, loopback addresses).
    let loopbackRoute: LoopbackRoute
    private let clock: CallClock
    /// The client's monitors, and the interceptors that are monitors themselves.
    private let monitors: CallMonitors
    /// True if a monitor may receive events of calls.
    package let isObserved: Bool
    /// The User-Agent that the client adds to requests without one. A custom transport is assumed to add none.
    let usualUserAgent: String?
    /// The client's tolerances for requests that do not set them. A custom transport is assumed to have none.
    let usualTolerances: ResponseTolerances
    private let defaultTimeouts: Timeouts
    /// The limits that follow from ``defaultTimeouts``.
    private let defaultLimits: PhaseLimits
    /// The union of the filters of the synchronous interceptors.
    private let outcomeFilter: OutcomeFilter
    /// True if each call needs a ``CallContext`` from its start.
    private let needsContext: Bool
    /// The position of the last interceptor that adds credentials; -1 if no interceptor does.
    private let lastWithCredentials: Int
    /// The fields that count as credentials in addition to ``RedirectPolicy/usualStrippedFields``. They come from the
    /// ``RedirectPolicy/strippedFields`` of the client's and the call's redirect policies.
    let secretFields: Set<Headers.Name>
    /// The client's work that does not belong to one call, such as refreshes of stored responses.
    let background: BackgroundWork

    /// - Parameter secretFields: The fields that count as credentials; nil to take them from the redirect policies of
    ///   `interceptors`.
    package init(
        _ interceptors: InterceptorList, secretFields: Set<Headers.Name>? = nil, to transport: any HTTPTransport,
        monitors: [any EventMonitor], clock: CallClock, background: BackgroundWork
    ) {
        var (outcomeFilter, isSynchronous) = (OutcomeFilter.nothing, true)
        sockets = transport as? SocketTransport
        base = transport.sockets
        let route = base.map { LoopbackRoute($0.configuration.proxy, $0.configuration.overrides) } ?? .local
        let ordered = interceptors.ordered.map { ($0 as? any RouteBoundInterceptor)?.sending(by: route) ?? $0 }
        loopbackRoute = route
        var stops = [ordered.count]
        for (position, interceptor) in ordered.enumerated().reversed() {
            let isStop = (interceptor as? any SynchronousInterceptor)?.preparesRequests ?? true
            stops.insert(isStop ? position : stops[0], at: 0)
        }
        self.nextActivePositions = stops
        lastWithCredentials = ordered.lastIndex(where: Self.addsCredentials) ?? -1
        self.secretFields = secretFields ?? interceptors.secretFields
        self.background = background
        links = ordered.map { interceptor in
            guard let synchronous = interceptor as? any SynchronousInterceptor else {
                isSynchronous = false
                return .asynchronous(interceptor)
            }
            outcomeFilter = outcomeFilter.union(synchronous.outcomeFilter)
            return .synchronous(synchronous, outcomeFilter: synchronous.outcomeFilter)
        }
        self.transport = transport
        self.clock = clock
        self.monitors = CallMonitors(monitors + ordered.compactMap { $0 as? any EventMonitor })
        isObserved = !self.monitors.isEmpty
        self.outcomeFilter = outcomeFilter
        usualUserAgent = base?.configuration.userAgent
        usualTolerances = base?.configuration.tolerances ?? []
        defaultTimeouts = base?.configuration.timeouts ?? Timeouts()
        defaultLimits = PhaseLimits(defaultTimeouts)
        // A custom transport reads the observer from the request's options, in which the context stores it.
        let isObservedElsewhere = sockets == nil && isObserved
        needsContext = !isSynchronous || isObservedElsewhere || base?.configuration.limits.bodyBytes != nil
    }

    // MARK: A call

    /// Sends the request of a call through all interceptors.
    @inline(__always)
    package func send(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        var (observer, context): (CallObserver?, CallContext?) = (nil, nil)
        if needsContext || request.parts.hasRareOptions && request.parts.options.needsContext {
            observer = self.observer(of: request)
            context = self.context(of: request, for: observer)
        } else if isObserved {
            observer = self.observer(of: request)
        }
        // A graceful shutdown waits for exchanges. An asynchronous interceptor may wait while the call has no exchange,
        // so the call is registered here for its whole duration.
        let suspended = context.flatMap { background.beginSuspension(since: $0.started, over: base) }
        let outcome = await outcome(of: request, from: 0, for: observer, in: &context)
        suspended?.end()
        if let context { return try context.conclude(outcome, isReported: request.belongsToObservedCall) }
        // Not `get`: its copy of the outcome costs two atomic reference counts that threads contend for.
        switch consume outcome {
        case .success(let response):
            guard let observer else { return response }
            let observed = response.with([], observer)
            if !request.belongsToObservedCall { observer.returned(.success(observed)) }
            return observed
        case .failure(let error):
            if let observer, !request.belongsToObservedCall { observer.returned(.failure(error)) }
            throw error
        }
    }

    /// Sends a request through the interceptors from a position on.
    func send(_ request: OutgoingRequest, from start: Int, in context: CallContext) async throws(SockeyeError)
        -> IncomingResponse
    {
        let observer = context.observer
        var context: CallContext? = context
        return try await outcome(of: request, from: start, for: observer, in: &context).get()
    }

    /// Returns the outcome of a request that the interceptors before `start` have passed on.
    ///
    /// - Parameter context: The context of the call; nil until it is created on first need.
    @inline(__always)
    private func outcome(
        of request: OutgoingRequest, from start: Int, for observer: CallObserver?, in context: inout CallContext?
    ) async -> Result<IncomingResponse, SockeyeError> {
        if nextActivePositions[start] == links.count, let sockets {
            // No interceptor prepares the request, so no cursor is kept across the wait. That saves the reference
            // counts of the cursor's copies. If `start` is 0, the attempt began when the call began.
            if start > 0 { context?.attemptBegins() }
            let outcome = await Self.outcome(of: request, context ?? observer, over: sockets)
            guard outcomeFilter.includes(outcome, of: request) else { return outcome }
            let cursor = ChainCursor(request, at: links.count)
            return await reviewed(outcome, of: cursor, from: start, for: observer, in: &context)
        }
        var cursor = ChainCursor(request, at: start)
        var outcome: Result<IncomingResponse, SockeyeError>
        do throws(SockeyeError) {
            var beginsWithCall = start == 0
            while let waiting = try prepare(&cursor, for: observer) {
                let call = call(at: cursor.position, with: cursor.request, for: observer, in: &context)
                let suspended = background.beginSuspension(since: call.shared.started, over: base)
                defer { suspended?.end() }
                cursor.replace(by: try await waiting.prepareWaiting(cursor.request, in: call))
                beginsWithCall = false
            }
            if let sockets, cursor.position == links.count {
                if !beginsWithCall { context?.attemptBegins() }
                let call: (any CallLink)? = context ?? observer
                outcome = .success(try await sockets.perform(cursor.request, of: call, adding: cursor.added).answer())
            } else if let context {
                outcome = .success(try await forward(cursor, in: context))
            } else {
                outcome = .success(try await transport.answer(cursor.finalRequest))
            }
        } catch {
            // The outer interceptors see an error like every other outcome.
            outcome = .failure(error)
        }
        // Most outcomes match no interceptor's filter and need no further asynchronous frame.
        guard cursor.position > start, outcomeFilter.includes(outcome, of: cursor.request) else { return outcome }
        return await reviewed(outcome, of: cursor, from: start, for: observer, in: &context)
    }

    /// Sends a request directly over sockets and returns its outcome.
    @inline(__always)
    private static func outcome(
        of request: OutgoingRequest, _ call: (any CallLink)?, over sockets: SocketTransport
    ) async -> Result<IncomingResponse, SockeyeError> {
        do throws(SockeyeError) {
            return .success(try await sockets.perform(request, of: call).answer())
        } catch {
            return .failure(error)
        }
    }

    /// Lets the interceptors that the request has passed examine the outcome, and returns the final outcome.
    private func reviewed(
        _ outcome: Result<IncomingResponse, SockeyeError>, of cursor: ChainCursor, from start: Int,
        for observer: CallObserver?, in context: inout CallContext?
    ) async -> Result<IncomingResponse, SockeyeError> {
        let suspended = background.beginSuspension(since: context?.started ?? outcome.started, over: base)
        defer { suspended?.end() }
        var (outcome, cursor) = (outcome, cursor)
        while let objecting = firstRejection(to: outcome, of: &cursor, from: start) {
            let call = call(
                at: cursor.position, with: cursor.request, since: outcome.started, for: observer, in: &context)
            do throws(SockeyeError) {
                outcome = .success(try await objecting.revise(outcome, of: cursor.requestHere, in: call))
            } catch {
                outcome = .failure(error)
            }
        }
        return outcome
    }

    /// Lets the synchronous interceptors from the cursor's position on prepare the request.
    ///
    /// - Returns: The first interceptor that must wait; nil if an asynchronous interceptor or the transport is next.
    @inline(__always)
    private func prepare(
        _ cursor: inout ChainCursor, for observer: CallObserver?
    ) throws(SockeyeError) -> (any SynchronousInterceptor)? {
        while true {
            cursor.advance(to: nextActivePositions[cursor.position])
            guard cursor.position < links.count, case .synchronous(let interceptor, _) = links[cursor.position] else {
                return nil
            }
            if try !cursor.prepare(by: interceptor, at: time, for: observer) { return interceptor }
        }
    }

    /// Shows the outcome to the interceptors that the request has passed and whose filters match, innermost first.
    ///
    /// - Returns: The first interceptor that does not accept the outcome; nil if all accept it.
    @inline(__always)
    private func firstRejection(
        to outcome: Result<IncomingResponse, SockeyeError>, of cursor: inout ChainCursor, from start: Int
    ) -> (any SynchronousInterceptor)? {
        guard cursor.position > start, outcomeFilter.includes(outcome, of: cursor.request) else { return nil }
        while cursor.position > start {
            cursor.stepBack()
            if case .synchronous(let interceptor, let outcomeFilter) = links[cursor.position],
                outcomeFilter.includes(outcome, of: cursor.request),
                !interceptor.accepts(outcome, of: cursor.request, at: time)
            {
                return interceptor
            }
        }
        return nil
    }

    /// Sends a request to the next interceptor, or to a custom transport.
    private func forward(_ cursor: ChainCursor, in context: CallContext) async throws(SockeyeError)
        -> IncomingResponse
    {
        let position = cursor.position
        if position < links.count, case .asynchronous(let interceptor) = links[position] {
            let request = context.completed(cursor.finalRequest, over: base)
            return try await intercept(request, by: interceptor, Call(self, at: position + 1, context))
        }
        context.attemptBegins()
        return try await answer(context.completed(cursor.finalRequest, over: base))
    }

    /// Returns a custom transport's response. Reports an exchange, unless a wrapped socket transport reports its own.
    private func answer(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        guard let observer = request.options.observer else { return try await transport.answer(request) }
        let earlier = observer.exchange
        var exchange = base == nil ? observer.exchangeBegan(request.method, request.url) : 0
        let outcome: Result<IncomingResponse, SockeyeError>
        do throws(SockeyeError) {
            outcome = .success(try await transport.answer(request))
        } catch {
            outcome = .failure(error)
        }
        if base != nil {
            guard observer.exchange == earlier else { return try outcome.get() }
            exchange = observer.exchangeBegan(request.method, request.url)
        }
        switch outcome {
        case .success(let response):
            observer.receivedHead(response, in: exchange)
            observer.exchangeEnded(in: exchange)
            return response
        case .failure(let error):
            observer.exchangeEnded(in: exchange, error)
            throw error
        }
    }

    private func intercept(
        _ request: OutgoingRequest, by interceptor: any Interceptor, _ call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        // An interceptor with credentials for the original origin is skipped after a redirect to another origin.
        if request.parts.hasRareOptions, request.parts.options.leftOrigin, interceptor.carriesCredentials {
            return try await call.proceed(request)
        }
        do {
            return try await interceptor.intercept(request, in: call)
        } catch {
            throw SockeyeError(.interceptorFailed, wrapping: error, "an interceptor failed", request: request)
        }
    }

    /// True if an interceptor at or after `position` adds credentials.
    func hasCredentials(from position: Int) -> Bool { lastWithCredentials >= position }

    /// True if the interceptor adds credentials: it signs requests, a scoped client (see `scoped` of ``HTTPClient``)
    /// skips it for calls to other origins, or it declares ``Interceptor/carriesCredentials``.
    private static func addsCredentials(_ interceptor: any Interceptor) -> Bool {
        // The next test would miss a signer that also signs requests to other origins: a scoped client never skips it.
        if interceptor is SigningInterceptor { return true }
        if let bound = interceptor as? any OriginBoundInterceptor {
            return bound.outsideScope(withholding: InterceptorList.usualStrippedFields) == nil
        }
        return interceptor.carriesCredentials
    }

    // MARK: Shared state of a call

    private var time: TimeSource { clock.time }

    /// Returns the call through which the interceptor at `position` runs the rest of the chain.
    ///
    /// - Parameter started: The call's start; nil for the current time. Ignored if the call has a context or observer.
    private func call(
        at position: Int, with request: OutgoingRequest, since started: MonotonicTime? = nil,
        for observer: CallObserver?, in context: inout CallContext?
    ) -> Call {
        let shared = context ?? self.context(of: request, started: started, for: observer)
        context = shared
        return Call(self, at: position + 1, shared)
    }

    private func context(
        of request: OutgoingRequest, started: MonotonicTime? = nil, for observer: CallObserver?
    ) -> CallContext {
        let total = total(of: request)
        guard request.parts.hasRareOptions else {
            return CallContext(
                clock, started: observer?.started ?? started, total: total, observer: observer,
                values: OutgoingRequest.Context())
        }
        let (start, values) = (observer?.started ?? started ?? time.now, request.parts.options.context)
        // If another chain sent this request as a part of a call, the deadline of that outer call applies, too.
        if let end = request.parts.options.deadline, end < start.deadline(after: total) {
            let outerStart = request.parts.options.callStarted ?? start
            return CallContext(
                clock, started: start, total: end.since(outerStart), until: end, observer: observer, values: values)
        }
        return CallContext(clock, started: start, total: total, observer: observer, values: values)
    }

    /// The client's settings for requests that do not set them: whether responses are decompressed, and the maximum
    /// size of a body in bytes (nil: unlimited). A custom transport is assumed to use the defaults.
    var usualSettings: (decompresses: Bool, bodyLimit: Int?) {
        guard let base else { return (true, nil) }
        return (base.configuration.decompresses, base.configuration.limits.bodyBytes)
    }

    private func total(of request: OutgoingRequest) -> Duration? {
        guard request.parts.hasRareOptions, let own = request.parts.options.timeouts?.total else {
            return defaultLimits.total
        }
        return own == .unlimited ? nil : own
    }

    /// Returns the deadlines of a request: its own, or else the client's (the default ones for a custom transport).
    func limits(of request: OutgoingRequest) -> PhaseLimits {
        guard request.parts.hasRareOptions, let own = request.parts.options.timeouts else { return defaultLimits }
        return PhaseLimits(own.over(defaultTimeouts))
    }

    /// The clock for the deadlines of the client's background work.
    var backgroundClock: CallClock { clock }

    private func observer(of request: OutgoingRequest) -> CallObserver? {
        var isMeasured = false
        if request.parts.hasRareOptions {
            if let observer = request.parts.options.observer as? CallObserver { return observer }
            isMeasured = request.parts.options.collectsMetrics
        }
        guard isMeasured || isObserved else { return nil }
        return CallObserver(request, monitors: monitors, isMeasured: isMeasured, time: clock.time)
    }
}

extension OutgoingRequest {
    /// True if an interceptor or a transport of another chain sent the request, as a part of an observed call. The
    /// other chain reports the return of the call.
    fileprivate var belongsToObservedCall: Bool { parts.hasRareOptions && parts.options.observer != nil }
}

extension Result<IncomingResponse, SockeyeError> {
    /// The start of the exchange that led to this outcome; nil if there was no exchange.
    fileprivate var started: MonotonicTime? {
        switch self {
        case .success(let response): response.started
        case .failure(let error): error.started
        }
    }
}
