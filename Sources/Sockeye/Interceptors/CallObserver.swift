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
    }

    let call: ObservedCall
    private let time: TimeSource
    private let started: MonotonicTime
    private let monitors: [any EventMonitor]
    private let state = Mutex(State())

    private static let lastID = Atomic<UInt64>(0)

    init(_ request: OutgoingRequest, monitors: [any EventMonitor], time: TimeSource) {
        call = ObservedCall(
            id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue, method: request.method,
            url: request.url.removingUserInfo)
        self.monitors = monitors
        self.time = time
        started = time.now
        for monitor in monitors { monitor.callDidStart(call) }
    }

    package var metrics: CallMetrics {
        let exchanges = state.withLock(\.exchanges)
        return CallMetrics(exchanges: exchanges, duration: exchanges.last?.end ?? time.now.since(started))
    }

    private var now: Duration { time.now.since(started) }

    // MARK: The call

    func willGoOn(after exchange: PriorExchange) {
        for monitor in monitors { monitor.callWillGoOn(call, after: exchange) }
    }

    func returned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        for monitor in monitors { monitor.callDidReturn(call, outcome) }
    }

    // MARK: Exchanges

    /// The number of the exchange that was begun last.
    package var exchange: Int { state.withLock(\.exchanges.count) }

    package func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) {
        let exchange = ExchangeMetrics(method: method, url: url, start: now)
        state.withLock { state in
            state.exchanges.append(exchange)
            state.isOpen = true
            state.bodyBytesReceived = 0
        }
        for monitor in monitors { monitor.exchangeDidStart(call, method: method, url: exchange.url) }
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
        guard !monitors.isEmpty else { return }
        let headers = headers()
        for monitor in monitors { monitor.exchangeDidReceiveHead(call, status: status, headers: headers) }
    }

    /// - Parameter bytes: How many came now.
    package func receivedBody(_ bytes: Int) {
        guard bytes > 0, !monitors.isEmpty else { return }
        let total = state.withLock { state in
            state.bodyBytesReceived += bytes
            return state.bodyBytesReceived
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
