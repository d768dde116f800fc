#if Observability || Service
import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import SockeyeObservability
import Tracing

/// Requests to a collector in the binary form of OTLP (github.com/open-telemetry/opentelemetry-proto), with the
/// contents of in-memory backends. Numbers are those of the fields in the `.proto` files.
enum OTLPRequest {
    /// Makes an `ExportTraceServiceRequest`.
    static func traces(_ spans: [FinishedInMemorySpan]) -> [UInt8] {
        request { scope in
            for span in spans { scope.message(2) { write(span, &$0) } }
        }
    }

    /// Makes an `ExportMetricsServiceRequest`.
    static func metrics(_ metrics: TestMetrics) -> [UInt8] {
        request { scope in
            for timer in metrics.timers {
                let unit = timer.displayUnit == .seconds ? "s" : "ns"
                let values = timer.values.map { Double($0) / 1e9 }
                histogram(timer.label, unit, values, timer.dimensions, boundaries[timer.label] ?? [], &scope)
            }
            for recorder in metrics.recorders {
                histogram(recorder.label, "By", recorder.values, recorder.dimensions, [], &scope)
            }
            for meter in metrics.meters {
                metric(meter.label, "", 5, &scope) { gauge in
                    gauge.message(1) { point in
                        point.double(4, meter.lastValue ?? 0)
                        attributes(7, meter.dimensions, &point)
                    }
                }
            }
            for counter in metrics.counters {
                metric(counter.label, "", 7, &scope) { sum in
                    sum.message(1) { point in
                        point.fixed(6, UInt64(counter.totalValue))
                        attributes(7, counter.dimensions, &point)
                    }
                    sum.number(2, 2)
                    sum.number(3, 1)
                }
            }
        }
    }

    /// Makes an `ExportLogsServiceRequest`.
    static func logs(_ entries: [InMemoryLogHandler.Entry]) -> [UInt8] {
        request { scope in
            for entry in entries {
                scope.message(2) { record in
                    record.number(2, severity(entry.level))
                    record.text(3, "\(entry.level)".uppercased())
                    record.message(5) { $0.text(1, "\(entry.message)") }
                    attributes(6, entry.metadata.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }, &record)
                }
            }
        }
    }

    /// Writes the levels that all requests have: resource, instrumentation scope, and its spans, metrics or records.
    private static func request(_ fill: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var request = ProtobufWriter()
        request.message(1) { resource in
            resource.message(1) { attributes(1, [("service.name", "quotes")], &$0) }
            resource.message(2) { scope in
                scope.message(1) { $0.text(1, "Sockeye") }
                fill(&scope)
            }
        }
        return request.bytes
    }

    // MARK: Spans

    private static func write(_ span: FinishedInMemorySpan, _ writer: inout ProtobufWriter) {
        writer.bytes(1, id(span.traceID, bytes: 16))
        writer.bytes(2, id(span.spanID, bytes: 8))
        if let parent = span.parentSpanID { writer.bytes(4, id(parent, bytes: 8)) }
        writer.text(5, span.operationName)
        writer.number(6, span.kind == .client ? 3 : 1)
        writer.fixed(7, span.startInstant.nanosecondsSinceEpoch)
        writer.fixed(8, span.endInstant.nanosecondsSinceEpoch)
        var values: [(String, SpanAttribute)] = []
        let attributes = span.attributes
        // swift-format-ignore: ReplaceForEachWithForLoop, because SpanAttributes is no sequence.
        attributes.forEach { values.append(($0, $1)) }
        for (key, value) in values.sorted(by: { $0.0 < $1.0 }) {
            writer.message(9) { attribute in
                attribute.text(1, key)
                attribute.message(2) { write(value, &$0) }
            }
        }
        if let status = span.status {
            writer.message(15) { message in
                if let text = status.message { message.text(2, text) }
                message.number(3, status.code == .error ? 2 : 1)
            }
        }
    }

    private static func write(_ value: SpanAttribute, _ writer: inout ProtobufWriter) {
        switch value {
        case .string(let text): writer.text(1, text)
        case .bool(let flag): writer.number(2, flag ? 1 : 0)
        case .int64(let number): writer.number(3, UInt64(bitPattern: number))
        case .stringArray(let texts):
            writer.message(5) { array in
                for text in texts { array.message(1) { $0.text(1, text) } }
            }
        default: writer.text(1, "\(value)")
        }
    }

    /// Returns the identifier of an in-memory span, which is a text such as `span-1`, padded with zeros.
    private static func id(_ text: String, bytes: Int) -> [UInt8] {
        let known = Array(text.utf8.suffix(bytes))
        return [UInt8](repeating: 0, count: bytes - known.count) + known
    }

    // MARK: Metrics

    private static let boundaries: [String: [Duration]] = [
        "http.client.request.duration": MetricsInterceptor.requestDurationBoundaries,
        "http.client.connection.duration": ConnectionGauges.connectionDurationBoundaries,
    ]

    private static func metric(
        _ label: String, _ unit: String, _ kind: Int, _ scope: inout ProtobufWriter,
        _ data: (inout ProtobufWriter) -> Void
    ) {
        scope.message(2) { metric in
            metric.text(1, label)
            metric.text(3, unit)
            metric.message(kind, data)
        }
    }

    private static func histogram(
        _ label: String, _ unit: String, _ values: [Double], _ dimensions: [(String, String)],
        _ boundaries: [Duration], _ scope: inout ProtobufWriter
    ) {
        let bounds = boundaries.map { $0 / .seconds(1) }
        var counts = [UInt64](repeating: 0, count: bounds.count + 1)
        for value in values { counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1 }
        metric(label, unit, 9, &scope) { histogram in
            histogram.message(1) { point in
                point.fixed(4, UInt64(values.count))
                point.double(5, values.reduce(0, +))
                point.packed(6, counts)
                point.packed(7, bounds.map(\.bitPattern))
                attributes(9, dimensions, &point)
            }
            histogram.number(2, 2)
        }
    }

    // MARK: Attributes

    private static func attributes(_ field: Int, _ pairs: [(String, String)], _ writer: inout ProtobufWriter) {
        for (key, value) in pairs {
            writer.message(field) { attribute in
                attribute.text(1, key)
                attribute.message(2) { $0.text(1, value) }
            }
        }
    }

    /// Returns the severity number of a level (OpenTelemetry's "Logs data model").
    private static func severity(_ level: Logger.Level) -> UInt64 {
        switch level {
        case .trace: 1
        case .debug: 5
        case .info: 9
        case .notice: 10
        case .warning: 13
        case .error: 17
        case .critical: 21
        }
    }
}
#endif
