#if Observability || Service
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization
import Tracing

/// The spans of one call.
///
/// An attempt begins when the request passes the interceptor, and ends with the head of its response. An attempt
/// without a response stays open until the next one begins or the call continues or returns, because it may be
/// replayed. Attributes are set once, at the end, because `startSpan` takes no attributes that a sampler could use.
final class CallTrace: EventMonitor {
    private struct Attempt: Sendable {
        let span: any Span
        let method: HTTPRequest.Method
        let url: HTTPURL
        /// The number of exchanges that the call had before this attempt.
        let sentBefore: Int
        var isOpen = true
        /// The last exchange that failed in this attempt.
        var failure: CallMetrics.Exchange?
    }

    private struct State: Sendable {
        var exchanges = 0
        var attempt: Attempt?
    }

    private let tracer: any Tracer
    private let detail: TracingInterceptor.Detail
    private let templates: SpanTemplates
    /// The span around the call; nil if the detail has none.
    private let span: (any Span)?
    private let parent: InstrumentationContext
    /// The start of the call by the clock of spans.
    private let epoch: UInt64
    private let state = Mutex(State())

    init(_ call: ObservedCall, _ tracer: any Tracer, _ detail: TracingInterceptor.Detail, _ templates: SpanTemplates) {
        self.tracer = tracer
        self.detail = detail
        self.templates = templates
        epoch = DefaultTracerClock.now.nanosecondsSinceEpoch
        let context = InstrumentationContext.current ?? .topLevel
        guard detail != .attempts else {
            (span, parent) = (nil, context)
            return
        }
        let span = tracer.startSpan(
            "HTTPClient.send", context: context, ofKind: .internal, at: Self.instant(.zero, after: epoch))
        (self.span, parent) = (span, span.context)
    }

    var kinds: ClientEvent.Kinds { detail == .phases ? Self.allKinds : Self.usualKinds }

    private static let usualKinds: ClientEvent.Kinds = [
        .exchangeStarted, .headReceived, .exchangeFailed, .callContinued, .callReturned,
    ]
    private static let allKinds = usualKinds.union(.exchangeEnded)

    func handle(_ event: ClientEvent) {
        switch event {
        case .exchangeStarted: exchangeStarted()
        case .headReceived(let head): headReceived(head.metrics)
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
    func attemptBegins(_ request: OutgoingRequest, at time: Duration) -> InstrumentationContext {
        end(at: time, nil)
        let span = tracer.startSpan(
            HTTPConventions.spanName(request.method), context: parent, ofKind: .client, at: instant(time))
        state.withLock { state in
            state.attempt = Attempt(
                span: span, method: request.method, url: request.url, sentBefore: state.exchanges)
        }
        return span.context
    }

    private func exchangeStarted() {
        state.withLock { $0.exchanges += 1 }
    }

    private func headReceived(_ exchange: CallMetrics.Exchange) {
        let ended = state.withLock { state -> (Attempt, Int)? in
            guard let attempt = state.attempt, attempt.isOpen else { return nil }
            state.attempt?.isOpen = false
            return (attempt, state.exchanges)
        }
        guard let (attempt, sent) = ended else { return }
        finish(attempt, exchange, sent: sent, error: nil, at: exchange.headReceived ?? exchange.start)
    }

    private func exchangeEnded(_ exchange: CallMetrics.Exchange) {
        let attempt = state.withLock { state -> Attempt? in
            if exchange.headReceived == nil { state.attempt?.failure = exchange }
            return state.attempt
        }
        guard detail == .phases, let attempt else { return }
        for phase in AttemptPhase.all(of: exchange) {
            let span = tracer.startSpan(
                phase.name, context: attempt.span.context, ofKind: .internal, at: instant(phase.start))
            if let error = phase.error {
                if span.isRecording { span.attributes["error.type"] = error.code.description }
                span.setStatus(SpanStatus(code: .error, message: error.message))
            }
            span.end(at: instant(phase.end))
        }
    }

    /// Ends the open attempt, if there is one.
    private func end(at time: Duration, _ error: SockeyeError?) {
        let ended = state.withLock { state -> (Attempt, Int)? in
            guard let attempt = state.attempt, attempt.isOpen else { return nil }
            state.attempt?.isOpen = false
            return (attempt, state.exchanges)
        }
        guard let (attempt, sent) = ended else { return }
        finish(
            attempt, attempt.failure, sent: sent, error: attempt.failure?.error ?? error,
            at: attempt.failure?.end ?? time)
    }

    private func finish(
        _ attempt: Attempt, _ exchange: CallMetrics.Exchange?, sent: Int, error: SockeyeError?, at time: Duration
    ) {
        let span = attempt.span
        let status = exchange?.status?.code
        if span.isRecording {
            // A replay counts as a resend.
            let resends = max(attempt.sentBefore, sent - 1)
            let subject = SpanTemplates.Subject(
                method: attempt.method, url: attempt.url, status: status, peer: exchange?.connection?.remoteAddress,
                isAttempt: true)
            span.attributes = templates.attributes(of: subject, error, resends: resends)
        }
        Self.setStatus(of: span, error: error, status: status)
        span.end(at: instant(time))
    }

    // MARK: The call

    private func callContinued(after exchange: PriorExchange) {
        end(at: exchange.start + exchange.duration, exchange.error)
    }

    private func callReturned(_ returned: ClientEvent.CallReturn) {
        let (call, duration) = (returned.call, returned.duration)
        let (response, error): (IncomingResponse?, SockeyeError?) =
            switch returned.outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        end(at: duration, error)
        guard let span else { return }
        let status = response?.status.code
        if span.isRecording {
            let sent = state.withLock { $0.exchanges }
            let subject = SpanTemplates.Subject(
                method: call.method, url: call.url, status: status, peer: nil, isAttempt: false)
            span.attributes = templates.attributes(of: subject, error, resends: sent - 1)
        }
        Self.setStatus(of: span, error: error, status: status)
        span.end(at: instant(duration))
    }
}

extension CallTrace {
    private func instant(_ time: Duration) -> DefaultTracerClock.Timestamp { Self.instant(time, after: epoch) }

    private static func instant(_ time: Duration, after epoch: UInt64) -> DefaultTracerClock.Timestamp {
        DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: epoch &+ UInt64(max(0, time.clampedNanoseconds)))
    }

    private static func setStatus(of span: any Span, error: SockeyeError?, status: Int?) {
        if let error {
            // Only the message, because the error and its description contain the URL's query.
            span.setStatus(SpanStatus(code: .error, message: error.message))
        } else if let status, status >= 400 {
            span.setStatus(SpanStatus(code: .error))
        }
    }
}
#endif
