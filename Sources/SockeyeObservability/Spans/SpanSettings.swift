#if Observability || Service
import Sockeye
import SockeyeEngine
import Tracing

/// The settings of the spans of a client or of a scoped client. A class, so that its tracer is used without a copy.
final class SpanSettings: Sendable {
    /// True if the caller gave a tracer. If false, each call uses the tracer that InstrumentationSystem has for the
    /// task of that call.
    private let hasTracer: Bool
    private let tracer: any Tracer
    let detail: TracingInterceptor.Detail
    let captured: TracingInterceptor.CapturedFields
    let templates: SpanTemplates

    init(
        _ tracer: (any Tracer)?, _ detail: TracingInterceptor.Detail, _ captured: TracingInterceptor.CapturedFields,
        _ urls: URLRedaction
    ) {
        hasTracer = tracer != nil
        self.tracer = tracer ?? NoOpTracer()
        self.detail = detail
        self.captured = captured
        templates = SpanTemplates(urls)
    }

    /// Starts the trace of a call. Returns the call's spans, or only a context if the tracer does not record the call.
    func trace(of call: ObservedCall) -> any CallTrace {
        let parent = InstrumentationContext.current ?? .topLevel
        // The clock is read only if the tracer or the spans of the attempts use the time.
        lazy var epoch = DefaultTracerClock.now
        guard detail != .attempts else {
            return CallSpans(call, currentTracer, self, around: nil, in: parent, since: epoch)
        }
        let (name, kind) = ("HTTPClient.send", SpanKind.internal)
        let span: any Span =
            hasTracer
            ? tracer.startSpan(name, context: parent, ofKind: kind, at: epoch)
            : InstrumentationSystem.tracer.startSpan(name, context: parent, ofKind: kind, at: epoch)
        guard span.isRecording else {
            // The end time equals the start time, because nothing reads the times of a span that is not recorded.
            span.end(at: epoch)
            return UnrecordedTrace(span.context)
        }
        return CallSpans(call, currentTracer, self, around: span, in: span.context, since: epoch)
    }

    private var currentTracer: any Tracer { hasTracer ? tracer : InstrumentationSystem.tracer }

    /// Returns the fields that the caller's tracer injects. If the caller gave no tracer, all instruments of
    /// InstrumentationSystem inject fields.
    func fields(of context: InstrumentationContext) -> InjectedFields {
        var fields = InjectedFields()
        if hasTracer {
            tracer.inject(context, into: &fields, using: FieldInjector())
        } else {
            InstrumentationSystem.instrument.inject(context, into: &fields, using: FieldInjector())
        }
        return fields
    }
}

/// The trace of a call that the tracer does not record: only a context to propagate.
///
/// The attempts of such a call get no spans: the parent of these spans would be the call's span, which no backend
/// receives.
final class UnrecordedTrace: CallTrace {
    let kinds: ClientEvent.Kinds = []
    let context: InstrumentationContext

    init(_ context: InstrumentationContext) { self.context = context }

    func handle(_ event: ClientEvent) {}
}
#endif
