package import HTTPTypes
import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The observer of one call: collects its metrics and reports to the monitors.
package final class CallObserver: ExchangeObserver {
    private struct State {
        /// The exchange that was begun last: apart from those before it, so that a call of one needs no array.
        var last: ExchangeMetrics?
        var earlier: [ExchangeMetrics] = []
        /// Set while an exchange goes on.
        var isOpen = false
        /// What caches did, in order.
        var cacheOutcomes: [CacheOutcome] = []
        /// When the call returned.
        var returned: Duration?

        /// How many exchanges were begun.
        var count: Int { last == nil ? 0 : earlier.count + 1 }
    }

    let call: ObservedCall
    private let time: TimeSource
    let started: MonotonicTime
    private let monitors: [any EventMonitor]
    private let probes: [any CallProbe]
    /// What at least one of the probes hears.
    private let probed: ProbedEvents
    private let state = Mutex(State())

    private static let lastID = Atomic<UInt64>(0)

    init(
        _ request: OutgoingRequest, monitors: [any EventMonitor], probing: [any ProbingInterceptor] = [],
        time: TimeSource
    ) {
        call = ObservedCall(
            id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue, method: request.method,
            url: request.url.removingUserInfo,
            context: request.parts.hasRareOptions ? request.parts.options.context : OutgoingRequest.Context())
        self.monitors = monitors
        self.time = time
        started = time.now
        let call = call
        probes = probing.compactMap { $0.probe(call) }
        var probed: ProbedEvents = []
        for probe in probes { probed.formUnion(probe.events) }
        self.probed = probed
        for monitor in monitors { monitor.callDidStart(call) }
    }

    /// The probe of this call of some type.
    package func probe<Probe: CallProbe>(_: Probe.Type) -> Probe? {
        for probe in probes { if let probe = probe as? Probe { return probe } }
        return nil
    }

    package var metrics: CallMetrics {
        let (exchanges, outcomes, returned) = state.withLock { state in
            (state.earlier + (state.last.map { [$0] } ?? []), state.cacheOutcomes, state.returned)
        }
        let end = exchanges.isEmpty ? returned : exchanges.last?.end
        return CallMetrics(exchanges: exchanges, duration: end ?? now, cacheOutcomes: outcomes)
    }

    /// The exchange that was begun last.
    package var lastExchange: ExchangeMetrics? { state.withLock { $0.last } }

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
    package var exchange: Int { state.withLock { $0.count } }

    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) {
        let exchange = ExchangeMetrics(method: method, url: url, start: now)
        state.withLock { state in
            if let last = state.last { state.earlier.append(last) }
            state.last = exchange
            state.isOpen = true
        }
        for monitor in monitors { monitor.exchangeDidStart(call, method: method, url: exchange.url) }
        guard probed.contains(.start) else { return }
        for probe in probes where probe.events.contains(.start) { probe.exchangeDidStart(call, exchange) }
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

    package func receivedHead(_ status: HTTPResponse.Status, headers: () -> Headers) {
        update { exchange, now in
            exchange.headReceived = now
            exchange.status = status
        }
        if probed.contains(.head), let exchange = lastExchange {
            for probe in probes where probe.events.contains(.head) { probe.exchangeDidReceiveHead(call, exchange) }
        }
        guard !monitors.isEmpty else { return }
        let headers = headers()
        for monitor in monitors { monitor.exchangeDidReceiveHead(call, status: status, headers: headers) }
    }

    /// - Parameter bytes: How many came now.
    package func receivedBody(_ bytes: Int) {
        guard bytes > 0 else { return }
        let total = state.withLock { state in
            state.last?.bodyBytesReceived += bytes
            return state.last?.bodyBytesReceived ?? 0
        }
        for monitor in monitors { monitor.exchangeDidReceiveBody(call, bytes: total) }
    }

    /// Ends an exchange; a second call does nothing.
    package func exchangeEnded(received: Int?, _ error: SockeyeError?) {
        let now = now
        let heard: ProbedEvents = error == nil ? .end : [.end, .failure]
        let isHeard = !monitors.isEmpty || !probed.isDisjoint(with: heard)
        let ended = state.withLock { state -> ExchangeMetrics? in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.last?.end = now
            if let error { state.last?.error = error }
            if let received { state.last?.bytesReceived = received }
            return isHeard ? state.last : nil
        }
        guard let ended else { return }
        for monitor in monitors { monitor.exchangeDidEnd(call, metrics: ended) }
        for probe in probes where !probe.events.isDisjoint(with: heard) { probe.exchangeDidEnd(call, ended) }
    }

    /// Changes the figures of the exchange that goes on. False where there is none, or another than `exchange`.
    @discardableResult
    private func update(_ exchange: Int? = nil, _ change: (inout ExchangeMetrics, Duration) -> Void) -> Bool {
        let now = now
        return state.withLock { state in
            guard state.isOpen, state.last != nil else { return false }
            if let exchange, exchange != state.count { return false }
            change(&state.last!, now)
            return true
        }
    }
}
