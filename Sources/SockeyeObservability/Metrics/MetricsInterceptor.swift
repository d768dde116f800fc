#if Observability || Service
public import CoreMetrics
public import Sockeye
public import SockeyeEngine

/// Records calls in swift-metrics; made by `.metrics()`.
///
/// Names, units and attributes are those of OpenTelemetry's "Semantic conventions for HTTP metrics"; what these have no
/// name for begins with `sockeye.`.
///
/// | metric | kind, unit | dimensions |
/// | --- | --- | --- |
/// | `http.client.request.duration` | timer, s | request, `http.response.status_code`, `error.type` |
/// | `http.client.active_requests` | meter, `{request}` | `http.request.method`, `server.address`, `server.port` |
/// | `http.client.request.body.size` | recorder, By | as the duration |
/// | `http.client.response.body.size` | recorder, By | as the duration |
/// | `sockeye.client.pool.wait.duration` | timer, s | `server.address`, `server.port` |
/// | `sockeye.client.dns.duration`, `….connect.duration`, `….tls.duration` | timer, s | `server.address`, `server.port` |
/// | `sockeye.client.resends` | counter | `sockeye.resend.reason` |
/// | `sockeye.client.failures` | counter | `error.type` |
/// | `sockeye.client.cache.responses` | counter | `sockeye.cache.outcome` |
///
/// "Request" stands for `http.request.method`, `server.address`, `server.port` and `network.protocol.version`. A duration
/// is that of one exchange, each redirect and retry being one, from the asking for a connection to the head of the
/// response, as is that of a span; it is recorded when the content was read or given up, so that a content which breaks off
/// counts as an error. A request is active until then, too. Failures count calls, those included for which nothing was
/// sent, such as `circuitOpen`. ``ConnectionGauges`` has what connections and circuits there are.
///
/// **Cardinality.** Methods that RFC 9110 does not know are `_OTHER`, statuses and error codes are sets that end, and URLs are
/// no dimension. Hosts are the caller's: beyond ``seriesLimit`` combinations all further ones are one series with the
/// dimension `otel.metric.overflow`, as in OpenTelemetry's SDKs.
public struct MetricsInterceptor: SynchronousInterceptor, SingleInterceptor, EventMonitor {
    /// The combinations of dimensions of a metric beyond which there is only one more. Default 2000.
    public let seriesLimit: Int
    private let recorder: MetricsRecorder

    init(_ factory: (any MetricsFactory)?, _ seriesLimit: Int) {
        self.seriesLimit = seriesLimit
        recorder = MetricsRecorder(factory, limit: seriesLimit)
    }

    /// Among those around every request that goes to the wire, which it does not touch.
    public var stage: Call.Stage { .attempt }

    /// Sends the request.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await call.proceed(request)
    }

    package var preparesRequests: Bool { false }
    package var outcomeFilter: OutcomeFilter { .nothing }

    /// Start and end of exchanges, and what came of calls.
    public let kinds: ClientEvent.Kinds = [.exchangeStarted, .exchangeEnded, .callContinued, .callReturned]

    /// Records the event.
    public func handle(_ event: ClientEvent) {
        switch event {
        case .exchangeStarted(let exchange): recorder.exchangeStarted(exchange.metrics)
        case .exchangeEnded(let exchange): recorder.exchangeEnded(exchange.metrics)
        case .callContinued(let continuation): recorder.callContinued(after: continuation.exchange)
        case .callReturned(let end): recorder.callReturned(end.outcome)
        default: break
        }
    }
}

extension Interceptor where Self == MetricsInterceptor {
    /// Records calls; see ``MetricsInterceptor`` for what. A scope's replaces that of its client.
    ///
    /// ```swift
    /// let client = HTTPClient().adding(.metrics())
    /// ```
    ///
    /// - Parameters:
    ///   - factory: What makes the metrics. Default nil: what `MetricsSystem` has for the task that makes the first call.
    ///   - seriesLimit: The combinations of dimensions of a metric beyond which there is only one more.
    public static func metrics(
        to factory: (any MetricsFactory)? = nil, seriesLimit: Int = 2000
    ) -> MetricsInterceptor {
        MetricsInterceptor(factory, seriesLimit)
    }
}
#endif
