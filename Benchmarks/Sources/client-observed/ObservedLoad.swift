import BenchmarkKit
import Logging
import ObservabilityBackends
import Sockeye
import SockeyeObservability

/// Sockeye with logs, metrics and spans; their backends do as little work as possible. It is a separate program,
/// because linking more code changes the memory.
///
/// The variants are `plain` for the same program without observation, `logs`, `metrics` and `spans` for one kind,
/// `observed` for all kinds, and `sampled` for all kinds with one of 100 traces recorded. The other variants record
/// every span.
struct ObservedLoad: ExchangeClient {
    var options: ClientOptions
    private let client: HTTPClient

    init(_ options: ClientOptions) throws {
        self.options = options
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = options.connections
        configuration.pool.connections = options.connections
        configuration.interceptors = Self.interceptors(options.variant ?? "plain")
        client = HTTPClient(configuration: configuration)
    }

    private static func interceptors(_ variant: String) -> [any Interceptor] {
        var interceptors: [any Interceptor] = []
        let hasAll = variant == "observed" || variant == "sampled"
        if variant == "logs" || hasAll {
            var logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
            // SwiftLogNoOpLogHandler has the level critical, which would turn logs off.
            logger.handler = QuietHandler()
            interceptors.append(LoggerInterceptor.logging(to: logger))
        }
        if variant == "metrics" || hasAll {
            interceptors.append(MetricsInterceptor.metrics(to: CountingMetrics()))
        }
        if variant == "spans" || hasAll {
            let tracer = SamplingTracer(oneOf: variant == "sampled" ? 100 : 1)
            interceptors.append(TracingInterceptor.tracing(with: tracer))
        }
        return interceptors
    }

    func exchange() async throws -> Int {
        let response = try await client.get(options.url)
        var bytes = 0
        for try await chunk in response.body { bytes += chunk.count }
        try WrongAnswer.check(status: response.status.code, bytes: bytes, for: options.job)
        return bytes
    }

    func shutDown() async { await client.shutDown() }
}
