#if Observability || Service
import HTTPTypes
import Logging
import Sockeye
import SockeyeEngine
import SockeyeHTTP

/// Writes the log lines of calls to one logger.
final class CallLog: EventMonitor {
    let logger: Logger
    /// The events to log. They include successful calls and exchanges only if the logger's level admits their messages.
    /// They always include failed exchanges, because no other event reports content that breaks off after the call has
    /// returned.
    let kinds: ClientEvent.Kinds
    private let levels: LoggerInterceptor.Levels
    private let urls: URLRedaction

    init(_ logger: Logger, _ levels: LoggerInterceptor.Levels, _ urls: URLRedaction) {
        self.logger = logger
        self.levels = levels
        self.urls = urls
        let logsExchanges = levels.exchange.map { logger.logLevel <= $0 } ?? false
        let logsSuccess = levels.success.map { logger.logLevel <= $0 } ?? false
        kinds = [
            .callContinued, logsSuccess ? .callReturned : .callFailed,
            logsExchanges ? .exchangeEnded : .exchangeFailed,
        ]
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
        switch end.outcome {
        case .success(let response):
            log(level(of: response.statusCode), "HTTP call answered", end.call) { metadata in
                let (call, status) = (end.call, response.statusCode)
                let (method, template) = (response.method(in: call), call.template(of: response.url))
                let url = response.url.removingUserInfo
                metadata.add(HTTPAttributes(method, url, template: template, status: status), urls)
                metadata.add(resends: response.history.count)
                metadata["sockeye.call.duration"] = "\(end.duration.inSeconds)"
            }
        case .failure(let error):
            let message: Logger.Message = error.code == .cancelled ? "HTTP call cancelled" : "HTTP call failed"
            log(level(of: error), message, end.call) { metadata in
                let call = end.call
                metadata.add(HTTPAttributes(call.method, call.url, template: call.template, status: nil), urls)
                metadata.add(error)
                metadata.add(resends: error.history.count)
                metadata["sockeye.call.duration"] = "\(end.duration.inSeconds)"
            }
        }
    }

    private func callContinued(_ call: ObservedCall, after exchange: PriorExchange) {
        log(levels.resend, "HTTP request sent again", call) { metadata in
            let template = call.template(of: exchange.url)
            let status = exchange.status?.code
            metadata.add(HTTPAttributes(exchange.method, exchange.url, template: template, status: status), urls)
            if let error = exchange.error { metadata.add(error) }
            metadata["sockeye.resend.reason"] = "\(exchange.reason)"
        }
    }

    private func exchangeEnded(_ call: ObservedCall, _ exchange: CallMetrics.Exchange) {
        log(levels.exchange, "HTTP exchange ended", call) { metadata in
            metadata.add(HTTPAttributes(exchange, of: call), urls)
            if let error = exchange.error { metadata.add(error) }
            metadata.add(resends: exchange.resends)
            metadata.add(timesOf: exchange)
        }
        // If an exchange fails after its head, the call has usually returned the response and reports no error.
        guard exchange.headReceived != nil, let error = exchange.error else { return }
        let message: Logger.Message =
            error.code == .cancelled ? "HTTP response cancelled" : "HTTP response broke off"
        log(level(of: error), message, call) { metadata in
            metadata.add(HTTPAttributes(exchange, of: call), urls)
            metadata.add(error)
            metadata.add(resends: exchange.resends)
            metadata["http.response.body.size"] = "\(exchange.bodyBytesReceived)"
        }
    }

    /// Returns the level for a response with this status; nil if its message is disabled.
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
        var metadata: Logger.Metadata = ["sockeye.call.id": "\(call.id)"]
        fill(&metadata)
        logger.log(level: level, message, metadata: metadata, source: "Sockeye")
    }
}

extension IncomingResponse {
    /// Returns the method of the request that this response answers. It differs from the method of the call after a
    /// redirect such as 303.
    fileprivate func method(in call: ObservedCall) -> HTTPRequest.Method {
        // Without history, the response answers the call's own request. `request.method` is not used in this case,
        // because it is always GET in a response that a custom transport has created.
        history.isEmpty ? call.method : HTTPRequest.Method(rawValue: request.method) ?? call.method
    }
}

extension Logger.Metadata {
    fileprivate mutating func add(_ attributes: HTTPAttributes, _ urls: URLRedaction) {
        attributes.forEach(urls) { name, value in
            self[name] =
                switch value {
                case .text(let text): .string(text)
                case .number(let number): .string(String(number))
                }
        }
    }

    /// Omits the error's description, because it contains the URL with its query.
    fileprivate mutating func add(_ error: SockeyeError) {
        // Replaces the `error.type` that the attributes contain if the response has an error status.
        self["error.type"] = HTTPConventions.errorType(error).map { .string($0) }
        self["sockeye.error.message"] = "\(error.message)"
        self["sockeye.error.phase"] = "\(error.phase)"
        self["sockeye.error.blame"] = "\(error.blame)"
    }

    fileprivate mutating func add(resends count: Int) {
        if count > 0 { self["http.request.resend_count"] = "\(count)" }
    }

    /// Adds all times in seconds.
    fileprivate mutating func add(timesOf exchange: CallMetrics.Exchange) {
        if let connection = exchange.connection {
            if let version = connection.tlsVersion { self["sockeye.tls.version"] = "\(version)" }
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
