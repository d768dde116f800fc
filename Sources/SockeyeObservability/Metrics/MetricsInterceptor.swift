#if Observability || Service
public import CoreMetrics
public import Sockeye
public import SockeyeEngine

/// Records calls in swift-metrics; made by `.metrics()`.
///
/// Names, units and attributes are those of OpenTelemetry's "Semantic conventions for HTTP metrics". Names that the
/// conventions do not define begin with `sockeye.`.
///
/// | metric | kind, unit | dimensions |
/// | --- | --- | --- |
/// | `http.client.request.duration` | timer, s | request, `http.response.status_code`, `error.type` |
/// | `http.client.active_requests` | meter, `{request}` | request, without the version |
/// | `http.client.request.body.size` | recorder, By | as the duration |
/// | `http.client.response.body.size` | recorder, By | as the duration |
/// | `sockeye.client.pool.wait.duration` | timer, s | `server.address`, `server.port` |
/// | `sockeye.client.dns.duration` | timer, s | `server.address`, `server.port` |
/// | `sockeye.client.connect.duration` | timer, s | `server.address`, `server.port` |
/// | `sockeye.client.tls.duration` | timer, s | `server.address`, `server.port` |
/// | `sockeye.client.resends` | counter | `sockeye.resend.reason` |
/// | `sockeye.client.failures` | counter | `error.type` |
/// | `sockeye.client.cache.responses` | counter | `sockeye.cache.outcome` |
///
/// "Request" stands for `http.request.method`, `server.address`, `server.port`, `network.protocol.version` if the
/// server answered, and `url.template` if the caller has set one (`urlTemplate(_:)`). "As the duration" stands for the
/// dimensions of `http.client.request.duration`.
///
/// A request duration covers one exchange; each redirect and each retry is an exchange of its own. The duration lasts
/// from asking the pool for a connection until the head of the response or an earlier failure. It is recorded when the
/// content has been read or abandoned, so that content that fails counts as an error. Until then the request counts as
/// active. `sockeye.client.failures` counts failed calls, including calls that sent nothing, such as those that failed
/// with `circuitOpen`. It does not count cancelled calls. ``ConnectionGauges`` shows connections and circuits.
///
/// **Cardinality.** Unknown methods become `_OTHER`, statuses and error codes are bounded sets, and URLs are not a
/// dimension. Templates and hosts have no bound of their own: the caller chooses both, and redirects can add hosts.
/// Beyond ``seriesLimit`` combinations of a metric, all further ones share one series with the dimension
/// `otel.metric.overflow`, as in OpenTelemetry's SDKs.
public struct MetricsInterceptor: SynchronousInterceptor, SingleInterceptor, UniformMonitor {
    /// The histogram bucket boundaries that OpenTelemetry's conventions advise for `http.client.request.duration`.
    /// swift-metrics cannot pass them on, so configure your backend with them.
    public static let requestDurationBoundaries: [Duration] = [
        5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
    ].map { .milliseconds($0) }

    /// The maximum number of combinations of dimensions of each metric. All further combinations share one more series.
    /// Default 2000; a value below 1 counts as 1.
    public let seriesLimit: Int
    private let recorder: MetricsRecorder

    init(_ factory: (any MetricsFactory)?, _ seriesLimit: Int) {
        self.seriesLimit = seriesLimit
        recorder = MetricsRecorder(factory, limit: seriesLimit)
    }

    /// The `attempt` stage: this interceptor runs for each request that is sent to the network.
    public var stage: Call.Stage { .attempt }

    /// Sends the request unchanged.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await call.proceed(request)
    }

    package var preparesRequests: Bool { false }
    package var outcomeFilter: OutcomeFilter { .nothing }

    /// The recorded events: `exchangeStarted`, `exchangeEnded`, `callContinued` (a redirect, a retry or an answer to a
    /// challenge), `cacheAnswered`, and `callReturned` with an error.
    public var kinds: ClientEvent.Kinds { recorder.kinds }

    /// Returns the recorder of all calls.
    public func monitor(of call: ObservedCall) -> (any EventMonitor)? { recorder }

    package var monitorOfAllCalls: (any EventMonitor)? { recorder }

    /// Does nothing: the events of a call go to the monitor that ``monitor(of:)`` returns.
    public func handle(_ event: ClientEvent) {}
}

extension Interceptor where Self == MetricsInterceptor {
    /// Records calls; see ``MetricsInterceptor`` for the metrics. A metrics interceptor of a scope (see `scoped` of
    /// ``/Sockeye/HTTPClient``) replaces the inherited one.
    ///
    /// ```swift
    /// let client = HTTPClient().adding(.metrics())
    /// ```
    ///
    /// - Parameters:
    ///   - factory: The factory of the metrics. Default nil: `MetricsSystem.factory`, read once, when the first metric
    ///     is recorded.
    ///   - seriesLimit: See ``MetricsInterceptor/seriesLimit``. Default 2000.
    public static func metrics(
        to factory: (any MetricsFactory)? = nil, seriesLimit: Int = 2000
    ) -> MetricsInterceptor {
        MetricsInterceptor(factory, seriesLimit)
    }
}
#endif
