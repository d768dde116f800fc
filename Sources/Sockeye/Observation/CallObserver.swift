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
        /// True while an exchange is running.
        var isOpen = false
        /// The announced length of the last response's content in bytes.
        var expectedLength: Int?
        /// The outcomes of caches, in order.
        var cacheOutcomes: [CachedResponse.Outcome] = []
    }

    let call: ObservedCall
    private let time: TimeSource
    package let started: MonotonicTime
    /// The monitors of all calls.
    private let monitors: CallMonitors
    /// The call's trace, which also listens to events; nil without a ``CallTracer``.
    private let ofTracer: (any CallTrace)?
    /// The call's other monitors.
    private let own: [EventListener]
    /// The union of the kinds that the monitors want.
    private let kinds: ClientEvent.Kinds
    private let state = Mutex(State())
    /// The number of exchanges that have started. Written under the lock of the state, read without it.
    private let count = Atomic(0)
    /// The time at which the call returned, in nanoseconds.
    private let returned = Atomic(MonotonicTime.distantFuture.nanoseconds)

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
        send(.callStarted) { .callStarted(.init(call: call, request: request, task: TransferControl.runningTask)) }
    }

    package var exchangeObserver: (any ExchangeObserver)? { self }
    /// No deadline: a call with a deadline has a ``CallContext``.
    package var deadline: MonotonicTime { .distantFuture }

    /// The trace of the call.
    package var trace: (any CallTrace)? {
        // A monitor of the user may return a tracer's trace as its monitor of the call.
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

    func cacheAnswered(_ outcome: CachedResponse.Outcome, _ url: HTTPURL) {
        state.withLock { $0.cacheOutcomes.append(outcome) }
        send(.cacheAnswered) { .cacheAnswered(.init(call: call, url: url.removingUserInfo, outcome: outcome)) }
    }

    @inline(__always)
    func returned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        let isSuccess = if case .success(let response) = outcome { response.statusCode < 400 } else { false }
        let kind: ClientEvent.Kinds = isSuccess ? .callSucceeded : .callFailed
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

    /// Reports the move of a downloaded file.
    ///
    /// - Parameter error: The error if the file could not be moved.
    func fileMoved(to path: String, _ error: SockeyeError?) {
        send(.fileMoved) { .fileMoved(.init(task: nil, call: call, path: path, error: error)) }
    }

    // MARK: Exchanges

    /// The number of the latest exchange, from 1.
    package var exchange: Int { count.load(ordering: .relaxed) }

    package func exchangeBegan(
        _ method: HTTPRequest.Method, _ url: HTTPURL, on connection: CallMetrics.Connection?
    ) {
        let now = time.now
        // The start and the connection are recorded in separate steps if a monitor gets an event of either. The metrics
        // of the first event must not contain the connection.
        let isOneStep = connection == nil || !wants([.exchangeStarted, .exchangeConnected])
        let exchange = state.withLock { state in
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
            state.isOpen = true
            state.expectedLength = nil
            count.store(resends + 1, ordering: .relaxed)
            return exchange
        }
        monitors.recordStart(of: exchange, call)
        send(.exchangeStarted) { .exchangeStarted(.init(call: call, metrics: exchange)) }
        if !isOneStep, let connection { connected(to: connection, at: now) }
    }

    package func connected(to facts: CallMetrics.Connection) { connected(to: facts, at: time.now) }

    private func connected(to facts: CallMetrics.Connection, at time: MonotonicTime) {
        let metrics = update(.exchangeConnected) { exchange in
            exchange.connected = time
            exchange.connection = facts
        }
        guard let metrics else { return }
        send(.exchangeConnected) { .exchangeConnected(.init(call: call, metrics: metrics)) }
    }

    /// Records the number of body bytes sent so far.
    ///
    /// - Parameter exchange: The number of the body's exchange. The task that sends a body may report after the next
    ///   exchange has started.
    package func sentBody(_ bytes: Int, of total: Int?, in exchange: Int) {
        let metrics = update(.bodySent, in: exchange) { exchange in exchange.bodyBytesSent = bytes }
        guard metrics != nil else { return }
        send(.bodySent) { .bodySent(.init(call: call, bytes: bytes, total: total)) }
    }

    /// Records that the whole request was sent.
    ///
    /// - Parameter exchange: The same as for ``sentBody(_:of:in:)``; nil for the running exchange.
    package func sentRequest(in exchange: Int?) {
        let now = time.now
        guard let metrics = update(.requestSent, in: exchange, { exchange in exchange.sent = now }) else { return }
        send(.requestSent) { .requestSent(.init(call: call, metrics: metrics)) }
    }

    package func receivedHead(_ response: IncomingResponse, with bytes: Int) {
        let now = time.now
        // The head and the body are recorded in separate steps if a monitor gets an event of either. The metrics of the
        // first event must not contain the body's bytes.
        let isOneStep = !wants([.headReceived, .bodyReceived])
        let metrics = update(.headReceived) { exchange in
            exchange.headReceived = now
            exchange.statusCode = response.statusCode
            // A custom transport may use any protocol.
            if exchange.connection != nil { exchange.protocolVersion = response.minorVersion == 0 ? "1.0" : "1.1" }
            if isOneStep { exchange.bodyBytesReceived += bytes }
        }
        guard !isOneStep else { return }
        if wants(.bodyReceived) { state.withLock { $0.expectedLength = response.body.expectedLength } }
        if let metrics {
            send(.headReceived) { .headReceived(.init(call: call, metrics: metrics, response: response)) }
        }
        receivedBody(bytes)
    }

    /// Records received body bytes.
    ///
    /// - Parameter bytes: The number of further bytes, not the total.
    package func receivedBody(_ bytes: Int) {
        guard bytes > 0 else { return }
        let (count, total) = state.withLock { state in
            state.last?.change { $0.bodyBytesReceived += bytes }
            return (state.last?.bodyBytesReceived ?? 0, state.expectedLength)
        }
        send(.bodyReceived) { .bodyReceived(.init(call: call, bytes: count, total: total)) }
    }

    /// Ends the current exchange. Does nothing if it has already ended.
    package func exchangeEnded(received: Int?, _ error: SockeyeError?) {
        let now = time.now
        let kind: ClientEvent.Kinds = error == nil ? .exchangeSucceeded : .exchangeFailed
        let isHeard = wants(kind) || monitors.hasRecorders
        let ended = state.withLock { state -> CallMetrics.Exchange? in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.last?.change { exchange in
                exchange.end = now
                if let error { exchange.error = error }
                if let received { exchange.bytesReceived = received }
            }
            return isHeard ? state.last : nil
        }
        guard let ended else { return }
        monitors.recordEnd(of: ended, call)
        send(kind) { .exchangeEnded(.init(call: call, metrics: ended)) }
    }

    /// Changes the metrics of the running exchange. Does nothing if no exchange is running, or if the number of the
    /// running one is not `exchange`.
    ///
    /// - Returns: The changed metrics if a monitor wants events of this kind.
    @inline(__always)
    private func update(
        _ kind: ClientEvent.Kinds, in exchange: Int? = nil, _ change: (inout ExchangeValues) -> Void
    ) -> CallMetrics.Exchange? {
        let isHeard = wants(kind)
        return state.withLock { state in
            guard state.isOpen, state.last != nil, exchange == nil || exchange == self.exchange else { return nil }
            state.last?.change(change)
            return isHeard ? state.last : nil
        }
    }
}
