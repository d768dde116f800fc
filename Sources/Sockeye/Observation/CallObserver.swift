import HTTPTypes
import SockeyeCore
import SockeyeHTTP1
import Synchronization

/// Takes note of what happens to one call, and tells the monitors. A call without one pays for a look whether it has.
package final class CallObserver: Sendable {
    private struct State {
        var exchanges: [ExchangeMetrics] = []
        /// Set while an exchange goes on.
        var isOpen = false
    }

    let call: ObservedCall
    private let time: TimeSource
    private let started: MonotonicTime
    private let monitors: [any EventMonitor]
    private let state = Mutex(State())

    private static let lastID = Atomic<UInt64>(0)

    init(_ request: Request, monitors: [any EventMonitor], time: TimeSource) {
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

    func returned(_ outcome: Result<Response, SockeyeError>) {
        for monitor in monitors { monitor.callDidReturn(call, outcome) }
    }

    // MARK: Exchanges

    func exchangeBegan(_ method: HTTPRequest.Method, _ url: HTTPURL) {
        let exchange = ExchangeMetrics(method: method, url: url, start: now)
        state.withLock { state in
            state.exchanges.append(exchange)
            state.isOpen = true
        }
        for monitor in monitors { monitor.exchangeDidStart(call, method: method, url: exchange.url) }
    }

    func connected(_ lease: ConnectionPool.Lease) {
        let facts = ConnectionFacts(lease.connection, isReused: lease.isReused)
        update { exchange, now in
            exchange.connected = now
            exchange.connection = facts
        }
        for monitor in monitors { monitor.exchangeDidConnect(call, to: facts) }
    }

    func sentBody(_ bytes: Int, of total: Int?) {
        update { exchange, _ in exchange.bodyBytesSent = bytes }
        for monitor in monitors { monitor.exchangeDidSendBody(call, bytes: bytes, of: total) }
    }

    func sentRequest() {
        update { exchange, now in exchange.sent = now }
        for monitor in monitors { monitor.exchangeDidSendRequest(call) }
    }

    func receivedHead(_ response: Response) {
        update { exchange, now in
            exchange.headReceived = now
            exchange.status = response.status
        }
        guard !monitors.isEmpty else { return }
        let (status, headers) = (response.status, response.headers)
        for monitor in monitors { monitor.exchangeDidReceiveHead(call, status: status, headers: headers) }
    }

    func receivedBody(_ bytes: Int) {
        for monitor in monitors { monitor.exchangeDidReceiveBody(call, bytes: bytes) }
    }

    /// The end of an exchange; a second one is none.
    func exchangeEnded(received: Int? = nil, _ error: SockeyeError? = nil) {
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

    private func update(_ change: (inout ExchangeMetrics, Duration) -> Void) {
        let now = now
        state.withLock { state in
            guard state.isOpen, let last = state.exchanges.indices.last else { return }
            change(&state.exchanges[last], now)
        }
    }
}
