package import HTTPTypes
import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The observer of one call. It collects metrics and passes events to monitors.
package final class CallObserver: ExchangeObserver {
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
        /// The time at which the call returned, since its start; nil before.
        var returned: Duration?

        /// The number of exchanges that have started.
        var count: Int { last == nil ? 0 : earlier.count + 1 }
    }

    private struct Listener {
        let monitor: any EventMonitor
        let kinds: ClientEvent.Kinds
    }

    let call: ObservedCall
    private let time: TimeSource
    let started: MonotonicTime
    private let listeners: [Listener]
    /// The union of the kinds that the monitors want.
    private let kinds: ClientEvent.Kinds
    private let state = Mutex(State())

    private static let lastID = Atomic<UInt64>(0)

    /// Creates the observer of a call that starts now. Nil if no monitor listens to it and no metrics are collected.
    init?(_ request: OutgoingRequest, monitors: [any EventMonitor], isMeasured: Bool, time: TimeSource) {
        let started = time.now
        let call = ObservedCall(
            id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue, method: request.method,
            url: request.url.removingUserInfo,
            context: request.parts.hasRareOptions ? request.parts.options.context : OutgoingRequest.Context())
        var (listeners, kinds) = ([Listener](), ClientEvent.Kinds())
        listeners.reserveCapacity(monitors.count)
        // A span, because iterating an array copies its elements.
        let monitors = monitors.span
        for index in monitors.indices {
            guard let own = monitors[index].monitor(of: call) else { continue }
            let wanted = own.kinds
            listeners.append(Listener(monitor: own, kinds: wanted))
            kinds.formUnion(wanted)
        }
        guard isMeasured || !listeners.isEmpty else { return nil }
        self.call = call
        self.time = time
        self.started = started
        self.listeners = listeners
        self.kinds = kinds
        send(.callStarted) { .callStarted(.init(call: call, request: request, task: TransferControl.runningTask)) }
    }

    /// Returns the call's monitor of a certain class.
    package func monitor<Monitor: EventMonitor & AnyObject>(_: Monitor.Type) -> Monitor? {
        let all = self.listeners
        let listeners = all.span
        for index in listeners.indices where type(of: listeners[index].monitor) == Monitor.self {
            return listeners[index].monitor.asItself(Monitor.self)
        }
        return nil
    }

    package var metrics: CallMetrics {
        let (exchanges, outcomes, returned) = state.withLock { state in
            (state.earlier + (state.last.map { [$0] } ?? []), state.cacheOutcomes, state.returned)
        }
        let end = exchanges.isEmpty ? returned : exchanges.last?.end
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

    private func deliver(_ event: ClientEvent, _ kind: ClientEvent.Kinds) {
        let all = self.listeners
        let listeners = all.span
        for index in listeners.indices where !listeners[index].kinds.isDisjoint(with: kind) {
            listeners[index].monitor.handle(event)
        }
    }

    // MARK: The call

    func callWillContinue(after exchange: PriorExchange) {
        send(.callContinued) { .callContinued(.init(call: call, exchange: exchange)) }
    }

    func cacheAnswered(_ outcome: CachedResponse.Outcome, _ url: HTTPURL) {
        state.withLock { $0.cacheOutcomes.append(outcome) }
        send(.cacheAnswered) { .cacheAnswered(.init(call: call, url: url.removingUserInfo, outcome: outcome)) }
    }

    func returned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        let now = now
        state.withLock { $0.returned = now }
        let isSuccess = if case .success(let response) = outcome { response.statusCode < 400 } else { false }
        send(isSuccess ? .callSucceeded : .callFailed) { .callReturned(.init(self, outcome, duration: now)) }
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
    package var exchange: Int { state.withLock { $0.count } }

    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) {
        let now = now
        let exchange = state.withLock { state in
            let exchange = CallMetrics.Exchange(method: method, url: url, start: now, resends: state.count)
            if let last = state.last { state.earlier.append(last) }
            state.last = exchange
            state.isOpen = true
            state.expectedLength = nil
            return exchange
        }
        send(.exchangeStarted) { .exchangeStarted(.init(call: call, metrics: exchange)) }
    }

    package func connected(to facts: CallMetrics.Connection) {
        let metrics = update(.exchangeConnected) { exchange, now in
            exchange.connected = now
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
        let metrics = update(.bodySent, in: exchange) { exchange, _ in exchange.bodyBytesSent = bytes }
        guard metrics != nil else { return }
        send(.bodySent) { .bodySent(.init(call: call, bytes: bytes, total: total)) }
    }

    /// Records that the whole request was sent.
    ///
    /// - Parameter exchange: The same as for ``sentBody(_:of:in:)``.
    package func sentRequest(in exchange: Int) {
        guard let metrics = update(.requestSent, in: exchange, { exchange, now in exchange.sent = now }) else { return }
        send(.requestSent) { .requestSent(.init(call: call, metrics: metrics)) }
    }

    package func receivedHead(_ response: IncomingResponse) {
        let metrics = update(.headReceived) { exchange, now in
            exchange.headReceived = now
            exchange.statusCode = response.statusCode
            // A custom transport may speak anything.
            if exchange.connection != nil { exchange.protocolVersion = response.minorVersion == 0 ? "1.0" : "1.1" }
        }
        if wants(.bodyReceived) { state.withLock { $0.expectedLength = response.body.expectedLength } }
        guard let metrics else { return }
        send(.headReceived) { .headReceived(.init(call: call, metrics: metrics, response: response)) }
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

    /// Ends the current exchange. A second call has no effect.
    package func exchangeEnded(received: Int?, _ error: SockeyeError?) {
        let now = now
        let kind: ClientEvent.Kinds = error == nil ? .exchangeSucceeded : .exchangeFailed
        let isHeard = wants(kind)
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
        send(kind) { .exchangeEnded(.init(call: call, metrics: ended)) }
    }

    /// Changes the metrics of the running exchange. Does nothing if no exchange is running, or if the number of the
    /// running one is not `exchange`.
    ///
    /// - Returns: The changed metrics if a monitor wants events of this kind.
    @inline(__always)
    private func update(
        _ kind: ClientEvent.Kinds, in exchange: Int? = nil, _ change: (inout ExchangeValues, Duration) -> Void
    ) -> CallMetrics.Exchange? {
        let (now, isHeard) = (now, wants(kind))
        return state.withLock { state in
            guard state.isOpen, state.last != nil, exchange == nil || exchange == state.count else { return nil }
            state.last?.change { change(&$0, now) }
            return isHeard ? state.last : nil
        }
    }
}

extension EventMonitor {
    /// Returns this monitor as its own type, which the caller has compared. A checked cast of an existential costs ten
    /// times as much.
    fileprivate func asItself<Own>(_: Own.Type) -> Own { unsafe unsafeBitCast(self, to: Own.self) }
}
