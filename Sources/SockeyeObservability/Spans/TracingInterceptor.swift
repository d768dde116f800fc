#if Observability || Service
public import Sockeye
package import SockeyeCore
public import SockeyeEngine
package import SockeyeHTTP
public import Tracing

/// An interceptor that makes spans of calls and sends the trace context to servers. Create it with `.tracing()`.
///
/// ```
/// HTTPClient.send                     internal   ────────────────────────────────────
///  ├ GET  301                         client     ────────────
///  │   ├ pool wait                    internal   ─
///  │   ├ DNS lookup, connect, TLS handshake       ──────
///  │   └ send, wait, receive                            ─────
///  └ GET  200  resend_count 1         client                 ──────────────
/// ```
///
/// Spans follow OpenTelemetry's "Semantic conventions for HTTP spans" (stable); the article Observability of the module
/// Sockeye lists every attribute. Each attempt to send a request is a span of kind `client`. A redirect, a retry, an
/// answer to a challenge and a revalidation within the call are attempts of their own. The span of an attempt is named
/// after the method, and after the template of `urlTemplate(_:)` if the call has one.
///
/// The span around the attempts is `internal`: by the conventions, either the attempts or the call may be client spans,
/// but not both. The span around the attempts can be omitted; see ``Detail``. If a reused connection turns out to be
/// closed, the request is replayed within the same attempt, and the attempt's `http.request.resend_count` includes the
/// replay.
///
/// **End.** The span of an attempt ends with the head of the response. The conventions require this of a client that
/// lets its callers leave content unread. The span around the call ends when the call returns. The span `receive` of
/// ``Detail/phases`` covers the transfer of the content, and is made when the content ends.
///
/// **Status.** The status of a span is `error` for a response status of 400 or higher and for an error; otherwise it is
/// unset. `error.type` is this response status or, for an error, the name of its
/// ``/Sockeye/SockeyeError/code-swift.property``. Cancellation is not an error.
///
/// **Sampling.** If the tracer does not record the span around a call, the attempts of the call have no spans, and the
/// context of the unrecorded span is propagated. Tracing such a call costs little more than starting this span.
///
/// **Propagation.** The tracer injects the attempt's context into the fields of the request. If no tracer was given,
/// all instruments of InstrumentationSystem inject it. Injected fields replace fields that the caller has set. A field
/// is omitted if its name is invalid, or if its value is invalid, empty or not ASCII. To send no context to a
/// third-party service, call it with a client made by `.adding(.tracing(propagates: false))`.
public struct TracingInterceptor: SynchronousInterceptor, SingleInterceptor, CallTracer {
    /// The spans that a call has.
    @nonexhaustive public enum Detail: Sendable, Hashable {
        /// One span for each attempt, as the conventions require.
        case attempts
        /// One span around the call, and one for each attempt in it.
        case calls
        /// In addition to ``calls``, spans for the phases that took place in an attempt: `pool wait`, `DNS lookup`,
        /// `connect`, `TLS handshake`, `send`, `wait` and `receive`.
        case phases
    }

    private let propagates: Bool
    private let settings: SpanSettings

    init(
        _ tracer: (any Tracer)?, _ detail: Detail, _ propagates: Bool, _ captured: CapturedFields, _ urls: URLRedaction
    ) {
        self.propagates = propagates
        settings = SpanSettings(tracer, detail, captured, urls)
    }

    /// The `attempt` stage: this interceptor runs for each request that is sent to the network.
    public var stage: Call.Stage { .attempt }

    /// Starts the span of the attempt and sends the request, with the span's context unless propagation is disabled.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .nothing }

    /// Returns the monitor that makes the spans of the call.
    public func monitor(of call: ObservedCall) -> (any EventMonitor)? { trace(of: call) }

    package func trace(of call: ObservedCall) -> any CallTrace { settings.trace(of: call) }

    /// Does nothing: the events of a call go to the monitor that ``monitor(of:)`` returns.
    public func handle(_ event: ClientEvent) {}

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation {
        let context = context(of: request, observer)
        return propagates ? settings.fields(of: context).add(to: request, or: &fields) : .ready
    }

    /// Starts the span of an attempt. Returns the context to propagate.
    private func context(of request: OutgoingRequest, _ observer: CallObserver?) -> InstrumentationContext {
        // Without an observer, the request is a cache's own (a background revalidation) and belongs to no call.
        guard let observer, let trace = observer.trace else { return InstrumentationContext.current ?? .topLevel }
        if let unrecorded = trace as? UnrecordedTrace { return unrecorded.context }
        guard let spans = trace as? CallSpans else { return InstrumentationContext.current ?? .topLevel }
        return spans.attemptBegins(request, in: observer)
    }
}

extension Interceptor where Self == TracingInterceptor {
    /// Makes spans of calls and sends the trace context to servers; see ``TracingInterceptor``. Replaces a tracing
    /// interceptor that the client already has, or inherits (see `scoped` of ``/Sockeye/HTTPClient``).
    ///
    /// ```swift
    /// let client = HTTPClient().adding(.tracing())
    /// ```
    ///
    /// - Parameters:
    ///   - tracer: The tracer that makes the spans. Default nil: each call uses the tracer that InstrumentationSystem
    ///     has for the task that makes the call.
    ///   - detail: The spans that a call has. Default ``TracingInterceptor/Detail/calls``.
    ///   - propagates: True to send the trace context to servers. Default true.
    ///   - fields: The fields that spans record. Default: none.
    ///   - urls: The rule for writing `url.full`. Default ``URLRedaction/usual``.
    public static func tracing(
        with tracer: (any Tracer)? = nil, detail: TracingInterceptor.Detail = .calls, propagates: Bool = true,
        capturing fields: TracingInterceptor.CapturedFields = TracingInterceptor.CapturedFields(),
        urls: URLRedaction = .usual
    ) -> TracingInterceptor {
        TracingInterceptor(tracer, detail, propagates, fields, urls)
    }
}
#endif
