#if Observability || Service
import HTTPTypes
import Logging
import Sockeye
import SockeyeEngine
import SockeyeHTTP

/// Writes the log lines of calls; one instance for all calls of a logger.
final class CallLog: EventMonitor {
    let logger: Logger
    /// All ends of exchanges if exchanges are logged. Otherwise only failures, because a response body may have failed.
    let kinds: ClientEvent.Kinds
    private let levels: LoggerInterceptor.Levels
    private let urls: URLRedaction

    init(_ logger: Logger, _ levels: LoggerInterceptor.Levels, _ urls: URLRedaction) {
        self.logger = logger
        self.levels = levels
        self.urls = urls
        let logsExchanges = levels.exchange.map { logger.logLevel <= $0 } ?? false
        kinds = [.callContinued, .callReturned, logsExchanges ? .exchangeEnded : .exchangeFailed]
    }

    func handle(_ event: ClientEvent) {
        switch event {
        case .callReturned(let end): callReturned(end)
        case .callContinued(let continuation): callContinued(continuation.call, after: continuation.exchange)
        case .exchangeEnded(let exchange): exchangeEnded(exchange.call, exchange.metrics)
        default: break
        }
    }

    private func callReturned(_ end: ClientEvent.CallReturn) {
        let (call, duration) = (end.call, end.duration)
        switch end.outcome {
        case .success(let response):
            log(level(of: response.status.code), "HTTP call answered", call) { metadata in
                metadata.add(url: response.url, urls)
                metadata.add(status: response.status.code)
                metadata.add(resends: response.history)
                metadata["http.client.call.duration"] = "\(duration.inSeconds)"
            }
        case .failure(let error):
            log(level(of: error), "HTTP call failed", call) { metadata in
                metadata.add(url: call.url, urls)
                metadata.add(error)
                metadata.add(resends: error.history)
                metadata["http.client.call.duration"] = "\(duration.inSeconds)"
            }
        }
    }

    private func callContinued(_ call: ObservedCall, after exchange: PriorExchange) {
        log(levels.resend, "HTTP request sent again", call) { metadata in
            metadata.add(url: exchange.url, urls)
            if let status = exchange.status?.code { metadata.add(status: status) }
            if let error = exchange.error { metadata.add(error) }
            metadata["sockeye.resend.reason"] = "\(exchange.reason)"
        }
    }

    private func exchangeEnded(_ call: ObservedCall, _ exchange: CallMetrics.Exchange) {
        log(levels.exchange, "HTTP exchange ended", call) { metadata in
            metadata.add(url: exchange.url, urls)
            if let status = exchange.status?.code { metadata.add(status: status) }
            if let error = exchange.error { metadata.add(error) }
            metadata.add(timesOf: exchange)
        }
        // The call had already returned its response by then.
        guard exchange.headReceived != nil, let error = exchange.error else { return }
        log(level(of: error), "HTTP response broke off", call) { metadata in
            metadata.add(url: exchange.url, urls)
            metadata.add(error)
            metadata["http.response.body.size"] = "\(exchange.bodyBytesReceived)"
        }
    }

    private func level(of status: Int) -> Logger.Level? {
        status >= 500 ? levels.serverError : status >= 400 ? levels.clientError : levels.success
    }

    private func level(of error: SockeyeError) -> Logger.Level? {
        error.code == .cancelled ? levels.cancellation : levels.failure
    }

    private func log(
        _ level: Logger.Level?, _ message: Logger.Message, _ call: ObservedCall,
        _ fill: (inout Logger.Metadata) -> Void
    ) {
        guard let level, logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "sockeye.call.id": "\(call.id)", "http.request.method": "\(call.method.rawValue)",
        ]
        fill(&metadata)
        logger.log(level: level, message, metadata: metadata, source: "Sockeye")
    }
}

extension Logger.Metadata {
    fileprivate mutating func add(url: HTTPURL, _ urls: URLRedaction) {
        self["url.full"] = "\(urls(url))"
        self["server.address"] = "\(url.host)"
        self["server.port"] = "\(url.port)"
    }

    fileprivate mutating func add(status: Int) {
        self["http.response.status_code"] = "\(status)"
        if let type = HTTPConventions.errorType(status: status) { self["error.type"] = "\(type)" }
    }

    /// Omits the error's description, because it contains the URL with its query.
    fileprivate mutating func add(_ error: SockeyeError) {
        self["error.type"] = "\(error.code)"
        self["error.message"] = "\(error.message)"
        self["sockeye.error.phase"] = "\(error.phase)"
        self["sockeye.error.blame"] = "\(error.blame)"
    }

    fileprivate mutating func add(resends history: [PriorExchange]) {
        guard !history.isEmpty else { return }
        self["http.request.resend_count"] = "\(history.count)"
    }

    /// Adds all times in seconds.
    fileprivate mutating func add(timesOf exchange: CallMetrics.Exchange) {
        if let connection = exchange.connection {
            if let address = connection.remoteAddress {
                let peer = PeerAddress(address)
                self["network.peer.address"] = "\(peer.address)"
                if let port = peer.port { self["network.peer.port"] = "\(port)" }
            }
            if let version = connection.tlsVersion { self["tls.protocol.version"] = "\(version)" }
            self["sockeye.connection.reused"] = "\(connection.isReused)"
        }
        let times: [(String, Duration?)] = [
            ("sockeye.pool.wait", exchange.waiting),
            ("sockeye.dial", exchange.dialing),
            ("sockeye.head", exchange.headReceived.map { $0 - exchange.start }),
            ("sockeye.end", exchange.end.map { $0 - exchange.start }),
        ]
        for case (let name, let time?) in times { self[name] = "\(time.inSeconds)" }
        self["http.request.body.size"] = "\(exchange.bodyBytesSent)"
        self["http.response.body.size"] = "\(exchange.bodyBytesReceived)"
    }
}
#endif
