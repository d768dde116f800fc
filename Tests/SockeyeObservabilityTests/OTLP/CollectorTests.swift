#if Observability || Service
import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Sockeye
import SockeyeObservability
import SockeyeTestSupport
import SockeyeTesting
import Testing
import Tracing

/// The telemetry of calls as a collector decodes it from OTLP, by OpenTelemetry's own Python package.
@Suite(
    "Telemetry as a collector of OpenTelemetry decodes it",
    .enabled(if: Collector.python != nil, "opentelemetry-proto is missing; Scripts/install-deps.sh test installs it"),
    .timeLimit(.minutes(1)))
struct CollectorTests {
    @Test("the collector decodes spans with the names, kinds and statuses of the conventions")
    func spans() async throws {
        let lines = try await Collector.decodedLines().filter { $0.contains(" span ") }
        let heads = lines.map { String($0.split(separator: ":")[0]) }
        #expect(
            heads == [
                "internal span HTTPClient.send, status unset",
                "client span GET /start in HTTPClient.send, status unset",
                "client span GET in HTTPClient.send, status error", "client span GET in HTTPClient.send, status unset",
                "internal span HTTPClient.send, status error", "client span HTTP in HTTPClient.send, status error",
                "internal span HTTPClient.send, status error", "client span GET in HTTPClient.send, status error",
            ])
        #expect(lines[3].contains(" http.request.resend_count=2 "))
        #expect(lines[1].contains(" http.request.header.x-own=[a,b] "))
    }

    @Test("the collector decodes metrics with the units and boundaries of the conventions")
    func metrics() async throws {
        let lines = try await Collector.decodedLines()
        for start in [
            "histogram of 1 http.client.request.duration in s, 14 boundaries:",
            "histogram of 1 http.client.connection.duration in s, 14 boundaries:",
            "histogram of 1 http.client.request.body.size in By:", "gauge http.client.open_connections:",
            "gauge http.client.active_requests:", "sum sockeye.client.failures:",
        ] {
            #expect(lines.contains { $0.hasPrefix(start) }, "\(start)")
        }
    }

    @Test("the article's table says which attributes and instruments the collector gets")
    func table() async throws {
        let lines = try await Collector.decodedLines()
        let spans = lines.filter { $0.contains(" span ") }.joined(separator: "\n")
        let metrics = lines.filter { !$0.contains(" span ") && !$0.contains(" record ") }.joined(separator: "\n")
        let rows = try Collector.tableOfConventions()
        #expect(rows.count == 31)
        for row in rows {
            let isInstrument = row.name.hasPrefix("http.client.")
            let name = row.name.replacing("<key>", with: row.name.contains("request") ? "x-own" : "content-length")
            let isSent = isInstrument ? metrics.contains(" \(name)") : spans.contains(" \(name)=")
            #expect(isSent == !row.done.hasPrefix("no"), "\(row.name)")
        }
    }

    @Test("the article shows lines that the collector decodes")
    func block() async throws {
        let lines = Set(try await Collector.decodedLines().map(Collector.withoutPorts))
        let shown = try Collector.decodedLinesOfArticle()
        #expect(shown.count == 2)
        for line in shown { #expect(lines.contains(line), "\(line)") }
    }

    @Test("attributes of log records are those of spans, or begin with sockeye")
    func records() async throws {
        let records = try await Collector.decodedLines().filter { $0.contains(" record ") }
        #expect(records.count > 5)
        let known = Set(try Collector.tableOfConventions().map(\.name))
        for record in records {
            // The name of a record has spaces and no equals sign.
            let names = record.split(separator: " ").filter { $0.contains("=") }
                .map { String($0.split(separator: "=")[0]) }
            #expect(names.contains("http.request.method"))
            for name in names where name.contains(".") && !name.hasPrefix("sockeye.") {
                #expect(known.contains(name), "\(name)")
            }
        }
    }
}

/// Makes calls, sends their telemetry to the decoder, and reads the article.
private enum Collector {
    /// The Python interpreter with opentelemetry-proto; nil if that is not installed.
    static let python: String? = {
        let servers = ProcessInfo.processInfo.environment["SOCKEYE_TEST_SERVERS"] ?? ".build/test-servers"
        let python = URL(filePath: servers, relativeTo: root).appending(path: "httpbin/bin/python3").path
        let check = try? ShellCommand("'\(python)' -c 'import opentelemetry.proto.trace.v1.trace_pb2'")
        return check?.status == 0 ? python : nil
    }()

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.appending(path: "../../../", directoryHint: .isDirectory).standardized

    /// Makes a redirected and retried call, a call that is answered with 404, and a call that fails. Returns the lines
    /// of the decoder.
    static func decodedLines() async throws -> [String] {
        let (tracer, metrics, handler) = (InMemoryTracer(), TestMetrics(), InMemoryLogHandler())
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .trace
        let closed = try ClosedPort()
        try await Scenario.run { server, _ in
            let client = HTTPClient()
                .adding(
                    .logging(to: logger), .metrics(to: metrics), Scenario.retrying,
                    .tracing(with: tracer, capturing: .init(request: ["X-Own"], response: ["Content-Length"])))
            let gauges = ConnectionGauges(of: client.pool, durations: true, to: metrics)
            _ = try await client.get(
                server.url("/start"), headers: ["X-Own": "a", "x-own": "b"], options: .urlTemplate("/start")
            ).text()
            _ = try await client.request(try #require(HTTPRequest.Method("PURGE")), server.url("/gone")).text()
            _ = try? await client.removing(.retries).get("http://127.0.0.1:\(closed.port)/")
            gauges.sample()
            await client.pool?.closeIdle()
        }
        let requests = try TemporaryFolder()
        for (name, bytes) in [
            ("traces", OTLPRequest.traces(tracer.finishedSpans)), ("metrics", OTLPRequest.metrics(metrics)),
            ("logs", OTLPRequest.logs(handler.entries)),
        ] {
            try Data(bytes).write(to: URL(filePath: requests(name)))
        }
        let files = ["traces", "metrics", "logs"].map { "'\(requests($0))'" }.joined(separator: " ")
        let decoder = folder.appending(path: "decode.py").path
        let result = try ShellCommand("'\(python ?? "python3")' '\(decoder)' \(files)")
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").map(String.init)
    }

    /// Returns a decoded line with `*` in place of each port, which differs in each run.
    static func withoutPorts(_ line: String) -> String {
        line.replacing(/(port=|127\.0\.0\.1:)[0-9]+/) { "\($0.output.1)*" }
    }

    /// Returns the decoded lines that the article shows, without line breaks in them and without ports.
    static func decodedLinesOfArticle() throws -> [String] {
        let block = try conventions().split(separator: "```text\n")[1].split(separator: "\n```")[0]
        return block.replacing("\n    ", with: " ").split(separator: "\n").map { withoutPorts(String($0)) }
    }

    /// Returns the rows of the article's tables about the conventions: the name of an attribute or instrument, and the
    /// text that tells if the client sends it.
    static func tableOfConventions() throws -> [(name: String, done: String)] {
        try conventions().split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0].trimmingCharacters(in: ["`"]), cells[2])
        }
    }

    /// Returns the article's section on the conventions.
    private static func conventions() throws -> Substring {
        let article = root.appending(path: "Sources/Sockeye/Documentation.docc/Observability.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        return try #require(text.split(separator: "## The conventions, point by point\n").last)
            .split(separator: "\n## ")[0]
    }
}
#endif
