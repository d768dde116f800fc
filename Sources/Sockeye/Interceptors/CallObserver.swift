package import HTTPTypes
import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The observer of one call: collects its metrics and reports to the monitors.
package final class CallObserver: ExchangeObserver {
    private struct State {
        var exchanges: [ExchangeMetrics] = []
        /// Set while an exchange goes on.
        var isOpen = false
        /// Bytes of content of the response, so far.
        var bodyBytesReceived = 0
        /// What caches did, in order.
        var cacheOutcomes: [CacheOutcome] = []
        /// When the call returned.
        var returned: Duration?
    }

    let call: ObservedCall
    private let time: TimeSource
    private let started: MonotonicTime
    private let monitors: [any EventMonitor]
    private let probes: [any CallProbe]
    private let state = Mutex(State())

    private static let lastID = Atomic<UInt64>(0)

    init(
        _ request: OutgoingRequest, monitors: [any EventMonitor], probing: [any ProbingInterceptor] = [],
        time: TimeSource
    ) {
        call = ObservedCall(
            id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue, method: request.method,
            url: request.url.removingUserInfo)
        self.monitors = monitors
        self.time = time
        started = time.now
        let call = call
        probes = probing.compactMap { $0.probe(call) }
        for monitor in monitors { monitor.callDidStart(call) }
    }

    /// The probe of this call of some type.
    package func probe<Probe: CallProbe>(_: Probe.Type) -> Probe? {
        for probe in probes { if let probe = probe as? Probe { return probe } }
        return nil
    }

    package var metrics: CallMetrics {
        let (exchanges, outcomes, returned) = state.withLock { ($0.exchanges, $0.cacheOutcomes, $0.returned) }
        let end = exchanges.isEmpty ? returned : exchanges.last?.end
        return CallMetrics(exchanges: exchanges, duration: end ?? now, cacheOutcomes: outcomes)
    }

    /// The exchange that was begun last.
    package var lastExchange: ExchangeMetrics? { state.withLock { $0.exchanges.last } }

    /// The time since the call began.
    package var now: Duration { time.now.since(started) }

    // MARK: The call

    func willGoOn(after exchange: PriorExchange) {
        for monitor in monitors { monitor.callWillGoOn(call, after: exchange) }
        for probe in probes { probe.callWillGoOn(call, after: exchange) }
    }

    func cacheAnswered(_ outcome: CacheOutcome, _ url: HTTPURL) {
        state.withLock { $0.cacheOutcomes.append(outcome) }
        for monitor in monitors { monitor.cacheDidAnswer(call, url: url.removingUserInfo, outcome) }
    }

    func returned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        let now = now
        state.withLock { $0.returned = now }
        for monitor in monitors { monitor.callDidReturn(call, outcome) }
        for probe in probes { probe.callDidReturn(call, outcome, at: now) }
    }

    // MARK: Exchanges

    /// The number of the exchange that was begun last.
    package var exchange: Int { state.withLock { $0.exchanges.count } }

    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) {
        let exchange = ExchangeMetrics(method: method, url: url, start: now)
        state.withLock { state in
            state.exchanges.append(exchange)
            state.isOpen = true
        }
        for monitor in monitors { monitor.exchangeDidStart(call, method: method, url: exchange.url) }
        for probe in probes { probe.exchangeDidStart(call, exchange) }
    }

    package func connected(to facts: CallMetrics.Connection) {
        update { exchange, now in
            exchange.connected = now
            exchange.connection = facts
        }
        for monitor in monitors { monitor.exchangeDidConnect(call, to: facts) }
    }

    /// - Parameter exchange: The exchange that it belongs to. The task that sends a body may report after the next
    ///   exchange began.
    package func sentBody(_ bytes: Int, of total: Int?, in exchange: Int) {
        guard update(exchange, { exchange, _ in exchange.bodyBytesSent = bytes }) else { return }
        for monitor in monitors { monitor.exchangeDidSendBody(call, bytes: bytes, of: total) }
    }

    /// - Parameter exchange: As of ``sentBody(_:of:in:)``.
    package func sentRequest(in exchange: Int) {
        guard update(exchange, { exchange, now in exchange.sent = now }) else { return }
        for monitor in monitors { monitor.exchangeDidSendRequest(call) }
    }

    package func receivedHead(_ status: HTTPResponse.Status, headers: () -> HTTPFields) {
        update { exchange, now in
            exchange.headReceived = now
            exchange.status = status
        }
        if !probes.isEmpty, let exchange = lastExchange {
            for probe in probes { probe.exchangeDidReceiveHead(call, exchange) }
        }
        guard !monitors.isEmpty else { return }
        let headers = headers()
        for monitor in monitors { monitor.exchangeDidReceiveHead(call, status: status, headers: headers) }
    }

    /// - Parameter bytes: How many came now.
    package func receivedBody(_ bytes: Int) {
        guard bytes > 0 else { return }
        let total = state.withLock { state in
            guard let last = state.exchanges.indices.last else { return 0 }
            state.exchanges[last].bodyBytesReceived += bytes
            return state.exchanges[last].bodyBytesReceived
        }
        for monitor in monitors { monitor.exchangeDidReceiveBody(call, bytes: total) }
    }

    /// Ends an exchange; a second call does nothing.
    package func exchangeEnded(received: Int?, _ error: SockeyeError?) {
        let now = now
        let ended = state.withLock { state -> ExchangeMetrics? in
            guard state.isOpen, let last = state.exchanges.indices.last else { return nil }
            state.isOpen = false
            state.exchanges[last].end = now
            state.exchanges[last].error = error
            if let received { state.exchanges[last].bytesReceived = received }
            return state.exchanges[last]
        }
        guard let ended else { return }
        for monitor in monitors { monitor.exchangeDidEnd(call, metrics: ended) }
        for probe in probes { probe.exchangeDidEnd(call, ended) }
    }

    /// Changes the figures of the exchange that goes on. False where there is none, or another than `exchange`.
    @discardableResult
    private func update(_ exchange: Int? = nil, _ change: (inout ExchangeMetrics, Duration) -> Void) -> Bool {
        let now = now
        return state.withLock { state in
            guard state.isOpen, let last = state.exchanges.indices.last else { return false }
            if let exchange, exchange != state.exchanges.count { return false }
            change(&state.exchanges[last], now)
            return true
        }
    }
}
