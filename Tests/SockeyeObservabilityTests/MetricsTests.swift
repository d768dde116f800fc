#if Observability || Service
import CoreMetrics
import HTTPTypes
import MetricsTestKit
import Sockeye
@testable import SockeyeCache
import SockeyeObservability
import SockeyeTesting
import Testing

@Suite("Metrics", .timeLimit(.minutes(1))) struct MetricsTests {
    private func dimensions(_ server: TestServer, _ status: Int, error: String? = nil) -> [(String, String)] {
        [
            ("http.request.method", "GET"), ("server.address", "127.0.0.1"), ("server.port", "\(server.port)"),
            ("network.protocol.version", "1.1"), ("http.response.status_code", "\(status)"),
        ] + (error.map { [("error.type", $0)] } ?? [])
    }

    @Test("each exchange is recorded with the dimensions of OpenTelemetry's conventions")
    func exchanges() async throws {
        try await Scenario.run { server, _ in
            let metrics = TestMetrics()
            let client = HTTPClient().adding(.metrics(to: metrics)).adding(Scenario.retrying)
            _ = try await client.get(server.url("/start")).text()
            for (status, error) in [(302, nil), (503, "503"), (200, nil)] {
                let timer = try metrics.expectTimer(
                    "http.client.request.duration", dimensions(server, status, error: error))
                #expect(timer.values.count == 1)
                #expect(timer.values.allSatisfy { $0 > 0 })
                #expect(timer.displayUnit == .seconds)
            }
            let size = try metrics.expectRecorder("http.client.response.body.size", dimensions(server, 200))
            #expect(size.values == [4])
            let active = try metrics.expectMeter(
                "http.client.active_requests", Array(dimensions(server, 200).prefix(3)))
            #expect(active.lastValue == 0)
            #expect(active.values.max() == 1)
            for reason in ["redirected", "retried"] {
                #expect(
                    metrics.counterTotal(
                        label: "sockeye.client.resends", dimensions: [("sockeye.resend.reason", reason)]) == 1)
            }
        }
    }

    @Test("each request records its wait for the pool, and each dial its durations of DNS, connect and TLS")
    func connections() async throws {
        let authority = try TestCertificateAuthority()
        try await withTestServer(tls: TestTLS(authority)) { _ in
            .ok("secure")
        } run: { server in
            let metrics = TestMetrics()
            var configuration = ClientConfiguration()
            configuration.tls.roots = authority.roots
            let client = HTTPClient(configuration: configuration).adding(.metrics(to: metrics))
            for _ in 0..<3 { _ = try await client.get(server.url(host: "localhost")).text() }
            let place = [("server.address", "localhost"), ("server.port", "\(server.port)")]
            #expect(try metrics.expectTimer("sockeye.client.pool.wait.duration", place).values.count == 3)
            for name in ["dns", "connect", "tls"] {
                #expect(try metrics.expectTimer("sockeye.client.\(name).duration", place).values.count == 1, "\(name)")
            }
        }
    }

    @Test("failed calls are counted, even those without an exchange")
    func failures() async throws {
        let metrics = TestMetrics()
        let closed = try ClosedPort()
        let breaker = RetryPolicy.CircuitBreaker(failures: 1)
        let client = HTTPClient().adding(.metrics(to: metrics)).adding(.retry(max: 0, breaker: breaker))
        for _ in 0..<2 { _ = try? await client.get("http://127.0.0.1:\(closed.port)/") }
        for code in ["connectFailed", "circuitOpen"] {
            #expect(
                metrics.counterTotal(label: "sockeye.client.failures", dimensions: [("error.type", code)]) == 1,
                "\(code)")
        }
        #expect(metrics.timers(label: "http.client.request.duration").count == 1)

        let gauges = ConnectionGauges(of: client.pool, breakers: [breaker], to: metrics)
        gauges.sample()
        let place = [("server.address", "127.0.0.1"), ("server.port", "\(closed.port)")]
        #expect(try metrics.expectMeter("sockeye.client.circuit.open", place).lastValue == 1)
    }

    @Test("the cache's outcomes are counted")
    func cache() async throws {
        let metrics = TestMetrics()
        try await withTestServer { _ in
            .ok("kept", headers: ["Cache-Control": "max-age=60"])
        } run: { server in
            let client = HTTPClient().adding(.metrics(to: metrics)).adding(
                .cache(CachePolicy.MemoryStore(limit: 1 << 20)))
            for _ in 0..<3 { _ = try await client.get(server.url()).text() }
        }
        func count(_ outcome: String) -> Int64 {
            metrics.counterTotal(
                label: "sockeye.client.cache.responses", dimensions: [("sockeye.cache.outcome", outcome)])
        }
        #expect(count("miss") == 1)
        #expect(count("hit") == 2)
    }

    @Test("gauges show the open connections by state, and zero once those are closed")
    func gauges() async throws {
        try await Scenario.run { server, _ in
            let metrics = TestMetrics()
            let client = HTTPClient()
            let gauges = ConnectionGauges(of: client.pool, to: metrics)
            _ = try await client.get(server.url()).text()
            gauges.sample()
            let place = [("server.address", "127.0.0.1"), ("server.port", "\(server.port)")]
            let idle = try metrics.expectMeter(
                "http.client.open_connections", [("http.connection.state", "idle")] + place)
            #expect(idle.lastValue == 1)
            await client.pool?.closeIdle()
            gauges.sample()
            #expect(idle.lastValue == 0)
        }
    }

    @Test("a connection's duration is recorded when it closes if durations is true", arguments: [false, true])
    func durations(isAsked: Bool) async throws {
        try await Scenario.run { server, _ in
            let metrics = TestMetrics()
            let client = HTTPClient()
            let gauges = ConnectionGauges(of: client.pool, durations: isAsked, to: metrics)
            _ = try await client.get(server.url()).text()
            #expect(metrics.timers.isEmpty)
            await client.pool?.closeIdle()
            let timers = metrics.timers(label: "http.client.connection.duration")
            #expect(timers.map(\.values.count) == (isAsked ? [1] : []))
            for timer in timers {
                #expect(timer.dimensions.map(\.0) == ["server.address", "server.port"])
                #expect(timer.displayUnit == .seconds)
            }
            withExtendedLifetime(gauges) {}
        }
    }

    @Test("gauges are zero when their sampling has ended")
    func endOfGauges() async throws {
        try await Scenario.run { server, _ in
            let metrics = TestMetrics()
            let client = HTTPClient()
            _ = try await client.get(server.url()).text()
            let gauges = ConnectionGauges(of: client.pool, every: .seconds(3600), to: metrics)
            let run = Task { try await gauges.run() }
            while metrics.meters.isEmpty { await Task.yield() }
            run.cancel()
            try await run.value
            #expect(metrics.meters.allSatisfy { $0.lastValue == 0 })
        }
    }

    @Test("the number of series is bounded, however many hosts are called")
    func cardinality() async throws {
        let metrics = TestMetrics()
        let transport = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: transport, interceptors: [.metrics(to: metrics, seriesLimit: 3)])
        for number in 0..<10 { _ = try await client.get("http://host-\(number).example/").text() }
        let timers = metrics.timers(label: "http.client.request.duration")
        #expect(timers.count == 4)
        let overflow = try metrics.expectTimer("http.client.request.duration", [("otel.metric.overflow", "true")])
        #expect(overflow.values.count == 7)
        #expect(metrics.meters(label: "http.client.active_requests").allSatisfy { $0.lastValue == 0 })
    }

    @Test("each counter has its own limit of series")
    func counterCardinality() async throws {
        let metrics = TestMetrics()
        let mock = MockTransport()
        mock.enqueue(.failure(.refused), .failure(.tls), .ok("a", headers: ["Cache-Control": "max-age=60"]))
        let policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
        let client = HTTPClient(
            transport: mock, interceptors: [.metrics(to: metrics, seriesLimit: 1), .cache(policy)])
        for _ in 0..<4 { _ = try? await client.get("http://h.example/").text() }
        let overflow = [("otel.metric.overflow", "true")]
        for (label, dimensions) in [
            ("sockeye.client.failures", [("error.type", "connectFailed")]), ("sockeye.client.failures", overflow),
            ("sockeye.client.cache.responses", [("sockeye.cache.outcome", "miss")]),
            ("sockeye.client.cache.responses", overflow),
        ] {
            #expect(metrics.counterTotal(label: label, dimensions: dimensions) == 1, "\(label) \(dimensions)")
        }
    }

    @Test("all unknown methods share one series")
    func methods() async throws {
        let metrics = TestMetrics()
        let client = HTTPClient(transport: MockTransport { _ in .ok() }, interceptors: [.metrics(to: metrics)])
        for method in ["PURGE", "BREW"] {
            _ = try await client.request(try #require(HTTPRequest.Method(method)), "http://h.example/").text()
        }
        let timers = metrics.timers(label: "http.client.request.duration")
        #expect(timers.count == 1)
        #expect(timers.first?.dimensions.contains { $0 == ("http.request.method", "_OTHER") } == true)
    }
}
#endif
