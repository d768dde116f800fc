#if Observability || Service
public import Sockeye
package import SockeyeCore
public import SockeyeEngine
package import SockeyeHTTP
public import Tracing

/// Makes spans of calls and passes their context on; made by `.tracing()`.
///
/// ```
/// HTTPClient.send                     internal   ─────────────────────────────────────────
///  ├ GET  301                         client     ────────────
///  │   ├ pool wait                    internal   ─
///  │   ├ DNS lookup, connect, TLS handshake       ──────
///  │   └ send, wait, receive                            ─────
///  └ GET  200  resend_count 1         client                 ───────────────────
/// ```
///
/// Spans follow OpenTelemetry's "Semantic conventions for HTTP spans" (stable): each attempt to send a request, redirects,
/// retries, challenges and revalidations included, is a span of kind `client`, named after the method, with
/// `http.request.method` (`_OTHER` for one that is not known, and then `http.request.method_original`), `server.address`,
/// `server.port`, `url.full`, `http.response.status_code`, `error.type`, `http.request.resend_count`,
/// `network.peer.address`, `network.peer.port` and `network.protocol.version`. The span around them is `internal`, as
/// the conventions want no second client span, and can be left out; see ``Detail``. A request that was replayed since
/// its reused connection was found closed stays within its attempt, whose `http.request.resend_count` counts it.
///
/// **End.** A span ends with the head of the response, as the conventions ask of clients whose callers may leave a content
/// unread; the span `receive` of ``Detail/phases`` is what shows the content, and is made when that ends.
///
/// **Status.** `error` for a status from 400 on and for errors, whose `error.type` is the name of the
/// ``/Sockeye/SockeyeError/code-swift.property``; unset for all else.
///
/// **Propagation.** The context of the attempt is injected into each attempt's fields by the tracer, or by all that
/// InstrumentationSystem has, and replaces what the caller has set there. A value that cannot stand in a field is left out.
/// A scope of a foreign service goes without by `.adding(.tracing(propagates: false))`.
public struct TracingInterceptor: SynchronousInterceptor, SingleInterceptor, EventMonitor {
    /// Which spans a call has.
    @nonexhaustive public enum Detail: Sendable, Hashable {
        /// One for each attempt: what the conventions ask for and nothing else.
        case attempts
        /// One around the call, and one for each attempt in it.
        case calls
        /// Besides, what an attempt spent its time on: `pool wait`, `DNS lookup`, `connect`, `TLS handshake`, `send`, `wait`
        /// and `receive`, as far as each took place.
        case phases
    }

    private let tracer: (any Tracer)?
    private let detail: Detail
    private let propagates: Bool
    private let templates: SpanTemplates

    init(_ tracer: (any Tracer)?, _ detail: Detail, _ propagates: Bool, _ urls: URLRedaction) {
        self.tracer = tracer
        self.detail = detail
        self.propagates = propagates
        templates = SpanTemplates(urls)
    }

    /// Around every request that goes to the wire.
    public var stage: Call.Stage { .attempt }

    /// Sends the request with the context of its span.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    package var outcomeFilter: OutcomeFilter { .nothing }

    /// Returns the spans of the call.
    public func monitor(of call: ObservedCall) -> (any EventMonitor)? {
        CallTrace(call, tracer ?? InstrumentationSystem.tracer, detail, templates)
    }

    /// Does nothing: the events of a call go to the monitor that ``monitor(of:)`` returns.
    public func handle(_ event: ClientEvent) {}

    package func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        var context = InstrumentationContext.current ?? .topLevel
        // Without an observer it is what a cache does for itself: there is no call to be part of.
        if let observer = request.parts.options.observer as? CallObserver,
            let trace = observer.monitor(CallTrace.self)
        {
            context = trace.attemptBegins(request, at: observer.now)
        }
        guard propagates else { return .ready }
        var injected: [InjectedField] = []
        if let tracer {
            tracer.inject(context, into: &injected, using: FieldInjector())
        } else {
            InstrumentationSystem.instrument.inject(context, into: &injected, using: FieldInjector())
        }
        guard !injected.isEmpty else { return .ready }
        var request = request
        request.change { values in
            for field in injected { values.headers[Headers.Name(field.name)] = field.value }
        }
        return .replacing(request)
    }
}

extension Interceptor where Self == TracingInterceptor {
    /// Makes spans of calls and passes their context on; see ``TracingInterceptor``. A scope's replaces that of its client.
    ///
    /// ```swift
    /// let client = HTTPClient().adding(.tracing())
    /// ```
    ///
    /// - Parameters:
    ///   - tracer: What makes the spans. Default nil: that of InstrumentationSystem for the task that makes the call.
    ///   - detail: Which spans a call has. Default ``TracingInterceptor/Detail/calls``.
    ///   - propagates: Whether servers are told of the trace. Default true.
    ///   - urls: How `url.full` is written. Default ``URLRedaction/usual``.
    public static func tracing(
        with tracer: (any Tracer)? = nil, detail: TracingInterceptor.Detail = .calls, propagates: Bool = true,
        urls: URLRedaction = .usual
    ) -> TracingInterceptor {
        TracingInterceptor(tracer, detail, propagates, urls)
    }
}

/// A field that an instrument has asked for.
struct InjectedField: Sendable, Equatable {
    let name: String
    let value: String
}

/// What carries a context into the fields of a request, the last value of a name counting. Baggage may be made of what
/// strangers have sent: what is no field (RFC 9110 5.1, 5.5) goes nowhere.
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [InjectedField]) {
        guard !value.isEmpty, Self.isFieldValue(value), Headers.Name(key).isValid else { return }
        if !carrier.isEmpty { carrier.removeAll { Headers.Name($0.name) == Headers.Name(key) } }
        carrier.append(InjectedField(name: key, value: value))
    }

    /// Printable ASCII, blanks and tabs.
    private static func isFieldValue(_ value: String) -> Bool {
        let bytes = value.utf8.span
        for index in bytes.indices where bytes[index] < 0x20 && bytes[index] != 0x09 || bytes[index] > 0x7E {
            return false
        }
        return true
    }
}
#endif
