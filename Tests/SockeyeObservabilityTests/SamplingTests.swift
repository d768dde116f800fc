#if Observability || Service
import HTTPTypes
import Sockeye
import SockeyeObservability
import SockeyeTesting
import Synchronization
import Testing
import Tracing

@Suite("A tracer that records nothing", .timeLimit(.minutes(1))) struct SamplingTests {
    @Test(
        "a call that is not recorded has spans without attributes, and its context is propagated",
        arguments: [
            (TracingInterceptor.Detail.calls, ["HTTPClient.send"]), (.phases, ["HTTPClient.send"]),
            (.attempts, ["GET"]),
        ])
    func unrecorded(detail: TracingInterceptor.Detail, names: [String]) async throws {
        try await Scenario.run { server, notes in
            let tracer = UnrecordedTracer()
            let client = HTTPClient().adding(.tracing(with: tracer, detail: detail))
            _ = try await client.get(server.url()).text()
            #expect(tracer.log.names == names)
            #expect(tracer.log.endedCount == names.count)
            #expect(tracer.log.changeCount == 0)
            #expect(notes.values == [UnrecordedTracer.traceparent])
        }
    }

    @Test("a propagated field replaces the one that the caller has set")
    func replacement() async throws {
        try await Scenario.run { server, notes in
            let client = HTTPClient().adding(.tracing(with: UnrecordedTracer()))
            _ = try await client.get(server.url(), headers: ["Traceparent": "stale"]).text()
            #expect(notes.values == [UnrecordedTracer.traceparent])
        }
    }

    @Test("fields of Trace Context and Baggage are sent together")
    func severalFields() async throws {
        try await withTestServer { request in
            .ok("\(request["traceparent"] ?? "") \(request["tracestate"] ?? "") \(request["baggage"] ?? "")")
        } run: { server in
            let extra = ["tracestate": "a=1", "baggage": String(repeating: "key=value,", count: 40) + "last=1"]
            let client = HTTPClient().adding(.tracing(with: UnrecordedTracer(further: extra)))
            let text = try await client.get(server.url()).text()
            #expect(text == "\(UnrecordedTracer.traceparent) a=1 \(extra["baggage"] ?? "")")
            try server.checkForFailures()
        }
    }
}

/// A tracer whose sampler drops every trace.
private struct UnrecordedTracer: Tracer {
    static let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"

    final class Log: Sendable {
        private let state = Mutex<(names: [String], ended: Int, changes: Int)>(([], 0, 0))

        var names: [String] { state.withLock(\.names) }
        var endedCount: Int { state.withLock(\.ended) }
        var changeCount: Int { state.withLock(\.changes) }

        func started(_ name: String) { state.withLock { $0.names.append(name) } }
        func ended() { state.withLock { $0.ended += 1 } }
        func changed() { state.withLock { $0.changes += 1 } }
    }

    let log = Log()
    var further: [String: String] = [:]

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> UnrecordedSpan {
        log.started(operationName)
        return UnrecordedSpan(context: context(), log: log)
    }

    func forceFlush() {}

    func inject<Carrier, Inject>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Carrier == Inject.Carrier {
        injector.inject(Self.traceparent, forKey: "traceparent", into: &carrier)
        for (name, value) in further { injector.inject(value, forKey: name, into: &carrier) }
    }

    func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract: Extractor, Carrier == Extract.Carrier {}
}

private struct UnrecordedSpan: Span {
    let context: InstrumentationContext
    let log: UnrecordedTracer.Log

    var isRecording: Bool { false }
    var operationName: String {
        get { "" }
        nonmutating set { log.changed() }
    }
    var attributes: SpanAttributes {
        get { [:] }
        nonmutating set { log.changed() }
    }

    func setStatus(_ status: SpanStatus) { log.changed() }
    func addEvent(_ event: SpanEvent) { log.changed() }
    func addLink(_ link: SpanLink) { log.changed() }
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) { log.changed() }
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) { log.ended() }
}
#endif
