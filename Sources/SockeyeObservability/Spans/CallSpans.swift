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
/// attempt without a response stays open, because the request may be replayed within the attempt. It ends when the next
/// attempt begins, when `callContinued` reports a redirect, a retry or an answer to a challenge, or when the call
/// returns. Attributes are set when the attempt ends. Earlier attributes would not help a sampler, which decides in
/// `startSpan`: that function has no parameter for attributes.
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

        /// True unless the exchange began before this attempt. The end of such an exchange may be reported late.
        func includes(_ exchange: CallMetrics.Exchange) -> Bool { exchange.resends >= sentBefore }
    }

    private struct State {
        /// The latest attempt; nil before the first attempt, and if the span of the latest attempt is not recorded.
        var attempt: Attempt?
        var hasReturned = false

        /// Marks the attempt as closed and returns it; nil without an open attempt.
        mutating func close() -> Attempt? {
            guard let open = attempt, open.isOpen else { return nil }
            attempt?.isOpen = false
            return open
        }
    }

    let kinds: ClientEvent.Kinds
    private let call: ObservedCall
    private let tracer: any Tracer
    private let settings: SpanSettings
    /// The span around the call; nil if the detail is ``TracingInterceptor/Detail/attempts``.
    private let span: (any Span)?
    private let parent: InstrumentationContext
    /// The start of the call by `DefaultTracerClock`, in nanoseconds since 1970.
    private let epoch: UInt64
    private let state = Mutex(State())

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

    /// Starts the span of an attempt. A request that is sent after the call has returned has no span. The cache may
    /// send such a request for other callers.
    ///
    /// - Returns: The context to send to the server: that of the span, or the parent's context if no span was started.
    func attemptBegins(_ request: OutgoingRequest, in observer: CallObserver) -> InstrumentationContext {
        let (sentBefore, time) = (observer.exchange, observer.now)
        let (hasReturned, open) = state.withLock { ($0.hasReturned, $0.close()) }
        if hasReturned { return parent }
        end(open, at: time, nil)
        let name = HTTPConventions.spanName(request.parts.method, call.template(of: request.parts.url))
        let span = tracer.startSpan(name, context: parent, ofKind: .client, at: instant(time))
        guard span.isRecording else {
            state.withLock { $0.attempt = nil }
            span.end(at: instant(time))
            return span.context
        }
        let attempt = Attempt(
            span: span, method: request.parts.method, url: request.parts.url,
            fields: settings.captured.attributes(of: request), sentBefore: sentBefore)
        let isLate = state.withLock { state in
            guard !state.hasReturned else { return true }
            state.attempt = attempt
            return false
        }
        // The call returned meanwhile.
        if isLate { end(attempt, at: observer.now, nil) }
        return span.context
    }

    private func headReceived(_ head: ClientEvent.Head) {
        let attempt = state.withLock { state in state.attempt?.includes(head.metrics) == true ? state.close() : nil }
        guard let attempt else { return }
        var fields = attempt.fields
        fields.merge(settings.captured.attributes(of: head.response)) { _, value in value }
        finish(attempt, head.metrics, fields, error: nil, at: head.metrics.headReceived ?? head.metrics.start)
    }

    private func exchangeEnded(_ exchange: CallMetrics.Exchange) {
        let attempt = state.withLock { state -> Attempt? in
            guard state.attempt?.includes(exchange) == true else { return nil }
            if exchange.headReceived == nil { state.attempt?.failure = exchange }
            return state.attempt
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

    /// Ends an attempt that has no response.
    private func end(_ attempt: Attempt?, at time: Duration, _ error: SockeyeError?) {
        guard let attempt else { return }
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
        // `resends` counts all earlier exchanges of the call, including replays of the request within this attempt.
        attempt.span.attributes = settings.templates.attributes(
            ofAttempt: subject, error, resends: exchange?.resends ?? attempt.sentBefore, fields: fields)
        Self.setStatus(of: attempt.span, error: error, status: subject.status)
        attempt.span.end(at: instant(time))
    }

    // MARK: The call

    private func callContinued(after exchange: PriorExchange) {
        end(state.withLock { $0.close() }, at: exchange.start + exchange.duration, exchange.error)
    }

    private func callReturned(_ returned: ClientEvent.CallReturn) {
        let (response, error): (IncomingResponse?, SockeyeError?) =
            switch returned.outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        let attempt = state.withLock { state in
            state.hasReturned = true
            return state.close()
        }
        end(attempt, at: returned.duration, error)
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

    /// Sets the status to error for any error except a cancellation, and for a response status of 400 or higher.
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
