#if Tracing
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization
import Tracing

/// The spans of one call.
///
/// An attempt begins when the request passes the interceptor and ends with the head of its response. One that ends without
/// is still open when the next one begins or the call goes on or returns: before that it may be replayed. Attributes are set
/// once, at the end: a tracer is asked for a span without any, so nobody could decide by them before.
final class CallTrace: CallProbe {
    private struct Attempt: Sendable {
        let span: any Span
        let method: HTTPRequest.Method
        let url: HTTPURL
        /// How many exchanges the call had before.
        let sentBefore: Int
        var isOpen = true
        /// The exchange that it failed with, so far.
        var failure: ExchangeMetrics?
    }

    private struct State: Sendable {
        var exchanges = 0
        var attempt: Attempt?
        /// The attributes of the last request, which the call and its attempts mostly share.
        var requested: (url: HTTPURL, attributes: [String: SpanAttribute])?
    }

    private let tracer: any Tracer
    private let detail: TracingInterceptor.Detail
    private let urls: URLRedaction
    /// The span around the call; nil without one.
    private let span: (any Span)?
    private let parent: InstrumentationContext
    /// The time of the start of the call by the clock that spans have.
    private let epoch: UInt64
    private let state = Mutex(State())

    init(_ call: ObservedCall, _ tracer: any Tracer, _ detail: TracingInterceptor.Detail, _ urls: URLRedaction) {
        self.tracer = tracer
        self.detail = detail
        self.urls = urls
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

    // MARK: Attempts

    /// Begins the span of an attempt.
    ///
    /// - Returns: Its context, for those behind the wire.
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

    func exchangeDidStart(_ call: ObservedCall, _ exchange: ExchangeMetrics) {
        state.withLock { $0.exchanges += 1 }
    }

    func exchangeDidReceiveHead(_ call: ObservedCall, _ exchange: ExchangeMetrics) {
        let ended = state.withLock { state -> (Attempt, Int)? in
            guard let attempt = state.attempt, attempt.isOpen else { return nil }
            state.attempt?.isOpen = false
            return (attempt, state.exchanges)
        }
        guard let (attempt, sent) = ended else { return }
        finish(attempt, exchange, sent: sent, error: nil, at: exchange.headReceived ?? exchange.start)
    }

    func exchangeDidEnd(_ call: ObservedCall, _ exchange: ExchangeMetrics) {
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

    /// Ends the attempt that is open, if one is.
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
        _ attempt: Attempt, _ exchange: ExchangeMetrics?, sent: Int, error: SockeyeError?, at time: Duration
    ) {
        let span = attempt.span
        let status = exchange?.status?.code
        if span.isRecording {
            // A replay is one more sending.
            let resends = max(attempt.sentBefore, sent - 1)
            var attributes = attributes(attempt.method, attempt.url, status, error, resends: resends)
            Self.add(exchange?.connection, to: &attributes)
            // RFC 9112 is all that this client speaks.
            if status != nil { attributes["network.protocol.version"] = "1.1" }
            span.attributes = SpanAttributes(attributes)
        }
        Self.setStatus(of: span, error: error, status: status)
        span.end(at: instant(time))
    }

    // MARK: The call

    func callWillGoOn(_ call: ObservedCall, after exchange: PriorExchange) {
        end(at: exchange.start + exchange.duration, exchange.error)
    }

    func callDidReturn(
        _ call: ObservedCall, _ outcome: Result<IncomingResponse, SockeyeError>, at duration: Duration
    ) {
        let (response, error): (IncomingResponse?, SockeyeError?) =
            switch outcome {
            case .success(let response): (response, nil)
            case .failure(let error): (nil, error)
            }
        end(at: duration, error)
        guard let span else { return }
        let status = response?.status.code
        if span.isRecording {
            let sent = state.withLock { $0.exchanges }
            span.attributes = SpanAttributes(attributes(call.method, call.url, status, error, resends: sent - 1))
        }
        Self.setStatus(of: span, error: error, status: status)
        span.end(at: instant(duration))
    }
}

extension CallTrace {
    private func instant(_ time: Duration) -> DefaultTracerClock.Timestamp { Self.instant(time, after: epoch) }

    private static func instant(_ time: Duration, after epoch: UInt64) -> DefaultTracerClock.Timestamp {
        DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: epoch &+ UInt64(max(0, time.wholeNanoseconds)))
    }

    /// The attributes that attempts and calls share.
    private func attributes(
        _ method: HTTPRequest.Method, _ url: HTTPURL, _ status: Int?, _ error: SockeyeError?, resends: Int
    ) -> [String: SpanAttribute] {
        var attributes = requested(method, url)
        if let status { attributes["http.response.status_code"] = .int64(Int64(status)) }
        if let type = HTTPConventions.errorType(error, status: status) { attributes["error.type"] = .string(type) }
        if resends > 0 { attributes["http.request.resend_count"] = .int64(Int64(resends)) }
        return attributes
    }

    /// The attributes that say what was asked for.
    private func requested(_ method: HTTPRequest.Method, _ url: HTTPURL) -> [String: SpanAttribute] {
        let name = HTTPConventions.method(method)
        if let last = state.withLock({ $0.requested }), last.url == url {
            var attributes = last.attributes
            attributes["http.request.method"] = .string(name)
            if name != method.rawValue { attributes["http.request.method_original"] = .string(method.rawValue) }
            return attributes
        }
        // Room for all that there may be, so that it does not grow on the way.
        var attributes = [String: SpanAttribute](minimumCapacity: 12)
        attributes["url.full"] = .string(urls(url))
        attributes["server.address"] = .string(url.host)
        attributes["server.port"] = .int64(Int64(url.port))
        let shared = attributes
        state.withLock { $0.requested = (url, shared) }
        attributes["http.request.method"] = .string(name)
        if name != method.rawValue { attributes["http.request.method_original"] = .string(method.rawValue) }
        return attributes
    }

    private static func add(_ connection: CallMetrics.Connection?, to attributes: inout [String: SpanAttribute]) {
        guard let address = connection?.remoteAddress else { return }
        let peer = PeerName(address)
        attributes["network.peer.address"] = .string(peer.address)
        if let port = peer.port { attributes["network.peer.port"] = .int64(Int64(port)) }
    }

    private static func setStatus(of span: any Span, error: SockeyeError?, status: Int?) {
        if let error {
            // Neither the error itself nor its description, which has the URL's query.
            span.setStatus(SpanStatus(code: .error, message: error.message))
        } else if let status, status >= 400 {
            span.setStatus(SpanStatus(code: .error))
        }
    }
}
#endif
