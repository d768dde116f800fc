import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Sockeye
import SockeyeObservability
import SockeyeTesting
import Tracing

// snippet.show
func observedClient(
    _ logger: Logger, _ metrics: any MetricsFactory, _ tracer: any Tracer
) -> HTTPClient {
    HTTPClient().adding(
        .logging(to: logger), .metrics(to: metrics), .tracing(with: tracer))
}
// snippet.hide

extension Job {
    static let observed = Job("Logs, metrics and traces") {
        let (log, metrics, tracer) = (InMemoryLogHandler(), TestMetrics(), InMemoryTracer())
        let logger = Logger(label: "jobs") { _ in log }
        return try await withTestServer { _ in
            .status(404)
        } run: { server in
            _ = try await observedClient(logger, metrics, tracer).get(server.url("missing?token=s3cr3t"))
            let lines = log.entries.map { "\($0.level) \($0.message)" }
            guard !log.entries.contains(where: { "\($0.metadata)".contains("s3cr3t") }) else {
                throw Unexpected("a secret in the log")
            }
            let spans = tracer.finishedSpans.map(\.operationName).sorted().joined(separator: " and ")
            let timers = metrics.timers(label: "http.client.request.duration").count
            return "\(lines.joined(separator: ", ")); spans \(spans); \(timers) duration"
        }
    }
}
