import Configuration
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import SockeyeTesting
import Synchronization
import Tracing

/// The logs, spans and metrics of a call that the server redirects, then answers with 503 once, and then with a quote.
public enum Report {
    /// Makes the call and returns its logs, spans and metrics as lines.
    public static func lines() async throws -> [String] {
        let (log, metrics, tracer) = (InMemoryLogHandler(), TestMetrics(), InMemoryTracer())
        var logger = Logger(label: "quotes") { _ in log }
        logger.logLevel = .debug
        let isRefused = Atomic(false)
        try await withTestServer { request in
            if request.path == "/quote" { return .redirect(to: "/v2/quote") }
            return isRefused.exchange(true, ordering: .relaxed) ? .ok("Less is more.") : .status(503)
        } run: { server in
            let config = ConfigReader(
                provider: InMemoryProvider(values: [
                    "quotes.url": .init(.string(server.url(host: "localhost")), isSecret: false),
                    "http.timeouts.total": "5s",
                ]))
            let service = try QuoteService(config: config, logger: logger, metrics: metrics, tracer: tracer)
            _ = try await service.quote()
        }
        return ["logs"] + log.entries.map(line) + ["", "spans"] + tree(tracer.finishedSpans) + ["", "metrics"]
            + Self.lines(metrics)
    }

    private static func line(_ entry: InMemoryLogHandler.Entry) -> String {
        let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        return "  \(entry.level) \(entry.message): \(metadata.joined(separator: " "))"
    }

    // MARK: Spans

    private static func tree(_ spans: [FinishedInMemorySpan]) -> [String] {
        spans.filter { $0.parentSpanID == nil }.flatMap { branch($0, of: spans, depth: 1) }
    }

    private static func branch(
        _ span: FinishedInMemorySpan, of spans: [FinishedInMemorySpan], depth: Int
    ) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        let time = milliseconds(
            Double(span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch) / 1e6)
        let shown = ["error.type", "http.request.resend_count", "http.response.status_code"]
        let attributes = shown.compactMap { name in span.attributes.get(name).map { "\(name)=\(text($0))" } }
        let children = spans.filter { $0.parentSpanID == span.spanID }
            .sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
        let own = ([indent + span.operationName, time] + attributes).joined(separator: " ")
        return [own] + children.flatMap { branch($0, of: spans, depth: depth + 1) }
    }

    private static func text(_ value: SpanAttribute) -> String {
        switch value {
        case .string(let text): text
        case .int64(let number): "\(number)"
        case .int32(let number): "\(number)"
        default: "…"
        }
    }

    // MARK: Metrics

    private static func lines(_ metrics: TestMetrics) -> [String] {
        let timers = metrics.timers.map { timer in
            name(timer.label, timer.dimensions) + " "
                + timer.values.map { milliseconds(Double($0) / 1e6) }.joined(separator: ", ")
        }
        let recorders = metrics.recorders.map { name($0.label, $0.dimensions) + " \(Int($0.lastValue ?? 0)) bytes" }
        let meters = metrics.meters.map { name($0.label, $0.dimensions) + " \(Int($0.lastValue ?? 0))" }
        let counters = metrics.counters.map { name($0.label, $0.dimensions) + " \($0.totalValue)" }
        return (timers + recorders + meters + counters).sorted()
    }

    private static func name(_ label: String, _ dimensions: [(String, String)]) -> String {
        "  \(label){" + dimensions.map { "\($0)=\($1)" }.joined(separator: ",") + "}"
    }

    private static func milliseconds(_ time: Double) -> String {
        let hundredths = Int((time * 100).rounded())
        return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst()) ms"
    }
}
