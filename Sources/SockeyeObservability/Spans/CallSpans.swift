#if Observability || Service
import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization
import Tracing

/// The spans of one call.
///
/// An attempt begins when the request passes the ``TracingInterceptor``, and ends with the head of its response. An
/// attempt without a response stays open until the next attempt begins, or until the call continues or returns, because
/// the request may be replayed within it. Attributes are set at the end: `startSpan` has no parameter for them, so a
/// sampler could not use them earlier anyway.
final class CallSpans: CallTrace {
    private struct Attempt: Sendable {
        let span: any Span
        let method: HTTPRequest.Method
        let url: HTTPURL
        /// The attributes of captured fields of the request.
        let fields: [String: SpanAttribute]
        /// The number of exchanges that the call had before this attempt.
        let sentBefore: Int
        var isOpen = true
        /// The last exchange that failed in this attempt.
        var failure: CallMetrics.Exchange?
    }

    let kinds: ClientEvent.Kinds
    private let call: ObservedCall
    private let tracer: any Tracer
    private let settings: SpanSettings
    /// The span around the call; nil if the detail is ``TracingInterceptor/Detail/attempts``.
    private let span: (any Span)?
    private let parent: InstrumentationContext
    /// The start of the call by the clock of spans, in nanoseconds since 1970.
    private let epoch: UInt64
    private let attempt = Mutex<Attempt?>(nil)

    init(
        _ call: ObservedCall, _ tracer: any Tracer, _ settings: SpanSettings, around span: (any Span)?,
        in parent: InstrumentationContext, since epoch: DefaultTracerClock.Timestamp
    ) {
        self.call = call
        self.tracer = tracer
        self.settings = settings
        self.span = span
        self.parent = parent
        self.epoch = epoch.nanosecondsSinceEpoch
        kinds = settings.detail == .phases ? Self.allKinds : Self.usualKinds
    }

    private static let usualKinds: ClientEvent.Kinds = [.headReceived, .exchangeFailed, .callContinued, .callReturned]
    private static let allKinds = usualKinds.union(.exchangeEnded)

    func handle(_ event: ClientEvent) {
        switch event {
        case .headReceived(let head): headReceived(head)
        case .exchangeEnded(let exchange): exchangeEnded(exchange.metrics)
        case .callContinued(let continuation): callContinued(after: continuation.exchange)
        case .callReturned(let end): callReturned(end)
        default: break
        }
    }

    // MARK: Attempts

    /// Starts the span of an attempt.
    ///
    /// - Returns: The context of the span, to be sent to the server.
    func attemptBegins(_ request: OutgoingRequest, in observer: CallObserver) -> InstrumentationContext {
        let (sentBefore, time) = (observer.exchange, observer.now)
        end(at: time, nil)
        let name = HTTPConventions.spanName(request.parts.method, call.template(of: request.parts.url))
        let span = tracer.startSpan(name, context: parent, ofKind: .client, at: instant(time))
        guard span.isRecording else {
            attempt.withLock { $0 = nil }
            span.end(at: instant(time))
            return span.context
        }
        let attempt = Attempt(
            span: span, method: request.parts.method, url: request.parts.url,
            fields: settings.captured.attributes(of: request), sentBefore: sentBefore)
        self.attempt.withLock { $0 = attempt }
        return span.context
    }

    private func headReceived(_ head: ClientEvent.Head) {
        guard let attempt = close() else { return }
        var fields = attempt.fields
        fields.merge(settings.captured.attributes(of: head.response)) { _, value in value }
        finish(attempt, head.metrics, fields, error: nil, at: head.metrics.headReceived ?? head.metrics.start)
    }

    private func exchangeEnded(_ exchange: CallMetrics.Exchange) {
        let attempt = attempt.withLock { attempt -> Attempt? in
            if exchange.headReceived == nil { attempt?.failure = exchange }
            return attempt
        }
        guard settings.detail == .phases, let attempt else { return }
        for phase in AttemptPhase.all(of: exchange) {
            let span = tracer.startSpan(
                phase.name, context: attempt.span.context, ofKind: .internal, at: instant(phase.start))
            if let error = phase.error, let type = HTTPConventions.errorType(error) {
                if span.isRecording { span.attributes["error.type"] = type }
                span.setStatus(SpanStatus(code: .error, message: error.message))
            }
            span.end(at: instant(phase.end))
        }
    }

    /// Marks the open attempt as closed and returns it; nil without an open attempt.
    private func close() -> Attempt? {
        attempt.withLock { attempt in
            guard let open = attempt, open.isOpen else { return nil }
            attempt?.isOpen = false
            return open
        }
    }

    /// Ends the open attempt, if there is one.
    private func end(at time: Duration, _ error: SockeyeError?) {
        guard let attempt = close() else { return }
        finish(
            attempt, attempt.failure, attempt.fields, error: attempt.failure?.error ?? error,
            at: attempt.failure?.end ?? time)
    }

    private func finish(
        _ attempt: Attempt, _ exchange: CallMetrics.Exchange?, _ fields: [String: SpanAttribute],
        error: SockeyeError?, at time: Duration
    ) {
        var subject = HTTPAttributes(
            attempt.method, attempt.url, template: call.template(of: attempt.url), status: exchange?.status?.code)
        subject.version = exchange?.protocolVersion
        subject.peer = exchange?.connection?.remoteAddress
        // A replay counts as a resend.
        attempt.span.attributes = settings.templates.attributes(
            ofAttempt: subject, error, resends: exchange?.resends ?? attempt.sentBefore, fields: fields)
        Self.setStatus(of: attempt.span, error: error, status: subject.status)
        attempt.span.end(at: instant(time))
    }

    // MARK: The call

    private func callContinued(after exchange: PriorExchange) {
        end(at: exchange.start + exchange.duration, exchange.error)
    }

    private func callReturned(_ returned: ClientEvent.CallReturn) {
        let (response, error): (IncomingResponse?, SockeyeError?) =
            switch returned.outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        end(at: returned.duration, error)
        guard let span else { return }
        let subject = HTTPAttributes(call.method, call.url, template: call.template, status: response?.status.code)
        span.attributes = settings.templates.attributes(
            ofCall: subject, error, resends: returned.exchangeCount - 1)
        Self.setStatus(of: span, error: error, status: subject.status)
        span.end(at: instant(returned.duration))
    }
}

extension CallSpans {
    private func instant(_ time: Duration) -> DefaultTracerClock.Timestamp {
        DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: epoch &+ UInt64(max(0, time.clampedNanoseconds)))
    }

    /// Sets the status to error, unless the caller cancelled the call or the response is below 400.
    private static func setStatus(of span: any Span, error: SockeyeError?, status: Int?) {
        if let error {
            // Only the message, because the error and its description contain the URL's query.
            guard HTTPConventions.errorType(error) != nil else { return }
            span.setStatus(SpanStatus(code: .error, message: error.message))
        } else if let status, status >= 400 {
            span.setStatus(SpanStatus(code: .error))
        }
    }
}
#endif
