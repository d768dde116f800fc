import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// Interceptors in the order in which a request meets them, and the transport behind the last.
///
/// A request goes through in one loop: the synchronous ones prepare it one after the other, it is sent, and they look at
/// what came of it in the opposite order. The loop awaits only where one of them has to wait, or where the next
/// interceptor is of the kind that wants a frame of its own; behind that it goes on by ``Call/proceed(_:)``.
final class InterceptorChain: Sendable {
    private enum Link: Sendable {
        case synchronous(any SynchronousInterceptor, outcomeFilter: OutcomeFilter)
        case asynchronous(any Interceptor)
    }

    private let links: [Link]
    /// A skip table: for each position, and the one behind the last, the next link from there on that prepares requests or is
    /// asynchronous. Looking at a link costs reference counts, which a client without such policies need not pay.
    private let stops: [Int]
    private let transport: any HTTPTransport
    /// The transport if it is the built-in one, which saves calls through the protocol.
    private let sockets: SocketTransport?
    /// The built-in transport that this one is, or passes requests to.
    private let base: SocketTransport?
    /// How requests to this machine travel.
    let loopbackRoute: LoopbackRoute
    private let clock: CallClock
    /// The client's and those among the interceptors, without those that want no events of calls.
    private let monitors: [any EventMonitor]
    private let defaultTimeouts: Timeouts
    /// The same with the defaults filled in.
    private let defaultLimits: PhaseLimits
    /// The union of the filters of the synchronous ones.
    private let outcomeFilter: OutcomeFilter
    /// Whether each call needs a context from its beginning.
    private let needsContext: Bool
    /// The last one that gives requests credentials; -1 for none.
    private let lastWithCredentials: Int
    /// The fields that ``RedirectPolicy/strippedFields`` names; empty if these are the usual ones.
    let secretFields: Set<Headers.Name>
    /// The work of the client that no caller waits for.
    let background: BackgroundWork

    init(
        _ interceptors: InterceptorList, to transport: any HTTPTransport, monitors: [any EventMonitor],
        clock: CallClock,
        background: BackgroundWork
    ) {
        var (outcomeFilter, isSynchronous) = (OutcomeFilter.nothing, true)
        sockets = transport as? SocketTransport
        base = transport.sockets
        let route = base.map { LoopbackRoute($0.configuration.proxy) } ?? .local
        let ordered = interceptors.ordered.map { ($0 as? any RouteBoundInterceptor)?.sending(by: route) ?? $0 }
        loopbackRoute = route
        var stops = [ordered.count]
        for (position, interceptor) in ordered.enumerated().reversed() {
            let isStop = (interceptor as? any SynchronousInterceptor)?.preparesRequests ?? true
            stops.insert(isStop ? position : stops[0], at: 0)
        }
        self.stops = stops
        lastWithCredentials = ordered.lastIndex(where: Self.carriesCredentials) ?? -1
        let stripped = interceptors.strippedFields
        secretFields = stripped == InterceptorList.usualStrippedFields ? [] : Set(stripped)
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
        let observing = monitors + ordered.compactMap { $0 as? any EventMonitor }
        self.monitors = observing.filter { !$0.kinds.isDisjoint(with: .calls) }
        self.outcomeFilter = outcomeFilter
        defaultTimeouts = base?.configuration.timeouts ?? Timeouts()
        defaultLimits = PhaseLimits(defaultTimeouts)
        needsContext =
            !isSynchronous || !self.monitors.isEmpty || base?.configuration.limits.bodyBytes != nil
    }

    // MARK: A call

    /// Sends the request of a call through all of them.
    @inline(__always)
    func send(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        var context: CallContext?
        if needsContext || request.parts.hasRareOptions && request.parts.options.needsContext {
            context = self.context(of: request, observer: observer(of: request))
        }
        let outcome = await outcome(of: context?.completed(request) ?? request, from: 0, in: &context)
        guard let context else {
            // Not `get`, which copies: two reference counts that threads contend for.
            switch consume outcome {
            case .success(let response): return response
            case .failure(let error): throw error
            }
        }
        return try context.conclude(outcome)
    }

    /// Sends a request through those from a position on.
    func send(_ request: OutgoingRequest, from start: Int, in context: CallContext) async throws(SockeyeError)
        -> IncomingResponse
    {
        var context: CallContext? = context
        return try await outcome(of: request, from: start, in: &context).get()
    }

    /// The outcome of a request that the interceptors before `start` have passed on.
    ///
    /// - Parameter context: Made when somebody needs one.
    @inline(__always)
    private func outcome(
        of request: OutgoingRequest, from start: Int, in context: inout CallContext?
    ) async -> Result<IncomingResponse, SockeyeError> {
        if context == nil, stops[start] == links.count, let sockets {
            // Nobody prepares it: no cursor is carried across the wait, whose copies would be counted.
            let outcome = await Self.outcome(of: request, over: sockets)
            guard outcomeFilter.includes(outcome, of: request) else { return outcome }
            return await judged(outcome, of: ChainCursor(request, at: links.count), from: start, in: &context)
        }
        var cursor = ChainCursor(request, at: start)
        var outcome: Result<IncomingResponse, SockeyeError>
        do throws(SockeyeError) {
            while let waiting = try prepare(&cursor) {
                let call = call(at: cursor.position, with: cursor.request, in: &context)
                cursor.replace(by: try await waiting.prepareWaiting(cursor.request, in: call))
            }
            if let context {
                outcome = .success(try await forward(cursor, in: context))
            } else if let sockets {
                outcome = .success(try await sockets.perform(cursor.request, adding: cursor.added).answer())
            } else {
                outcome = .success(try await transport.answer(cursor.finalRequest))
            }
        } catch {
            // Those further out see it as they see every other outcome.
            outcome = .failure(error)
        }
        // Most outcomes concern nobody, and need no frame of their own.
        guard cursor.position > start, outcomeFilter.includes(outcome, of: cursor.request) else { return outcome }
        return await judged(outcome, of: cursor, from: start, in: &context)
    }

    /// What comes of a request that goes straight to the wire.
    @inline(__always)
    private static func outcome(
        of request: OutgoingRequest, over sockets: SocketTransport
    ) async -> Result<IncomingResponse, SockeyeError> {
        do throws(SockeyeError) {
            return .success(try await sockets.perform(request, adding: FieldLineBuffer()).answer())
        } catch {
            return .failure(error)
        }
    }

    /// The outcome when the interceptors that the request has passed have looked at it.
    private func judged(
        _ outcome: Result<IncomingResponse, SockeyeError>, of cursor: ChainCursor, from start: Int,
        in context: inout CallContext?
    ) async -> Result<IncomingResponse, SockeyeError> {
        var (outcome, cursor) = (outcome, cursor)
        while let objecting = objection(to: outcome, of: &cursor, from: start) {
            let call = call(at: cursor.position, with: cursor.request, since: outcome.started, in: &context)
            do throws(SockeyeError) {
                outcome = .success(try await objecting.revise(outcome, of: cursor.requestHere, in: call))
            } catch {
                outcome = .failure(error)
            }
        }
        return outcome
    }

    /// Lets the synchronous interceptors from the cursor on prepare the request.
    ///
    /// - Returns: The first that has to wait; nil when an asynchronous interceptor or the transport is next.
    @inline(__always)
    private func prepare(_ cursor: inout ChainCursor) throws(SockeyeError) -> (any SynchronousInterceptor)? {
        while true {
            cursor.advance(to: stops[cursor.position])
            guard cursor.position < links.count, case .synchronous(let interceptor, _) = links[cursor.position] else {
                return nil
            }
            if try !cursor.prepare(by: interceptor, at: time) { return interceptor }
        }
    }

    /// Shows the outcome to the interceptors that the request has passed, from the innermost on, where their filters
    /// match.
    ///
    /// - Returns: The first that does not accept it.
    @inline(__always)
    private func objection(
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

    /// Sends a request to the next interceptor, or to the wire.
    private func forward(_ cursor: ChainCursor, in context: CallContext) async throws(SockeyeError)
        -> IncomingResponse
    {
        let position = cursor.position
        if position < links.count, case .asynchronous(let interceptor) = links[position] {
            let request = context.completed(cursor.finalRequest)
            return try await intercept(request, by: interceptor, Call(self, at: position + 1, context))
        }
        context.attemptBegins()
        if let sockets {
            let request = context.completed(cursor.request)
            return try await sockets.perform(request, adding: cursor.added).answer()
        }
        return try await answer(context.completed(cursor.finalRequest))
    }

    /// The response of a custom transport, reported to the observer as one exchange, unless sockets have reported theirs.
    private func answer(_ request: OutgoingRequest) async throws(SockeyeError) -> IncomingResponse {
        guard let observer = request.options.observer else { return try await transport.answer(request) }
        let earlier = observer.exchange
        if base == nil { observer.exchangeBegan(request.method, request.url) }
        let outcome: Result<IncomingResponse, SockeyeError>
        do throws(SockeyeError) {
            outcome = .success(try await transport.answer(request))
        } catch {
            outcome = .failure(error)
        }
        if base != nil {
            guard observer.exchange == earlier else { return try outcome.get() }
            observer.exchangeBegan(request.method, request.url)
        }
        switch outcome {
        case .success(let response):
            observer.receivedHead(response)
            observer.exchangeEnded()
            return response
        case .failure(let error):
            observer.exchangeEnded(error)
            throw error
        }
    }

    private func intercept(
        _ request: OutgoingRequest, by interceptor: any Interceptor, _ call: Call
    ) async throws(SockeyeError) -> IncomingResponse {
        // A redirect has left the origin that its credentials are for.
        if request.parts.hasRareOptions, request.parts.options.leftOrigin, interceptor.carriesCredentials {
            return try await call.proceed(request)
        }
        do {
            return try await interceptor.intercept(request, in: call)
        } catch {
            throw SockeyeError(.interceptorFailed, wrapping: error, "an interceptor failed", request: request)
        }
    }

    /// Whether one from a position on gives requests credentials.
    func hasCredentials(from position: Int) -> Bool { lastWithCredentials >= position }

    /// As it says itself, or since it stays behind where a call leads out of its scope.
    private static func carriesCredentials(_ interceptor: any Interceptor) -> Bool {
        if let bound = interceptor as? any OriginBoundInterceptor {
            return bound.outsideScope(withholding: InterceptorList.usualStrippedFields) == nil
        }
        return interceptor.carriesCredentials
    }

    // MARK: What the interceptors of a call share

    private var time: TimeSource { clock.time }

    /// The rest of the chain behind a position.
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
        CallContext(
            clock, started: started ?? observer?.started, total: total(of: request), observer: observer,
            values: request.parts.hasRareOptions ? request.parts.options.context : OutgoingRequest.Context())
    }

    /// What a request that says nothing else gets from the client's configuration. A transport of somebody else's is taken to
    /// do what is usual.
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

    /// The deadlines of a request: its own over those of the client. A custom transport has the default ones.
    func limits(of request: OutgoingRequest) -> PhaseLimits {
        guard request.parts.hasRareOptions, let own = request.parts.options.timeouts else { return defaultLimits }
        return PhaseLimits(own.over(defaultTimeouts))
    }

    /// The clock on which the client's work in the background has its deadlines.
    var backgroundClock: CallClock { clock }

    /// Whether a monitor may listen to calls.
    var isObserved: Bool { !monitors.isEmpty }

    private func observer(of request: OutgoingRequest) -> CallObserver? {
        guard request.parts.hasRareOptions || isObserved else { return nil }
        let options = request.parts.options
        if let observer = options.observer as? CallObserver { return observer }
        guard options.collectsMetrics || isObserved else { return nil }
        return CallObserver(request, monitors: monitors, isMeasured: options.collectsMetrics, time: clock.time)
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

/// The cursor of a chain: a request, how far it has come, and how it was at each interceptor that it has passed.
struct ChainCursor {
    /// The request as the next interceptor gets it, but for the fields in ``added``.
    private(set) var request: OutgoingRequest
    /// Fields that interceptors added.
    private(set) var added = FieldLineBuffer()
    /// The index of the next interceptor; on the way back, of the current one.
    private(set) var position: Int
    /// Requests that were replaced, each with the position of the interceptor that did. Nearly always none.
    private var replaced: [(position: Int, request: OutgoingRequest)]?

    init(_ request: OutgoingRequest, at position: Int) {
        self.request = request
        self.position = position
    }

    mutating func advance(to position: Int) { self.position = position }

    mutating func stepBack() { position -= 1 }

    /// Replaces the request, and advances.
    mutating func replace(by other: OutgoingRequest) {
        replaced = (replaced ?? []) + [(position, request)]
        request = other
        position += 1
    }

    /// Lets an interceptor prepare the request, and advances unless that has to wait.
    ///
    /// - Returns: Whether it advanced.
    @inline(__always)
    mutating func prepare(
        by interceptor: some SynchronousInterceptor, at time: TimeSource
    ) throws(SockeyeError) -> Bool {
        added.position = position
        switch try interceptor.prepare(request, adding: &added, at: time) {
        case .ready: position += 1
        case .replacing(let other): replace(by: other)
        case .waiting: return false
        }
        return true
    }

    /// The request with the added fields, as it goes to the wire.
    var finalRequest: OutgoingRequest { added.isEmpty ? request : request.adding(added) }

    /// The request as the interceptor at this position passed it on: without what inner ones did to it.
    var requestHere: OutgoingRequest {
        let request = replaced?.first { $0.position > position }?.request ?? request
        return request.adding(added, upTo: position)
    }
}
