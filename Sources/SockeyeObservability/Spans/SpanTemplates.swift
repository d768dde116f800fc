#if Observability || Service
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization
import Tracing

/// Makes the attributes of spans. Most requests of a service go to the same server and get the same status. So the
/// attributes of a span are usually a changed copy of the previous span's, which is cheaper than a new dictionary.
final class SpanTemplates: Sendable {
    /// Attributes that similar spans share, and the request and response from which they were made.
    private struct Template: Sendable {
        let subject: HTTPAttributes
        let attributes: [String: SpanAttribute]
    }

    private struct State: Sendable {
        var call: Template?
        var attempt: Template?
    }

    private let urls: URLRedaction
    private let state = Mutex(State())

    init(_ urls: URLRedaction) { self.urls = urls }

    /// Returns the attributes of a span around a call.
    ///
    /// - Parameter resends: The number of exchanges of the call after the first; -1 if it had no exchange.
    func attributes(ofCall subject: HTTPAttributes, _ error: SockeyeError?, resends: Int) -> SpanAttributes {
        adding(error, resends: resends, to: attributes(of: subject, isAttempt: false))
    }

    /// Returns the attributes of the span of an attempt.
    ///
    /// - Parameters:
    ///   - resends: The number of times that the request was sent before.
    ///   - fields: The attributes of header fields that ``TracingInterceptor/CapturedFields`` names.
    func attributes(
        ofAttempt subject: HTTPAttributes, _ error: SockeyeError?, resends: Int, fields: [String: SpanAttribute]
    ) -> SpanAttributes {
        var attributes = attributes(of: subject, isAttempt: true)
        if !fields.isEmpty { attributes.merge(fields) { _, field in field } }
        return adding(error, resends: resends, to: attributes)
    }

    private func adding(
        _ error: SockeyeError?, resends: Int, to attributes: consuming [String: SpanAttribute]
    ) -> SpanAttributes {
        // The type of the error replaces any `error.type` that the response status has set.
        if let error { attributes["error.type"] = HTTPConventions.errorType(error).map { .string($0) } }
        if resends > 0 { attributes["http.request.resend_count"] = .int64(Int64(resends)) }
        return SpanAttributes(attributes)
    }

    private func attributes(of subject: HTTPAttributes, isAttempt: Bool) -> [String: SpanAttribute] {
        if let last = state.withLock({ isAttempt ? $0.attempt : $0.call }), last.subject.isSimilar(to: subject) {
            var attributes = last.attributes
            if last.subject.url != subject.url { attributes["url.full"] = .string(urls(subject.url)) }
            return attributes
        }
        // Capacity for all attributes, so that the dictionary does not grow.
        var attributes = [String: SpanAttribute](minimumCapacity: 12)
        subject.forEach(urls) { name, value in
            attributes[name] =
                switch value {
                case .text(let text): .string(text)
                case .number(let number): .int64(Int64(number))
                }
        }
        let template = Template(subject: subject, attributes: attributes)
        state.withLock { state in
            if isAttempt { state.attempt = template } else { state.call = template }
        }
        return attributes
    }
}
#endif
