import Sockeye

/// Writes down what it hears.
final class RecordingMonitor: EventMonitor {
    let events = Recorder<String>()

    func callDidStart(_ call: ObservedCall) { events.append("start \(call.method) \(call.url.path)") }

    func exchangeDidStart(_ call: ObservedCall, method: HTTPRequest.Method, url: HTTPURL) {
        events.append("exchange \(method) \(url.path)")
    }

    func exchangeDidConnect(_ call: ObservedCall, to connection: CallMetrics.Connection) {
        events.append(connection.isReused ? "reused" : "new connection")
    }

    func exchangeDidSendBody(_ call: ObservedCall, bytes: Int, of total: Int?) {
        events.append("body \(bytes) of \(total.map(String.init) ?? "?")")
    }

    func exchangeDidSendRequest(_ call: ObservedCall) { events.append("sent") }

    func exchangeDidReceiveHead(_ call: ObservedCall, status: HTTPResponse.Status, headers: Headers) {
        events.append("head \(status.code)")
    }

    func exchangeDidReceiveBody(_ call: ObservedCall, bytes: Int) { events.append("got \(bytes)") }

    func exchangeDidEnd(_ call: ObservedCall, metrics: ExchangeMetrics) {
        let result = metrics.status.map { "\($0.code)" } ?? metrics.error.map { "\($0.code)" }
        events.append("end \(result ?? "-")")
    }

    func callWillGoOn(_ call: ObservedCall, after exchange: PriorExchange) { events.append("\(exchange.reason)") }

    func callDidReturn(_ call: ObservedCall, _ outcome: Result<IncomingResponse, SockeyeError>) {
        switch outcome {
        case .success(let response): events.append("returned \(response.status.code)")
        case .failure(let error): events.append("failed \(error.code)")
        }
    }
}
