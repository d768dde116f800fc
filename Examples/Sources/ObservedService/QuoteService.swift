import Configuration
import CoreMetrics
import Logging
import ServiceLifecycle
import Sockeye
import SockeyeObservability
import SockeyeService
import Tracing
import UnixSignals

/// A service that requests quotes from another service, with logs, metrics, spans and connection gauges.
///
/// ```swift
/// let quotes = try QuoteService(config: ConfigReader(provider: EnvironmentVariablesProvider()), logger: logger)
/// try await quotes.group(logger).run()
/// ```
struct QuoteService: Service {
    let client: HTTPClient
    private let gauges: ConnectionGauges

    /// - Parameters:
    ///   - metrics: If nil, the factory of `MetricsSystem`.
    ///   - tracer: If nil, the tracer of `InstrumentationSystem`.
    init(
        config: ConfigReader, logger: Logger, metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil
    ) throws {
        client = try HTTPClient(config: config.scoped(to: "http"))
            .scoped(baseURL: config.string(forKey: "quotes.url", default: "http://127.0.0.1/"))
            .adding(
                .logging(to: logger), .metrics(to: metrics), .tracing(with: tracer, detail: .phases),
                .retry(max: 2, backoff: .none))
        gauges = ConnectionGauges(of: client.pool, to: metrics)
    }

    /// A group that shuts down this service first, then the gauges, and the client last.
    func group(_ logger: Logger) -> ServiceGroup {
        ServiceGroup(
            services: [client.service(gracePeriod: .seconds(5)), gauges, self],
            gracefulShutdownSignals: [.sigterm], logger: logger)
    }

    /// Requests a quote each minute until the group shuts down.
    ///
    /// Ignores errors, such as that of the cancelled sleep, because an error of a service cancels the whole group and
    /// its running requests. The client logs failed calls.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                _ = try? await quote()
                try? await Task.sleep(for: .seconds(60))
            }
        }
    }

    func quote() async throws -> String { try await client.get("quote?token=s3cr3t").text() }
}
