#if Observability || Service
import HTTPTypes
import Sockeye
import SockeyeEngine
import SockeyeHTTP

/// The attributes of a request and its response, the same in logs and spans.
struct HTTPAttributes: Sendable {
    enum Value: Sendable {
        case text(String)
        case number(Int)
    }

    let method: HTTPRequest.Method
    let url: HTTPURL
    /// The template of the URL, such as `/users/{id}`; nil if the caller has set no template.
    let template: String?
    /// The status of the response; nil without a response.
    let status: Int?
    /// The version of HTTP that the server spoke. Nil if the server has not answered, and in the attributes of a whole
    /// call, which may have several exchanges.
    var version: String?
    /// The peer in the format of `CallMetrics.Connection.remoteAddress`. Nil if the peer is unknown, and in the
    /// attributes of a whole call.
    var peer: String?

    init(_ method: HTTPRequest.Method, _ url: HTTPURL, template: String?, status: Int?) {
        (self.method, self.url, self.template, self.status) = (method, url, template, status)
    }

    /// The attributes of an exchange.
    init(_ exchange: CallMetrics.Exchange, of call: ObservedCall) {
        self.init(
            exchange.method, exchange.url, template: call.template(of: exchange.url), status: exchange.status?.code)
        (version, peer) = (exchange.protocolVersion, exchange.connection?.remoteAddress)
    }

    /// Calls `body` with the name and the value of each attribute that has a value.
    func forEach(_ urls: URLRedaction, _ body: (String, Value) -> Void) {
        let name = HTTPConventions.method(method)
        body("http.request.method", .text(name))
        if name != method.rawValue { body("http.request.method_original", .text(method.rawValue)) }
        body("url.full", .text(urls(url)))
        if let template { body("url.template", .text(template)) }
        body("server.address", .text(url.host))
        body("server.port", .number(url.port))
        if let status {
            body("http.response.status_code", .number(status))
            if let type = HTTPConventions.errorType(status: status) { body("error.type", .text(type)) }
        }
        if let version { body("network.protocol.version", .text(version)) }
        if let peer = peer.map(PeerAddress.init) {
            body("network.peer.address", .text(peer.address))
            if let port = peer.port { body("network.peer.port", .number(port)) }
        }
    }

    /// True if another request has the same attributes, except for `url.full`.
    func isSimilar(to other: HTTPAttributes) -> Bool {
        status == other.status && peer == other.peer && method == other.method && template == other.template
            && version == other.version && url.isAt(other.url.origin)
    }
}
#endif
