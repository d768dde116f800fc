#if Observability || Service
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Sockeye
import SockeyeObservability
import SockeyeTesting
import Testing
import Tracing

@Suite("URL templates in telemetry", .timeLimit(.minutes(1))) struct URLTemplateTests {
    @Test("a URL template of a call or a scope appears in span names, attributes, dimensions and log lines")
    func everywhere() async throws {
        let (tracer, metrics, handler) = (InMemoryTracer(), TestMetrics(), InMemoryLogHandler())
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .debug
        let client = HTTPClient(transport: MockTransport { _ in .ok() })
            .adding(.tracing(with: tracer), .metrics(to: metrics), .logging(to: logger))
        _ = try await client.get("http://h.example/users/7", options: .urlTemplate("/users/{id}"))
        let users = client.urlTemplate("/users/{id}")
        _ = try await users.get("http://h.example/users/8?page=2")
        _ = try await users.request(try #require(HTTPRequest.Method("PURGE")), "http://h.example/users/8")
        #expect(
            tracer.finishedSpans.filter { $0.kind == .client }.map(\.operationName) == [
                "GET /users/{id}", "GET /users/{id}", "HTTP /users/{id}",
            ])
        for span in tracer.finishedSpans { #expect(span.attributes.get("url.template") == .string("/users/{id}")) }
        for entry in handler.entries { #expect(entry.metadata["url.template"] == "/users/{id}") }
        #expect(handler.entries.count == 3)
        let place = [("server.address", "h.example"), ("server.port", "80"), ("url.template", "/users/{id}")]
        let active = try metrics.expectMeter(
            "http.client.active_requests", [("http.request.method", "GET")] + place)
        #expect(active.values.count == 4)
        let durations = metrics.timers(label: "http.client.request.duration")
        #expect(durations.allSatisfy { $0.dimensions.contains { $0 == ("url.template", "/users/{id}") } })
    }

    @Test("a call's template replaces that of its scope")
    func precedence() async throws {
        let tracer = InMemoryTracer()
        let client = HTTPClient(transport: MockTransport { _ in .ok() }).adding(.tracing(with: tracer))
            .urlTemplate("/{any}")
        _ = try await client.get("http://h.example/users/7", options: .urlTemplate("/users/{id}"))
        _ = try await client.urlTemplate("/inner").get("http://h.example/users/7")
        #expect(
            tracer.finishedSpans.filter { $0.kind == .client }.map(\.operationName) == [
                "GET /users/{id}", "GET /inner",
            ]
        )
    }

    @Test("a retry keeps the template, and a request after a redirect to another path has none")
    func redirects() async throws {
        try await Scenario.run { server, _ in
            let (tracer, metrics) = (InMemoryTracer(), TestMetrics())
            let client = HTTPClient().adding(.tracing(with: tracer, detail: .attempts), .metrics(to: metrics))
                .adding(Scenario.retrying)
            _ = try await client.get(server.url("/flaky"), options: .urlTemplate("/{kind}")).text()
            _ = try await client.get(server.url("/start"), options: .urlTemplate("/{kind}")).text()
            #expect(tracer.finishedSpans.map(\.operationName) == ["GET /{kind}", "GET /{kind}", "GET /{kind}", "GET"])
            let templates = metrics.timers(label: "http.client.request.duration").map { timer in
                timer.dimensions.contains { $0.0 == "url.template" }
            }
            #expect(templates.count { $0 } == 3)
            #expect(templates.count == 4)
        }
    }
}
#endif
