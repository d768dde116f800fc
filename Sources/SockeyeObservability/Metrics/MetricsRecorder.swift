#if Observability || Service
import CoreMetrics
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeHTTP

/// Records the metrics of all calls of a client.
final class MetricsRecorder: Sendable {
    private let table: SeriesTable

    init(_ factory: (any MetricsFactory)?, limit: Int) {
        table = SeriesTable(factory, limit: limit)
    }

    func exchangeStarted(_ exchange: CallMetrics.Exchange) {
        table.active(SeriesKey.Request(exchange)).increment()
    }

    func exchangeEnded(_ exchange: CallMetrics.Exchange) {
        let series = table.series(
            SeriesKey.Result(
                request: SeriesKey.Request(exchange), status: exchange.status?.code,
                error: exchange.error?.code.description))
        series.active.decrement()
        let (result, server) = (series.result, series.server)
        if let time = exchange.timeToHead { result.duration.recordNanoseconds(time.clampedNanoseconds) }
        result.requestSize.record(exchange.bodyBytesSent)
        if exchange.headReceived != nil { result.responseSize.record(exchange.bodyBytesReceived) }
        guard let waiting = exchange.waiting else { return }
        server.waiting.recordNanoseconds(waiting.clampedNanoseconds)
        guard let connection = exchange.connection, !connection.isReused else { return }
        if let time = connection.resolving { server.resolving.recordNanoseconds(time.clampedNanoseconds) }
        server.connecting.recordNanoseconds(connection.connecting.clampedNanoseconds)
        if let time = connection.handshaking { server.handshaking.recordNanoseconds(time.clampedNanoseconds) }
    }

    func callContinued(after exchange: PriorExchange) {
        table.counter("sockeye.client.resends", "sockeye.resend.reason", exchange.reason.description).increment()
    }

    func callReturned(_ outcome: Result<IncomingResponse, SockeyeError>) {
        switch outcome {
        case .success(let response):
            guard let cache = response.cacheOutcome else { return }
            table.counter("sockeye.client.cache.responses", "sockeye.cache.outcome", cache.kind.rawValue).increment()
        case .failure(let error):
            table.counter("sockeye.client.failures", "error.type", error.code.description).increment()
        }
    }
}
#endif
