#if Observability || Service
import CoreMetrics
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// The metrics of a ``MetricsRecorder`` by their dimensions. The number of series is limited; see
/// ``MetricsInterceptor``.
///
/// Without this table, a backend of swift-metrics would look up the handlers for each request, by the strings of their
/// label and dimensions. That look-up would cost more than all other work of recording a request.
///
/// The table stores the handlers of swift-metrics instead of `Timer` and `Recorder`, because the generic methods of
/// `Timer` and `Recorder` cost more than the recording.
final class SeriesTable: Sendable {
    struct ResultSeries: Sendable {
        let duration: any TimerHandler
        let requestSize: any RecorderHandler
        let responseSize: any RecorderHandler
    }

    struct ServerSeries: Sendable {
        let waiting: any TimerHandler
        let resolving: any TimerHandler
        let connecting: any TimerHandler
        let handshaking: any TimerHandler
    }

    /// All series in which one exchange is recorded, and their key. A class, because copying a dozen references costs
    /// more than recording.
    final class ExchangeSeries: Sendable {
        private let method: String
        private let origin: HTTPURL.Origin
        private let template: String?
        private let version: String?
        private let status: Int?
        let active: any MeterHandler
        let result: ResultSeries
        let server: ServerSeries

        init(_ key: SeriesKey.Result, _ active: any MeterHandler, _ result: ResultSeries, _ server: ServerSeries) {
            (method, origin, template) = (key.request.method, key.request.origin, key.request.template)
            (version, status) = (key.version, key.status)
            (self.active, self.result, self.server) = (active, result, server)
        }

        /// Returns true if `active` is the meter that counts this exchange while it is active. Allocates nothing.
        func hasMeter(of exchange: CallMetrics.Exchange, _ call: ObservedCall) -> Bool {
            exchange.isRequest(method, to: origin)
                && (call.context.isEmpty ? template == nil : template == call.template(of: exchange.url))
        }

        /// Returns true if this exchange ended without an error and belongs to these series.
        func fits(_ exchange: CallMetrics.Exchange, _ call: ObservedCall) -> Bool {
            exchange.isAnswered(status, by: version) && hasMeter(of: exchange, call)
        }
    }

    private struct State {
        var factory: (any MetricsFactory)?
        /// The series of the last exchange. The next exchange usually has the same key, and comparing costs less than
        /// hashing.
        var last: ExchangeSeries?
        var active: Bounded<SeriesKey.Request, any MeterHandler>
        var results: Bounded<SeriesKey.Result, ResultSeries>
        var servers: Bounded<HTTPURL.Origin, ServerSeries>
        /// The counters by the label of their metric, then by the value of their only dimension.
        var counters: [String: Bounded<String, any CounterHandler>] = [:]

        /// Returns the caller's factory, or else `MetricsSystem.factory`. The latter is read when the first metric is
        /// recorded, because the metrics system may be set up after the client is made.
        mutating func currentFactory() -> any MetricsFactory {
            if let factory { return factory }
            let current = MetricsSystem.factory
            factory = current
            return current
        }
    }

    private let state: Mutex<State>
    private let limit: Int

    init(_ factory: (any MetricsFactory)?, limit: Int) {
        state = Mutex(
            State(
                factory: factory, active: Bounded(limit), results: Bounded(limit), servers: Bounded(limit)))
        self.limit = limit
    }

    /// Returns the meter of active requests for an exchange that begins.
    func active(_ exchange: CallMetrics.Exchange, _ call: ObservedCall) -> any MeterHandler {
        if let last = state.withLock({ $0.last }), last.hasMeter(of: exchange, call) { return last.active }
        return active(SeriesKey.Request(exchange, call))
    }

    /// Returns the series of an exchange that has ended.
    func series(_ exchange: CallMetrics.Exchange, _ call: ObservedCall) -> ExchangeSeries {
        if let last = state.withLock({ $0.last }), last.fits(exchange, call) { return last }
        let key = SeriesKey.Result(exchange, call)
        let series = ExchangeSeries(key, active(key.request), result(key), server(key.request.origin))
        if exchange.isComplete { state.withLock { $0.last = series } }
        return series
    }

    private func active(_ request: SeriesKey.Request) -> any MeterHandler {
        state.withLock { state in
            let factory = state.currentFactory()
            return state.active.value(for: request) { key in
                factory.makeMeter(
                    label: "http.client.active_requests", dimensions: key.map(Self.dimensions) ?? Self.overflow)
            }
        }
    }

    private func result(_ result: SeriesKey.Result) -> ResultSeries {
        state.withLock { state in
            let factory = state.currentFactory()
            return state.results.value(for: result) { key in
                let dimensions = key.map(Self.dimensions) ?? Self.overflow
                return ResultSeries(
                    duration: Self.timer("http.client.request.duration", dimensions, factory),
                    requestSize: factory.makeRecorder(
                        label: "http.client.request.body.size", dimensions: dimensions, aggregate: true),
                    responseSize: factory.makeRecorder(
                        label: "http.client.response.body.size", dimensions: dimensions, aggregate: true))
            }
        }
    }

    private func server(_ origin: HTTPURL.Origin) -> ServerSeries {
        state.withLock { state in
            let factory = state.currentFactory()
            return state.servers.value(for: origin) { key in
                let dimensions = key.map(Self.dimensions) ?? Self.overflow
                return ServerSeries(
                    waiting: Self.timer("sockeye.client.pool.wait.duration", dimensions, factory),
                    resolving: Self.timer("sockeye.client.dns.duration", dimensions, factory),
                    connecting: Self.timer("sockeye.client.connect.duration", dimensions, factory),
                    handshaking: Self.timer("sockeye.client.tls.duration", dimensions, factory))
            }
        }
    }

    func counter(_ label: String, _ dimension: String, _ value: String) -> any CounterHandler {
        state.withLock { state in
            let factory = state.currentFactory()
            return state.counters[label, default: Bounded(limit)].value(for: value) { value in
                factory.makeCounter(label: label, dimensions: value.map { [(dimension, $0)] } ?? Self.overflow)
            }
        }
    }

    // MARK: Dimensions

    static let overflow = [("otel.metric.overflow", "true")]

    static func timer(
        _ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory
    ) -> any TimerHandler {
        let handler = factory.makeTimer(label: label, dimensions: dimensions)
        handler.preferDisplayUnit(.seconds)
        return handler
    }

    static func dimensions(_ origin: HTTPURL.Origin) -> [(String, String)] {
        [("server.address", origin.host), ("server.port", "\(origin.port)")]
    }

    private static func dimensions(_ request: SeriesKey.Request) -> [(String, String)] {
        let template = request.template.map { [("url.template", $0)] } ?? []
        return [("http.request.method", request.method)] + dimensions(request.origin) + template
    }

    private static func dimensions(_ result: SeriesKey.Result) -> [(String, String)] {
        var dimensions = dimensions(result.request)
        if let version = result.version { dimensions.append(("network.protocol.version", version)) }
        if let status = result.status { dimensions.append(("http.response.status_code", "\(status)")) }
        if let error = result.error { dimensions.append(("error.type", error)) }
        return dimensions
    }
}
#endif
