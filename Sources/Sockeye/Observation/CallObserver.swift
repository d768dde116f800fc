package import HTTPTypes
import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The observer of one call. It collects metrics and passes events to monitors.
package final class CallObserver: ExchangeObserver, CallLink {
    private struct State {
        /// The latest exchange. Separate from the earlier ones, so that a call with one exchange needs no array.
        var last: CallMetrics.Exchange?
        var earlier: [CallMetrics.Exchange] = []
        /// The content length in bytes that the latest exchange's response announces; nil if unknown.
        var expectedLength: Int?
        /// The outcomes of the client's cache, the oldest first.
        var cacheOutcomes: [CacheOutcome] = []

        /// The exchange with this number, from 1; nil if no exchange has it.
        subscript(number: Int) -> CallMetrics.Exchange? {
            if isLatest(number) { return last }
            return earlier.indices.contains(number - 1) ? earlier[number - 1] : nil
        }

        func isLatest(_ number: Int) -> Bool { number == earlier.count + 1 }

        /// Changes the exchange with this number. Does nothing if it has ended, or if no exchange has the number.
        ///
        /// - Returns: True if the exchange was changed.
        @inline(__always)
        mutating func change(_ number: Int, _ body: (inout ExchangeValues) -> Void) -> Bool {
            if isLatest(number) {
                guard last?.isOpen == true else { return false }
                last?.change(body)
            } else {
                guard earlier.indices.contains(number - 1), earlier[number - 1].isOpen else { return false }
                earlier[number - 1].change(body)
            }
            return true
        }
    }

    /// The number of the `TransferTask` (of the product SockeyeTransfers) on whose behalf the current Swift task makes
    /// calls. Nil for calls without a `TransferTask`, or if no monitor observes that `TransferTask`.
    @TaskLocal package static var runningTask: UInt64?

    let call: ObservedCall
    private let time: TimeSource
    package let started: MonotonicTime
    /// The client's monitors. Those in ``CallMonitors/uniform`` observe every call.
    private let monitors: CallMonitors
    /// The call's trace, which also listens to events; nil without a ``CallTracer``.
    private let ofTracer: (any CallTrace)?
    /// The monitors that the client's ``CallMonitors/varying`` monitors returned for this call.
    private let own: [EventListener]
    /// The kinds of events that at least one monitor or the trace wants.
    private let kinds: ClientEvent.Kinds
    private let state = Mutex(State())
    /// The number of exchanges that have started. Written under the lock of the state, read without it.
    private let count = Atomic(0)
    /// The time at which the call returned, in nanoseconds. Recorded only if a monitor wants the event of the return,
    /// or if the call had no exchange; otherwise stays `distantFuture`.
    private let returned = Atomic(MonotonicTime.distantFuture.nanoseconds)
    private let hasReturned = Atomic(false)

    private static let lastID = Atomic<UInt64>(0)

    /// Creates the observer of a call that starts now. Nil if no monitor listens to it and no metrics are collected.
    init?(_ request: OutgoingRequest, monitors: CallMonitors, isMeasured: Bool, time: TimeSource) {
        let started = time.now
        let call = ObservedCall(
            id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue, method: request.parts.method,
            url: request.parts.url.removingUserInfo,
            context: request.parts.hasRareOptions ? request.parts.options.context : OutgoingRequest.Context())
        let trace = monitors.tracer?.trace(of: call)
        var (own, kinds): ([EventListener], ClientEvent.Kinds) = ([], monitors.kinds.union(trace?.kinds ?? []))
        // A span, because iterating an array copies its elements.
        let all = monitors.varying
        let varying = all.span
        for index in varying.indices {
            guard let monitor = varying[index].monitor(of: call) else { continue }
            let wanted = monitor.kinds
            kinds.formUnion(wanted)
            own.append(EventListener(monitor, wanted))
        }
        guard isMeasured || trace != nil || !own.isEmpty || !monitors.uniform.isEmpty else { return nil }
        self.call = call
        self.time = time
        self.started = started
        self.monitors = monitors
        ofTracer = trace
        self.own = own
        self.kinds = kinds
        send(.callStarted) { .callStarted(.init(call: call, request: request, task: Self.runningTask)) }
    }

    package var exchangeObserver: (any ExchangeObserver)? { self }
    /// No deadline, because none is needed here: the transport itself computes the deadline of a call's first request
    /// from the request's time limits. The observer is the link of that request only. Later requests have a
    /// ``CallContext`` as their link.
    package var deadline: MonotonicTime { .distantFuture }

    package var trace: (any CallTrace)? {
        // A user's monitor may also return a tracer's trace from `monitor(of:)`. That trace is in `own`.
        ofTracer ?? (own.isEmpty ? nil : own.lazy.compactMap { $0.monitor as? any CallTrace }.first)
    }

    package var metrics: CallMetrics {
        let (exchanges, outcomes) = state.withLock { state in
            (state.earlier + (state.last.map { [$0] } ?? []), state.cacheOutcomes)
        }
        var end = exchanges.last?.end
        let returned = MonotonicTime(nanoseconds: returned.load(ordering: .relaxed))
        if exchanges.isEmpty, returned != .distantFuture { end = returned.since(started) }
        return CallMetrics(exchanges: exchanges, duration: end ?? now, cacheOutcomes: outcomes)
    }

    /// The time since the call started.
    package var now: Duration { time.now.since(started) }

    // MARK: Monitors

    private func wants(_ kind: ClientEvent.Kinds) -> Bool { !kinds.isDisjoint(with: kind) }

    /// Passes an event to the monitors that want its kind. The event is only created if such a monitor exists.
    @inline(__always)
    private func send(_ kind: ClientEvent.Kinds, _ event: () -> ClientEvent) {
        if wants(kind) { deliver(event(), kind) }
    }

    @inline(never)
    private func deliver(_ event: ClientEvent, _ kind: ClientEvent.Kinds) {
        monitors.deliver(event, kind)
        if let ofTracer, !ofTracer.kinds.isDisjoint(with: kind) { ofTracer.handle(event) }
        own.deliver(event, kind)
    }

    // MARK: The call

    func callWillContinue(after exchange: PriorExchange) {
        send(.callContinued) { .callContinued(.init(call: call, exchange: exchange)) }
    }

    func cacheAnswered(_ outcome: CacheOutcome, _ url: HTTPURL) {
        state.withLock { $0.cacheOutcomes.append(outcome) }
        send(.cacheAnswered) { .cacheAnswered(.init(call: call, url: url.removingUserInfo, outcome: outcome)) }
    }

    @inline(__always)
    func returned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        let isSuccess = if case .success(let response) = outcome { response.statusCode < 400 } else { false }
        let kind: ClientEvent.Kinds = isSuccess ? .callSucceeded : .callFailed
        hasReturned.store(true, ordering: .relaxed)
        // The metrics need the time of the return only for a call without exchanges.
        if wants(kind) || exchange == 0 { report(outcome, as: kind) }
    }

    @inline(never)
    private func report(_ outcome: Result<IncomingResponse, SockeyeError>, as kind: ClientEvent.Kinds) {
        let now = time.now
        returned.store(now.nanoseconds, ordering: .relaxed)
        send(kind) { .callReturned(.init(self, outcome, duration: now.since(started))) }
    }

    func becameDownload(_ response: IncomingResponse, to destination: DownloadDestination) {
        send(.becameDownload) { .becameDownload(.init(call: call, response: response, destination: destination)) }
    }

    /// Reports that a downloaded file was moved or, if `error` is not nil, could not be moved.
    func fileMoved(to path: String, _ error: SockeyeError?) {
        send(.fileMoved) { .fileMoved(.init(task: nil, call: call, path: path, error: error)) }
    }

    // MARK: Exchanges

    /// The number of the latest exchange, from 1.
    package var exchange: Int { count.load(ordering: .relaxed) }

    /// Records the start of an exchange. An exchange that the cache starts after the call has returned is not a part of
    /// the call.
    ///
    /// - Returns: The number of the exchange, from 1; 0 for an exchange after the return.
    @discardableResult
    package func exchangeBegan(
        _ method: HTTPRequest.Method, _ url: HTTPURL, on connection: CallMetrics.Connection?
    ) -> Int {
        if hasReturned.load(ordering: .relaxed) { return 0 }
        let now = time.now
        // The start and the connection are recorded in separate steps if a monitor wants the event of one of them. The
        // metrics in the event of the start must not contain the connection.
        let isOneStep = connection == nil || !wants([.exchangeStarted, .exchangeConnected])
        let (number, exchange) = state.withLock { state in
            let resends = self.exchange
            var exchange = CallMetrics.Exchange(
                method: method, url: url, start: now, ofCallAt: started, resends: resends)
            if isOneStep, let connection {
                exchange.change { exchange in
                    exchange.connected = now
                    exchange.connection = connection
                }
            }
            if let last = state.last { state.earlier.append(last) }
            state.last = exchange
            state.expectedLength = nil
            count.store(resends + 1, ordering: .relaxed)
            return (resends + 1, exchange)
        }
        monitors.recordStart(of: exchange, call)
        send(.exchangeStarted) { .exchangeStarted(.init(call: call, metrics: exchange)) }
        if !isOneStep, let connection { connected(to: connection, in: number, at: now) }
        return number
    }

    package func connected(to facts: CallMetrics.Connection, in exchange: Int) {
        connected(to: facts, in: exchange, at: time.now)
    }

    private func connected(to facts: CallMetrics.Connection, in exchange: Int, at time: MonotonicTime) {
        let metrics = update(.exchangeConnected, in: exchange) { exchange in
            exchange.connected = time
            exchange.connection = facts
        }
        guard let metrics else { return }
        send(.exchangeConnected) { .exchangeConnected(.init(call: call, metrics: metrics)) }
    }

    /// Records the number of body bytes sent so far.
    package func sentBody(_ bytes: Int, of total: Int?, in exchange: Int) {
        let metrics = update(.bodySent, in: exchange) { exchange in exchange.bodyBytesSent = bytes }
        guard metrics != nil else { return }
        send(.bodySent) { .bodySent(.init(call: call, bytes: bytes, total: total)) }
    }

    /// Records that the whole request was sent.
    package func sentRequest(in exchange: Int) {
        let now = time.now
        guard let metrics = update(.requestSent, in: exchange, { exchange in exchange.sent = now }) else { return }
        send(.requestSent) { .requestSent(.init(call: call, metrics: metrics)) }
    }

    package func receivedHead(_ response: IncomingResponse, with bytes: Int, in number: Int) {
        let now = time.now
        // The head and the body are recorded in separate steps if a monitor wants the event of one of them. The metrics
        // in the event of the head must not contain the body's bytes.
        let isOneStep = !wants([.headReceived, .bodyReceived])
        let metrics = update(.headReceived, in: number) { exchange in
            exchange.headReceived = now
            exchange.statusCode = response.statusCode
            // Only the built-in transport, which speaks HTTP/1, reports a connection. A custom transport may use any
            // protocol, so the version of its exchanges stays unset.
            if exchange.connection != nil { exchange.protocolVersion = response.minorVersion == 0 ? "1.0" : "1.1" }
            if isOneStep { exchange.bodyBytesReceived += bytes }
        }
        guard !isOneStep else { return }
        if wants(.bodyReceived) {
            state.withLock { if $0.isLatest(number) { $0.expectedLength = response.body.expectedLength } }
        }
        if let metrics {
            send(.headReceived) { .headReceived(.init(call: call, metrics: metrics, response: response)) }
        }
        receivedBody(bytes, in: number)
    }

    /// Records received body bytes.
    ///
    /// - Parameter bytes: The number of further bytes, not the total.
    package func receivedBody(_ bytes: Int, in exchange: Int) {
        guard bytes > 0 else { return }
        var (count, total) = (0, Int?.none)
        let isOpen = state.withLock { state in
            if state.isLatest(exchange) { total = state.expectedLength }
            return state.change(exchange) { values in
                values.bodyBytesReceived += bytes
                count = values.bodyBytesReceived
            }
        }
        guard isOpen else { return }
        send(.bodyReceived) { .bodyReceived(.init(call: call, bytes: count, total: total)) }
    }

    /// Ends an exchange. Does nothing if it has already ended.
    package func exchangeEnded(in exchange: Int, received: Int?, _ error: SockeyeError?) {
        let now = time.now
        let kind: ClientEvent.Kinds = error == nil ? .exchangeSucceeded : .exchangeFailed
        let isHeard = wants(kind) || monitors.hasRecorders
        let ended = state.withLock { state -> CallMetrics.Exchange? in
            let isOpen = state.change(exchange) { values in
                values.end = now
                if let error { values.error = error }
                if let received { values.bytesReceived = received }
            }
            return isOpen && isHeard ? state[exchange] : nil
        }
        guard let ended else { return }
        monitors.recordEnd(of: ended, call)
        send(kind) { .exchangeEnded(.init(call: call, metrics: ended)) }
    }

    /// Changes the metrics of an exchange. Does nothing if it has ended.
    ///
    /// - Returns: The changed metrics; nil if no monitor wants events of this kind, or if the exchange has ended.
    @inline(__always)
    private func update(
        _ kind: ClientEvent.Kinds, in exchange: Int, _ change: (inout ExchangeValues) -> Void
    ) -> CallMetrics.Exchange? {
        let isHeard = wants(kind)
        return state.withLock { state in
            guard state.change(exchange, change) else { return nil }
            return isHeard ? state[exchange] : nil
        }
    }
}
