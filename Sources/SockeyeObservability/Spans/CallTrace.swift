#if Observability || Service
import Sockeye
import SockeyeEngine
import Synchronization
import Tracing

/// The trace of one call: its spans, or only a context to propagate if the tracer does not record the call.
///
/// A call that is not recorded receives no events, and its attempts have no spans: a sampler decides for a whole trace,
/// and such spans would have a parent that no backend receives.
final class CallTrace: EventMonitor {
    let kinds: ClientEvent.Kinds
    /// The spans; nil for a call that is not recorded.
    private let spans: CallSpans?
    private let context: InstrumentationContext

    /// Starts the trace of a call.
    init(_ call: ObservedCall, _ tracer: any Tracer, _ settings: SpanSettings) {
        let context = InstrumentationContext.current ?? .topLevel
        let epoch = DefaultTracerClock.now
        guard settings.detail != .attempts else {
            self.context = context
            spans = CallSpans(call, tracer, settings, around: nil, in: context, since: epoch)
            kinds = CallSpans.kinds(settings.detail)
            return
        }
        let span = tracer.startSpan("HTTPClient.send", context: context, ofKind: .internal, at: epoch)
        self.context = span.context
        guard span.isRecording else {
            // The times of a span that is not recorded do not matter.
            span.end(at: epoch)
            (spans, kinds) = (nil, [])
            return
        }
        spans = CallSpans(call, tracer, settings, around: span, in: span.context, since: epoch)
        kinds = CallSpans.kinds(settings.detail)
    }

    /// Starts the span of an attempt, if the call is recorded.
    ///
    /// - Returns: The context to be sent to the server.
    func attemptBegins(_ request: OutgoingRequest, in observer: CallObserver) -> InstrumentationContext {
        spans?.attemptBegins(request, sentBefore: observer.exchange, at: observer.now) ?? context
    }

    func handle(_ event: ClientEvent) { spans?.handle(event) }
}

/// The settings of the spans of a client or a scope.
final class SpanSettings: Sendable {
    let detail: TracingInterceptor.Detail
    let captured: TracingInterceptor.CapturedFields
    let templates: SpanTemplates

    init(
        _ detail: TracingInterceptor.Detail, _ captured: TracingInterceptor.CapturedFields, _ urls: URLRedaction
    ) {
        self.detail = detail
        self.captured = captured
        templates = SpanTemplates(urls)
    }
}
#endif
