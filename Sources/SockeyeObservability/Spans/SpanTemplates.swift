#if Observability || Service
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization
import Tracing

/// The attributes of spans, copied from those of the previous span. Requests of a service mostly go to the same server
/// and have the same status, and changing a copied dictionary costs a fraction of filling a new one.
final class SpanTemplates: Sendable {
    /// The facts of a request and its response that the attributes describe.
    struct Subject: Sendable {
        let method: HTTPRequest.Method
        let url: HTTPURL
        let status: Int?
        /// The peer in the format of ``CallMetrics/Connection/remoteAddress``; only for spans of attempts.
        let peer: String?
        /// True for the span of an attempt, which has a protocol version.
        let isAttempt: Bool
    }

    /// Attributes that similar spans share, and the subject from which they were made.
    private struct Template: Sendable {
        let subject: Subject
        let attributes: [String: SpanAttribute]

        /// Returns true if the attributes fit another subject, except for the URL.
        func fits(_ other: Subject) -> Bool {
            subject.status == other.status && subject.peer == other.peer && subject.method == other.method
                && subject.url.origin == other.url.origin
        }
    }

    private struct State: Sendable {
        var call: Template?
        var attempt: Template?
    }

    private let urls: URLRedaction
    private let state = Mutex(State())

    init(_ urls: URLRedaction) { self.urls = urls }

    /// Returns the attributes of a span.
    ///
    /// - Parameter resends: The number of times that the request was sent before.
    func attributes(of subject: Subject, _ error: SockeyeError?, resends: Int) -> SpanAttributes {
        var attributes = attributes(of: subject)
        // An error replaces the error type of the status.
        if let error { attributes["error.type"] = .string(error.code.description) }
        if resends > 0 { attributes["http.request.resend_count"] = .int64(Int64(resends)) }
        return SpanAttributes(attributes)
    }

    private func attributes(of subject: Subject) -> [String: SpanAttribute] {
        let last = state.withLock { subject.isAttempt ? $0.attempt : $0.call }
        if let last, last.fits(subject) {
            var attributes = last.attributes
            if last.subject.url != subject.url { attributes["url.full"] = .string(urls(subject.url)) }
            return attributes
        }
        let attributes = made(of: subject)
        let template = Template(subject: subject, attributes: attributes)
        state.withLock { state in
            if subject.isAttempt { state.attempt = template } else { state.call = template }
        }
        return attributes
    }

    private func made(of subject: Subject) -> [String: SpanAttribute] {
        let name = HTTPConventions.method(subject.method)
        // Capacity for all attributes, so that the dictionary does not grow.
        var attributes = [String: SpanAttribute](minimumCapacity: 12)
        attributes["http.request.method"] = .string(name)
        if name != subject.method.rawValue {
            attributes["http.request.method_original"] = .string(subject.method.rawValue)
        }
        attributes["url.full"] = .string(urls(subject.url))
        attributes["server.address"] = .string(subject.url.host)
        attributes["server.port"] = .int64(Int64(subject.url.port))
        if let status = subject.status {
            attributes["http.response.status_code"] = .int64(Int64(status))
            if let type = HTTPConventions.errorType(status: status) { attributes["error.type"] = .string(type) }
            // The client speaks only HTTP/1.1 (RFC 9112).
            if subject.isAttempt { attributes["network.protocol.version"] = "1.1" }
        }
        if let peer = subject.peer.map(PeerAddress.init) {
            attributes["network.peer.address"] = .string(peer.address)
            if let port = peer.port { attributes["network.peer.port"] = .int64(Int64(port)) }
        }
        return attributes
    }
}
#endif
