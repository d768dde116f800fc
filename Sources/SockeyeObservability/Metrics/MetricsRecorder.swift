#if Observability || Service
import CoreMetrics
import Sockeye
import SockeyeEngine
import SockeyeHTTP

/// Records the metrics of all calls of a client.
final class MetricsRecorder: ExchangeRecorder {
    private let table: SeriesTable

    init(_ factory: (any MetricsFactory)?, limit: Int) {
        table = SeriesTable(factory, limit: limit)
    }

    /// The events that this recorder receives. `callFailed` stands for a `callReturned` event with an error, or with a
    /// response status of 400 or higher; only errors are recorded.
    let kinds: ClientEvent.Kinds = [.exchangeStarted, .exchangeEnded, .callContinued, .cacheAnswered, .callFailed]

    func handle(_ event: ClientEvent) {
        switch event {
        // The client calls `exchangeStarted` and `exchangeEnded` directly, without creating events. These two events
        // arrive only if another monitor uses this recorder, for example by forwarding the events that it receives.
        case .exchangeStarted(let exchange): exchangeStarted(exchange.metrics, of: exchange.call)
        case .exchangeEnded(let exchange): exchangeEnded(exchange.metrics, of: exchange.call)
        case .callContinued(let continuation): callContinued(after: continuation.exchange)
        case .cacheAnswered(let answer):
            table.counter("sockeye.client.cache.responses", "sockeye.cache.outcome", answer.outcome.kind.rawValue)
                .increment(by: 1)
        case .callReturned(let end): callFailed(end.outcome)
        default: break
        }
    }

    func exchangeStarted(_ exchange: CallMetrics.Exchange, of call: ObservedCall) {
        table.active(exchange, call).increment(by: 1)
    }

    func exchangeEnded(_ exchange: CallMetrics.Exchange, of call: ObservedCall) {
        let series = table.series(exchange, call)
        series.active.decrement(by: 1)
        if let time = exchange.nanosecondsToHead { series.result.duration.recordNanoseconds(time) }
        series.result.requestSize.record(Int64(exchange.bodyBytesSent))
        if exchange.hasHead { series.result.responseSize.record(Int64(exchange.bodyBytesReceived)) }
        guard let time = exchange.nanosecondsToConnection else { return }
        if exchange.isConnectionReused {
            series.server.waiting.recordNanoseconds(time)
        } else {
            recordDial(exchange, series.server)
        }
    }

    /// Records the times of an exchange over a new connection, or over a transport that reports no connection.
    private func recordDial(_ exchange: CallMetrics.Exchange, _ server: SeriesTable.ServerSeries) {
        if let waiting = exchange.waiting { server.waiting.recordNanoseconds(waiting.clampedNanoseconds) }
        guard let connection = exchange.connection else { return }
        if let time = connection.resolving { server.resolving.recordNanoseconds(time.clampedNanoseconds) }
        server.connecting.recordNanoseconds(connection.connecting.clampedNanoseconds)
        if let time = connection.handshaking { server.handshaking.recordNanoseconds(time.clampedNanoseconds) }
    }

    private func callContinued(after exchange: PriorExchange) {
        table.counter("sockeye.client.resends", "sockeye.resend.reason", exchange.reason.description).increment(by: 1)
    }

    private func callFailed(_ outcome: Result<IncomingResponse, SockeyeError>) {
        guard case .failure(let error) = outcome, let type = HTTPConventions.errorType(error) else { return }
        table.counter("sockeye.client.failures", "error.type", type).increment(by: 1)
    }
}
#endif
