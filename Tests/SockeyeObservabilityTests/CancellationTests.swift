#if Observability || Service
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Sockeye
@testable import SockeyeCache
import SockeyeObservability
import SockeyeTestSupport
import SockeyeTesting
import Testing
import Tracing

@Suite("The spans, metrics and log lines of a cancelled call", .timeLimit(.minutes(1))) struct CancellationTests {
    /// Makes a call and cancels it while the server withholds its response, or the rest of the content.
    private func cancel(_ client: HTTPClient, withHead: Bool = false) async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        try await withTestServer { request, responder in
            if withHead {
                try await responder.sendHead()
                try await responder.write("half")
            }
            arrival.yield()
            try await Task.sleep(for: .seconds(3600))
        } run: { server in
            let url = server.url()
            let response = withHead ? try await client.get(url) : nil
            let call = Task {
                if let response { return try await response.text() }
                return try await client.get(url).text()
            }
            for await _ in arrivals { break }
            call.cancel()
            await #expect(throws: SockeyeError.self) { try await call.value }
        }
    }

    @Test("a cancelled call has spans with an unset status and without an error type")
    func spans() async throws {
        let tracer = InMemoryTracer()
        try await cancel(HTTPClient().adding(.tracing(with: tracer, detail: .phases)))
        #expect(tracer.activeSpans.isEmpty)
        #expect(tracer.finishedSpans.contains { $0.kind == .client })
        #expect(tracer.finishedSpans.contains { $0.operationName == "wait" })
        for span in tracer.finishedSpans {
            #expect(span.status == nil, "\(span.operationName)")
            #expect(span.attributes.get("error.type") == nil, "\(span.operationName)")
        }
    }

    @Test("all spans of a cancelled call end, even if another caller still waits for its request")
    func sharedRequest() async throws {
        let (arrived, left) = (TestSignal(), TestSignal())
        let stored = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nCache-Control: max-age=0\r\nETag: \"1\"\r\n\r\na"
        // Confirms another version, so the whole content is requested over a new connection.
        let confirmation = "HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\nConnection: close\r\n\r\n"
        let server = try await RawServer.start(scripts: [
            [.readRequest, .send(stored), .readRequest, .fire(arrived), .waitUntil(left), .send(confirmation), .close],
            [.readRequest, .close],
        ])
        let (tracer, policy) = (InMemoryTracer(), CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20)))
        let (client, url) = (HTTPClient().adding(.cache(policy)).adding(.tracing(with: tracer)), server.url())
        _ = try await client.get(url).text()
        let first = Task { try await client.get(url).text() }
        try await arrived.wait(timeout: .seconds(20))
        let second = Task { try await client.get(url).text() }
        await eventually("two callers") { policy.callersInFlight == 2 }
        first.cancel()
        #expect(await #expect(throws: SockeyeError.self) { try await first.value }?.code == .cancelled)
        left.fire()
        await #expect(throws: SockeyeError.self) { try await second.value }
        #expect(server.connectionCount == 2 && tracer.activeSpans.isEmpty)
        await server.stop()
    }

    @Test("a cancelled call is no failure in metrics, and its duration has no error type")
    func metrics() async throws {
        let metrics = TestMetrics()
        try await cancel(HTTPClient().adding(.metrics(to: metrics)))
        #expect(metrics.counterTotal(label: "sockeye.client.failures") == 0)
        let timer = try #require(metrics.timers(label: "http.client.request.duration").first)
        // Without a response there is neither a status nor a version of the protocol.
        #expect(timer.dimensions.map(\.0) == ["http.request.method", "server.address", "server.port"])
        #expect(metrics.meters(label: "http.client.active_requests").allSatisfy { $0.lastValue == 0 })
    }

    @Test("a cancelled call has a line at level debug without an error type", arguments: [false, true])
    func logs(withHead: Bool) async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .debug
        try await cancel(HTTPClient().adding(.logging(to: logger)), withHead: withHead)
        let line = try #require(handler.entries.last)
        #expect(line.level == .debug)
        #expect("\(line.message)" == (withHead ? "HTTP response cancelled" : "HTTP call cancelled"))
        #expect(line.metadata["error.type"] == nil)
        #expect(line.metadata["sockeye.error.message"] != nil)
    }
}
#endif
