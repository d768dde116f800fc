#if Observability || Service
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization
import Tracing

/// The attributes of spans, made from those of the span before: requests of a service mostly go to the same server and have
/// the same status, and a dictionary that has its keys costs a fraction of one that gets them.
final class SpanTemplates: Sendable {
    /// What a span tells of its request and the response.
    struct Subject: Sendable {
        let method: HTTPRequest.Method
        let url: HTTPURL
        let status: Int?
        /// As of ``CallMetrics/Connection/remoteAddress``, of spans of attempts.
        let peer: String?
        /// The span of an attempt, which has a protocol.
        let isAttempt: Bool
    }

    /// Attributes that all spans of a kind share, and of which one.
    private struct Template: Sendable {
        let subject: Subject
        let attributes: [String: SpanAttribute]

        /// All but the URL.
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

    /// The attributes of a span.
    ///
    /// - Parameter resends: How often the request had been sent before.
    func attributes(of subject: Subject, _ error: SockeyeError?, resends: Int) -> SpanAttributes {
        var attributes = attributes(of: subject)
        // An error goes before the status that it came with.
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
        // Room for all that there may be, so that it does not grow on the way.
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
            // RFC 9112 is all that this client speaks.
            if subject.isAttempt { attributes["network.protocol.version"] = "1.1" }
        }
        if let peer = subject.peer.map(PeerName.init) {
            attributes["network.peer.address"] = .string(peer.address)
            if let port = peer.port { attributes["network.peer.port"] = .int64(Int64(port)) }
        }
        return attributes
    }
}
#endif
