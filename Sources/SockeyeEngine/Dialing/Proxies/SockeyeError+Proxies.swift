import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension SockeyeError {
    /// The configuration names no proxy that can be used. The text never holds what it names instead.
    static func badProxy(_ reason: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: reason))
    }

    /// The proxy answered CONNECT with something else than 2xx.
    init(refusalOf proxy: Proxy, _ head: ResponseHead, body: Bytes) {
        var message = "the proxy \(proxy) refused the tunnel with \(head.status)"
        if head.status == 407 {
            message += proxy.hasCredentials ? ": it does not take the credentials" : ": it asks for credentials"
        }
        var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: message)
        fields.response = SockeyeError.Evidence(
            status: HTTPResponse.Status(code: head.status), headers: head.makeFields(), body: body)
        self.init(fields)
    }

    /// What the proxy did is not what its protocol allows, or is its refusal.
    init(_ fault: some Error & CustomStringConvertible, of proxy: Proxy) {
        var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: "the proxy \(proxy): \(fault)")
        fields.underlying = fault
        self.init(fields)
    }

    /// The connection to the proxy broke, or took too long, before there was a tunnel.
    init(_ error: TransportError, of proxy: Proxy, configured: Duration?) {
        switch error {
        case .timedOut, .cancelled, .closed:
            self = SockeyeError(error, phase: .connect, configured: configured).reaching(proxy)
        default:
            let message = "the connection to the proxy \(proxy) broke before the tunnel was open"
            var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: message)
            fields.underlying = error
            self.init(fields)
        }
    }

    /// The same error, which says where it was the proxy that was to be reached, not the server that the URL names.
    func reaching(_ proxy: Proxy?) -> SockeyeError {
        guard let proxy, code != .cancelled else { return self }
        return with { $0.message = "the proxy \(proxy): \($0.message)" }
    }
}
