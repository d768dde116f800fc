#if Observability || Service
import CoreMetrics
import HTTPTypes
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// The keys that distinguish the series of a metric, without making a string for it.
enum SeriesKey {
    struct Request: Hashable {
        let method: String
        let origin: HTTPURL.Origin

        init(_ exchange: CallMetrics.Exchange) {
            method = HTTPConventions.method(exchange.method)
            origin = exchange.url.origin
        }
    }

    struct Result: Hashable {
        let request: Request
        let status: Int?
        let error: String?
    }

    struct Count: Hashable {
        let label: String
        let value: String
    }
}

/// The metrics of a recorder by their dimensions. swift-metrics looks up handlers by label and strings, which would
/// cost each request more than the rest of recording it. The table is bounded; see ``MetricsInterceptor``.
final class SeriesTable: Sendable {
    struct ResultSeries {
        let duration: Timer
        let requestSize: Recorder
        let responseSize: Recorder
    }

    struct ServerSeries {
        let waiting: Timer
        let resolving: Timer
        let connecting: Timer
        let handshaking: Timer
    }

    /// All series that record one exchange.
    struct ExchangeSeries {
        let active: Meter
        let result: ResultSeries
        let server: ServerSeries
    }

    private struct State {
        var factory: (any MetricsFactory)?
        /// The series of the last exchange. The next one usually has the same key, and comparing costs less than
        /// hashing.
        var last: (key: SeriesKey.Result, series: ExchangeSeries)?
        var active: Bounded<SeriesKey.Request, Meter>
        var results: Bounded<SeriesKey.Result, ResultSeries>
        var servers: Bounded<HTTPURL.Origin, ServerSeries>
        var counters: Bounded<SeriesKey.Count, Counter>

        /// Returns the factory. It is fixed at the first call, because the metrics system may be set up after the
        /// client is made.
        mutating func currentFactory() -> any MetricsFactory {
            if let factory { return factory }
            let current = MetricsSystem.factory
            factory = current
            return current
        }
    }

    private let state: Mutex<State>

    init(_ factory: (any MetricsFactory)?, limit: Int) {
        state = Mutex(
            State(
                factory: factory, active: Bounded(limit), results: Bounded(limit), servers: Bounded(limit),
                counters: Bounded(limit)))
    }

    func active(_ request: SeriesKey.Request) -> Meter {
        state.withLock { state in
            if let last = state.last, last.key.request == request { return last.series.active }
            let factory = state.currentFactory()
            return state.active.value(for: request) { key in
                Meter(
                    label: "http.client.active_requests", dimensions: key.map(Self.dimensions) ?? Self.overflow,
                    factory: factory)
            }
        }
    }

    /// Returns the series of an exchange that has ended.
    func series(_ result: SeriesKey.Result) -> ExchangeSeries {
        if let series = state.withLock({ $0.last.flatMap { $0.key == result ? $0.series : nil } }) { return series }
        let series = ExchangeSeries(
            active: active(result.request), result: self.result(result), server: server(result.request.origin))
        state.withLock { $0.last = (result, series) }
        return series
    }

    private func result(_ result: SeriesKey.Result) -> ResultSeries {
        state.withLock { state in
            let factory = state.currentFactory()
            return state.results.value(for: result) { key in
                let dimensions = key.map(Self.dimensions) ?? Self.overflow
                return ResultSeries(
                    duration: Self.timer("http.client.request.duration", dimensions, factory),
                    requestSize: Recorder(
                        label: "http.client.request.body.size", dimensions: dimensions, aggregate: true,
                        factory: factory),
                    responseSize: Recorder(
                        label: "http.client.response.body.size", dimensions: dimensions, aggregate: true,
                        factory: factory))
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

    func counter(_ label: String, _ dimension: String, _ value: String) -> Counter {
        state.withLock { state in
            let factory = state.currentFactory()
            return state.counters.value(for: SeriesKey.Count(label: label, value: value)) { key in
                let dimensions = key.map { [(dimension, $0.value)] } ?? Self.overflow
                return Counter(label: label, dimensions: dimensions, factory: factory)
            }
        }
    }

    // MARK: Dimensions

    private static let overflow = [("otel.metric.overflow", "true")]

    private static func timer(
        _ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory
    ) -> Timer {
        let handler = factory.makeTimer(label: label, dimensions: dimensions)
        handler.preferDisplayUnit(.seconds)
        return Timer(label: label, dimensions: dimensions, handler: handler, factory: factory)
    }

    static func dimensions(_ origin: HTTPURL.Origin) -> [(String, String)] {
        [("server.address", origin.host), ("server.port", "\(origin.port)")]
    }

    private static func dimensions(_ request: SeriesKey.Request) -> [(String, String)] {
        [("http.request.method", request.method)] + dimensions(request.origin)
    }

    private static func dimensions(_ result: SeriesKey.Result) -> [(String, String)] {
        var dimensions = dimensions(result.request) + [("network.protocol.version", "1.1")]
        if let status = result.status { dimensions.append(("http.response.status_code", "\(status)")) }
        let error = result.error ?? result.status.flatMap { $0 >= 400 ? "\($0)" : nil }
        if let error { dimensions.append(("error.type", error)) }
        return dimensions
    }
}

/// A map with a limited number of entries, plus one entry that all further keys share.
struct Bounded<Key: Hashable, Value> {
    private let limit: Int
    private var values: [Key: Value] = [:]
    private var overflow: Value?

    init(_ limit: Int) { self.limit = max(1, limit) }

    /// Returns the value of a key, or the shared value if the map is full.
    ///
    /// - Parameter make: Makes the value of a key; with nil, the shared value.
    mutating func value(for key: Key, _ make: (Key?) -> Value) -> Value {
        if let value = values[key] { return value }
        if values.count < limit {
            let value = make(key)
            values[key] = value
            return value
        }
        let value = overflow ?? make(nil)
        overflow = value
        return value
    }
}
#endif
