package import HTTPTypes
import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The observer of one call: collects its metrics and passes events to the monitors that listen to it.
package final class CallObserver: ExchangeObserver {
    private struct State {
        /// The exchange that was begun last: apart from those before it, so that a call of one needs no array.
        var last: CallMetrics.Exchange?
        var earlier: [CallMetrics.Exchange] = []
        /// Set while an exchange goes on.
        var isOpen = false
        /// The announced bytes of the last response's content.
        var expectedLength: Int?
        /// What caches did, in order.
        var cacheOutcomes: [CachedResponse.Outcome] = []
        /// When the call returned.
        var returned: Duration?

        /// How many exchanges were begun.
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
    /// The kinds that at least one of the monitors wants.
    private let kinds: ClientEvent.Kinds
    private let state = Mutex(State())

    private static let lastID = Atomic<UInt64>(0)

    /// Makes the observer of a call that begins now; nil if no monitor listens to it and it is not measured.
    init?(_ request: OutgoingRequest, monitors: [any EventMonitor], isMeasured: Bool, time: TimeSource) {
        let started = time.now
        let call = ObservedCall(
            id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue, method: request.method,
            url: request.url.removingUserInfo,
            context: request.parts.hasRareOptions ? request.parts.options.context : OutgoingRequest.Context())
        var (listeners, kinds) = ([Listener](), ClientEvent.Kinds())
        listeners.reserveCapacity(monitors.count)
        for monitor in monitors {
            guard let own = monitor.monitor(of: call) else { continue }
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
        tell(.callStarted) { .callStarted(.init(call: call, request: request, task: TransferControl.runningTask)) }
    }

    /// The monitor of this call that has a certain type.
    package func monitor<Monitor: EventMonitor>(_: Monitor.Type) -> Monitor? {
        for listener in listeners { if let monitor = listener.monitor as? Monitor { return monitor } }
        return nil
    }

    package var metrics: CallMetrics {
        let (exchanges, outcomes, returned) = state.withLock { state in
            (state.earlier + (state.last.map { [$0] } ?? []), state.cacheOutcomes, state.returned)
        }
        let end = exchanges.isEmpty ? returned : exchanges.last?.end
        return CallMetrics(exchanges: exchanges, duration: end ?? now, cacheOutcomes: outcomes)
    }

    /// The time since the call began.
    package var now: Duration { time.now.since(started) }

    // MARK: Monitors

    private func hears(_ kind: ClientEvent.Kinds) -> Bool { !kinds.isDisjoint(with: kind) }

    /// Passes an event to the monitors that want its kind. The event is made only if there is one.
    @inline(__always)
    private func tell(_ kind: ClientEvent.Kinds, _ event: () -> ClientEvent) {
        if hears(kind) { deliver(event(), kind) }
    }

    private func deliver(_ event: ClientEvent, _ kind: ClientEvent.Kinds) {
        for listener in listeners where !listener.kinds.isDisjoint(with: kind) { listener.monitor.handle(event) }
    }

    // MARK: The call

    func willGoOn(after exchange: PriorExchange) {
        tell(.callContinued) { .callContinued(.init(call: call, exchange: exchange)) }
    }

    func cacheAnswered(_ outcome: CachedResponse.Outcome, _ url: HTTPURL) {
        state.withLock { $0.cacheOutcomes.append(outcome) }
        tell(.cacheAnswered) { .cacheAnswered(.init(call: call, url: url.removingUserInfo, outcome: outcome)) }
    }

    func returned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        let now = now
        state.withLock { $0.returned = now }
        tell(.callReturned) { .callReturned(.init(self, outcome, duration: now)) }
    }

    func becameDownload(_ response: IncomingResponse, to destination: DownloadDestination) {
        tell(.becameDownload) { .becameDownload(.init(call: call, response: response, destination: destination)) }
    }

    /// - Parameter error: Why the file was not moved.
    func fileMoved(to path: String, _ error: SockeyeError?) {
        tell(.fileMoved) { .fileMoved(.init(task: nil, call: call, path: path, error: error)) }
    }

    // MARK: Exchanges

    /// The number of the exchange that was begun last.
    package var exchange: Int { state.withLock { $0.count } }

    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) {
        let exchange = CallMetrics.Exchange(method: method, url: url, start: now)
        state.withLock { state in
            if let last = state.last { state.earlier.append(last) }
            state.last = exchange
            state.isOpen = true
            state.expectedLength = nil
        }
        tell(.exchangeStarted) { .exchangeStarted(.init(call: call, metrics: exchange)) }
    }

    package func connected(to facts: CallMetrics.Connection) {
        let metrics = update(.exchangeConnected) { exchange, now in
            exchange.connected = now
            exchange.connection = facts
        }
        guard let metrics else { return }
        tell(.exchangeConnected) { .exchangeConnected(.init(call: call, metrics: metrics)) }
    }

    /// - Parameter exchange: The exchange that it belongs to. The task that sends a body may report after the next
    ///   exchange began.
    package func sentBody(_ bytes: Int, of total: Int?, in exchange: Int) {
        let metrics = update(.bodySent, in: exchange) { exchange, _ in exchange.bodyBytesSent = bytes }
        guard metrics != nil else { return }
        tell(.bodySent) { .bodySent(.init(call: call, bytes: bytes, total: total)) }
    }

    /// - Parameter exchange: As of ``sentBody(_:of:in:)``.
    package func sentRequest(in exchange: Int) {
        guard let metrics = update(.requestSent, in: exchange, { exchange, now in exchange.sent = now }) else { return }
        tell(.requestSent) { .requestSent(.init(call: call, metrics: metrics)) }
    }

    package func receivedHead(_ response: IncomingResponse) {
        let metrics = update(.headReceived) { exchange, now in
            exchange.headReceived = now
            exchange.status = response.status
        }
        if hears(.bodyReceived) { state.withLock { $0.expectedLength = response.body.expectedLength } }
        guard let metrics else { return }
        tell(.headReceived) { .headReceived(.init(call: call, metrics: metrics, response: response)) }
    }

    /// - Parameter bytes: How many came now.
    package func receivedBody(_ bytes: Int) {
        guard bytes > 0 else { return }
        let (count, total) = state.withLock { state in
            state.last?.bodyBytesReceived += bytes
            return (state.last?.bodyBytesReceived ?? 0, state.expectedLength)
        }
        tell(.bodyReceived) { .bodyReceived(.init(call: call, bytes: count, total: total)) }
    }

    /// Ends an exchange; a second call does nothing.
    package func exchangeEnded(received: Int?, _ error: SockeyeError?) {
        let now = now
        let kind: ClientEvent.Kinds = error == nil ? .exchangeSucceeded : .exchangeFailed
        let isHeard = hears(kind)
        let ended = state.withLock { state -> CallMetrics.Exchange? in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.last?.end = now
            if let error { state.last?.error = error }
            if let received { state.last?.bytesReceived = received }
            return isHeard ? state.last : nil
        }
        guard let ended else { return }
        tell(kind) { .exchangeEnded(.init(call: call, metrics: ended)) }
    }

    /// Changes the figures of the exchange that is under way; does nothing if there is none, or another than `exchange`.
    ///
    /// - Returns: The changed figures, if a monitor wants events of this kind.
    private func update(
        _ kind: ClientEvent.Kinds, in exchange: Int? = nil, _ change: (inout CallMetrics.Exchange, Duration) -> Void
    ) -> CallMetrics.Exchange? {
        let (now, isHeard) = (now, hears(kind))
        return state.withLock { state in
            guard state.isOpen, state.last != nil, exchange == nil || exchange == state.count else { return nil }
            change(&state.last!, now)
            return isHeard ? state.last : nil
        }
    }
}
