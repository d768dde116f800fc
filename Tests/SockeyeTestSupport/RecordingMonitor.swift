package import Sockeye
import SockeyeEngine

/// Records a line for each event of a call.
package final class RecordingMonitor: EventMonitor {
    package let events = Recorder<String>()

    package init() {}

    package func handle(_ event: ClientEvent) {
        if let line = Self.line(event) { events.append(line) }
    }

    private static func line(_ event: ClientEvent) -> String? {
        switch event {
        case .callStarted(let start): "start \(start.call.method) \(start.call.url.path)"
        case .exchangeStarted(let exchange): "exchange \(exchange.metrics.method) \(exchange.metrics.url.path)"
        case .exchangeConnected(let exchange):
            exchange.metrics.connection?.isReused == true ? "reused" : "new connection"
        case .bodySent(let progress): "body \(progress.bytes) of \(progress.total.map(String.init) ?? "?")"
        case .requestSent: "sent"
        case .headReceived(let head): "head \(head.response.status.code)"
        case .bodyReceived(let progress): "got \(progress.bytes)"
        case .exchangeEnded(let exchange): "end \(result(of: exchange.metrics))"
        case .callContinued(let continuation): "\(continuation.exchange.reason)"
        case .callReturned(let end):
            switch end.outcome {
            case .success(let response): "returned \(response.status.code)"
            case .failure(let error): "failed \(error.code)"
            }
        default: nil
        }
    }

    private static func result(of exchange: CallMetrics.Exchange) -> String {
        exchange.status.map { "\($0.code)" } ?? exchange.error.map { "\($0.code)" } ?? "-"
    }
}
