#if Observability || Service
import HTTPTypes
import InMemoryTracing
import Sockeye
import SockeyeHTTP
import SockeyeTesting
import Testing
import Tracing

@testable import SockeyeObservability

@Suite("Spans", .timeLimit(.minutes(1))) struct TracingTests {
    private func text(_ span: FinishedInMemorySpan, _ name: String) -> String? {
        switch span.attributes.get(name) {
        case .string(let text): text
        case .int64(let number): String(number)
        case .int32(let number): String(number)
        default: nil
        }
    }

    @Test("a captured field shows neither a secret value nor a secret query item of a URL in it")
    func capturedSecrets() async throws {
        let mock = MockTransport { _ in
            .ok("", headers: ["Set-Cookie": "s=secret", "Location": "/next?token=secret&page=2", "Age": "7"])
        }
        let tracer = InMemoryTracer()
        let names: [Headers.Name] = ["Authorization", "X-Vault-Token", "X-Own"]
        let captured = TracingInterceptor.CapturedFields(request: names, response: ["set-cookie", "Location", "Age"])
        _ = try await HTTPClient(transport: mock).adding(
            .tracing(with: tracer, detail: .attempts, capturing: captured)
        ).get("http://a.test/", headers: ["Authorization": "Bearer secret", "X-Vault-Token": "secret", "X-Own": "own"])
        let attributes = try #require(tracer.finishedSpans.first).attributes
        let expected: [(name: String, value: String)] = [
            ("request.header.authorization", "REDACTED"), ("request.header.x-vault-token", "REDACTED"),
            ("request.header.x-own", "own"), ("response.header.set-cookie", "REDACTED"),
            ("response.header.location", "/next?token=REDACTED&page=2"), ("response.header.age", "7"),
        ]
        for (name, value) in expected {
            guard case .stringArray([value])? = attributes.get("http." + name) else {
                Issue.record("\(name): \(String(describing: attributes.get("http." + name)))")
                continue
            }
        }
    }

    /// The attributes of a span are derived from those of the previous span.
    @Test("a span has the attributes of its own call, regardless of the previous span")
    func alternating() async throws {
        try await Scenario.run { first, _ in
            try await Scenario.run { second, _ in
                let tracer = InMemoryTracer()
                let client = HTTPClient().adding(.tracing(with: tracer, detail: .attempts))
                let calls: [(HTTPRequest.Method, TestServer, String, String)] = [
                    (.get, first, "/a", "200"), (.get, first, "/a", "200"), (.get, first, "/b?c=d", "200"),
                    (.get, first, "/gone", "404"), (.get, first, "/a", "200"), (.post, first, "/a", "200"),
                    (.get, second, "/a", "200"), (.get, first, "/a", "200"),
                ]
                for (method, server, path, _) in calls {
                    _ = try await client.request(method, server.url(path)).bytes()
                }
                let spans = tracer.finishedSpans
                #expect(spans.map { text($0, "http.request.method") } == calls.map { $0.0.rawValue })
                #expect(spans.map { text($0, "url.full") } == calls.map { $0.1.url($0.2) })
                #expect(spans.map { text($0, "server.port") } == calls.map { "\($0.1.port)" })
                #expect(spans.map { text($0, "network.peer.port") } == calls.map { "\($0.1.port)" })
                #expect(spans.map { text($0, "http.response.status_code") } == calls.map { $0.3 })
                #expect(spans.map { text($0, "error.type") } == calls.map { $0.3 == "404" ? "404" : nil })
            }
        }
    }

    @Test("a call has one span around it and one for each attempt, with the attributes of the conventions")
    func attempts() async throws {
        try await Scenario.run { server, _ in
            let tracer = InMemoryTracer()
            let client = HTTPClient().adding(.tracing(with: tracer)).adding(Scenario.retrying)
            _ = try await client.get(server.url("/start")).text()
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["GET", "GET", "GET", "HTTPClient.send"])
            #expect(tracer.activeSpans.isEmpty)
            let call = try #require(spans.last)
            #expect(call.kind == .internal)
            #expect(spans.dropLast().allSatisfy { $0.kind == .client && $0.parentSpanID == call.spanID })
            #expect(spans.map { text($0, "http.response.status_code") } == ["302", "503", "200", "200"])
            #expect(spans.map { text($0, "http.request.resend_count") } == [nil, "1", "2", "2"])
            #expect(spans.map { text($0, "error.type") } == [nil, "503", nil, nil])
            #expect(spans.map { $0.status?.code } == [nil, .error, nil, nil])
            #expect(text(spans[0], "url.full") == server.url("/start"))
            #expect(text(spans[1], "url.full") == server.url("/flaky?sig=REDACTED&page=2"))
            #expect(text(spans[1], "server.address") == "127.0.0.1")
            #expect(text(spans[1], "server.port") == "\(server.port)")
            #expect(text(spans[1], "network.peer.address") == "127.0.0.1")
            #expect(text(spans[1], "network.peer.port") == "\(server.port)")
            #expect(text(spans[1], "network.protocol.version") == "1.1")
            for (span, next) in zip(spans, spans.dropFirst().dropLast()) {
                #expect(span.endInstant.nanosecondsSinceEpoch <= next.startInstant.nanosecondsSinceEpoch)
            }
        }
    }

    @Test("each attempt propagates the context of its own span, and no other context")
    func propagation() async throws {
        try await Scenario.run(noting: Headers.Name(InMemoryTracer.spanIDKey)) { server, notes in
            let tracer = InMemoryTracer()
            let client = HTTPClient().adding(.tracing(with: tracer)).adding(Scenario.retrying)
            // The caller sets the field, like a gateway that copies the fields of a request that it received.
            _ = try await client.get(server.url("/start"), headers: [Headers.Name(InMemoryTracer.spanIDKey): "stale"])
                .text()
            #expect(notes.values == tracer.finishedSpans.dropLast().map(\.spanID))
        }
    }

    @Test("spans belong to the caller's trace, through the tracer of the caller's task")
    func parent() async throws {
        try await Scenario.run(noting: Headers.Name(InMemoryTracer.traceIDKey)) { server, notes in
            let tracer = InMemoryTracer()
            let client = HTTPClient().adding(.tracing(detail: .attempts))
            try await withTracer(tracer) {
                try await withSpan("handler") { _ in _ = try await client.get(server.url()).text() }
            }
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["GET", "handler"])
            #expect(spans[0].parentSpanID == spans[1].spanID)
            #expect(notes.values == [spans[1].traceID])
        }
    }

    @Test("if propagates is false, spans are made but the server gets no context")
    func foreign() async throws {
        try await Scenario.run(noting: Headers.Name(InMemoryTracer.spanIDKey)) { server, notes in
            let tracer = InMemoryTracer()
            let client = HTTPClient().adding(.tracing(with: tracer))
            _ = try await client.adding(.tracing(with: tracer, propagates: false)).get(server.url()).text()
            #expect(notes.values == [nil])
            #expect(tracer.finishedSpans.count == 2)
        }
    }

    @Test("spans of phases show the time that an attempt spent in each phase")
    func phases() async throws {
        let authority = try TestCertificateAuthority()
        try await withTestServer(tls: TestTLS(authority)) { _ in
            .ok("secure")
        } run: { server in
            let tracer = InMemoryTracer()
            var configuration = ClientConfiguration()
            configuration.tls.roots = authority.roots
            let client = HTTPClient(configuration: configuration).adding(.tracing(with: tracer, detail: .phases))
            _ = try await client.get(server.url(host: "localhost")).text()
            let spans = tracer.popFinishedSpans()
            let attempt = try #require(spans.first { $0.kind == .client })
            let phases = spans.filter { $0.parentSpanID == attempt.spanID }
            #expect(
                phases.map(\.operationName) == [
                    "pool wait", "DNS lookup", "connect", "TLS handshake", "send", "wait", "receive",
                ])
            for (phase, next) in zip(phases, phases.dropFirst()) {
                #expect(phase.startInstant.nanosecondsSinceEpoch <= phase.endInstant.nanosecondsSinceEpoch)
                #expect(phase.endInstant.nanosecondsSinceEpoch <= next.startInstant.nanosecondsSinceEpoch)
            }
            _ = try await client.get(server.url(host: "localhost")).text()
            #expect(
                Set(tracer.finishedSpans.map(\.operationName))
                    == ["pool wait", "send", "wait", "receive", "GET", "HTTPClient.send"])
        }
    }

    @Test("the span of a failure has the error's code, and no secret")
    func failures() async throws {
        let closed = try ClosedPort()
        let tracer = InMemoryTracer()
        let client = HTTPClient().adding(.tracing(with: tracer, detail: .phases))
        let url = "http://me:t0psecret@127.0.0.1:\(closed.port)/?token=t0psecret#t0psecret"
        _ = try? await client.get(url)
        let plain = "http://127.0.0.1:\(closed.port)/?token=t0psecret#t0psecret"
        _ = try? await client.get(plain)
        let spans = tracer.finishedSpans
        #expect(tracer.activeSpans.isEmpty)
        let failed = try #require(spans.last { $0.kind == .client })
        #expect(text(failed, "error.type") == "connectFailed")
        #expect(failed.status?.code == .error)
        #expect(spans.contains { $0.operationName == "connect" && $0.status?.code == .error })
        for span in spans { #expect(!"\(span.attributes) \(String(describing: span.status))".contains("t0psecret")) }
    }

    @Test("each call has one span if the server closes every connection after one request")
    func replay() async throws {
        try await withTestServer(options: TestServerOptions(requestsPerConnection: 1)) { _ in
            .ok("once")
        } run: { server in
            let tracer = InMemoryTracer()
            let client = HTTPClient().adding(.tracing(with: tracer, detail: .attempts))
            for _ in 0..<3 { _ = try await client.get(server.url()).text() }
            #expect(tracer.finishedSpans.count == 3)
            #expect(tracer.activeSpans.isEmpty)
        }
    }

    @Test("the span of an unknown method is named HTTP")
    func methods() async throws {
        let tracer = InMemoryTracer()
        let client = HTTPClient(
            transport: MockTransport { _ in .ok() }, interceptors: [.tracing(with: tracer, detail: .attempts)])
        _ = try await client.request(try #require(HTTPRequest.Method("PURGE")), "http://h.example/").text()
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.operationName == "HTTP")
        #expect(text(span, "http.request.method") == "_OTHER")
        #expect(text(span, "http.request.method_original") == "PURGE")
    }

    @Test(
        "a propagator injects only valid fields",
        arguments: [
            ("baggage", "a=1\r\nX-Evil: 1", 0), ("bad name", "x", 0), ("", "x", 0), ("baggage", "", 0),
            ("baggage", "key=\u{e9}", 0), ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", 1),
        ])
    func injection(name: String, value: String, count: Int) {
        var fields = InjectedFields()
        FieldInjector().inject(value, forKey: name, into: &fields)
        #expect(fields.count == count)
    }
}
#endif
