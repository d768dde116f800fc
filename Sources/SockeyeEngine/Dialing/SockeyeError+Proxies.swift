import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension SockeyeError {
    /// What failed on the way through a proxy. Nil where no proxy had a part in it: also of an error of the target behind
    /// a tunnel, such as its certificate's.
    public var proxyFailure: ProxyFailure? { fields.proxyFailure }

    /// The hop on the way through a proxy that failed, and the proxy's answer.
    public struct ProxyFailure: Sendable, Hashable {
        /// The steps through a proxy, in their order.
        @nonexhaustive public enum Step: String, Sendable, Hashable {
            /// The look-up of the proxy's own name.
            case resolve
            /// The connection to the proxy.
            case connect
            /// TLS with the proxy.
            case tls
            /// What the proxy was asked for: it refused, or did not answer as its protocol says.
            case tunnel
            /// The connection from the proxy to the target, which the proxy says has failed.
            case target
        }

        /// The proxy, such as `http://proxy.example.com:3128`, without credentials.
        public let proxy: String
        /// What failed.
        public let step: Step
        /// The proxy's answer: the status of its response to CONNECT, or the code of a SOCKS reply. Nil where there was none.
        public let reply: Int?
    }

    /// The error of a request that was sent to a proxy which forwards it: names the proxy if the connection to it ended.
    func naming(_ proxy: Proxy?, for url: HTTPURL) -> SockeyeError {
        guard code == .connectionClosed, let proxy, proxy.forwards(url) else { return self }
        return with { $0.message = "through the proxy \(proxy): \($0.message)" }
    }

    /// The configuration names no proxy that can be used. The text never holds what it names instead.
    static func badProxy(_ reason: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: reason))
    }

    /// Whoever was asked for a credential for the proxy had none to give.
    static func proxyCredentialsFailed(_ error: any Error, _ proxy: ProxyAddress) -> SockeyeError {
        SockeyeError(
            .authenticationFailed, wrapping: error, "the handler of the challenges of the proxy \(proxy) failed",
            request: RequestIdentity(method: "CONNECT", url: proxy.origin))
    }

    /// The proxy answered CONNECT with something else than 2xx.
    init(refusalOf proxy: Proxy, _ head: ResponseHead, body: Bytes, hasAnswered: Bool) {
        var message = "the proxy \(proxy) refused the tunnel with \(head.status)"
        if head.status == 407 {
            message += hasAnswered ? ": it does not take the credentials" : ": it asks for credentials"
        }
        var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: message)
        fields.response = SockeyeError.Evidence(
            status: .withCode(head.status), headers: head.makeFields(), body: body)
        // RFC 9110 15.6.3 to 15.6.5: what a gateway got from the server behind it.
        let isAboutTarget = (502...504).contains(head.status)
        fields.proxyFailure = ProxyFailure(
            proxy: proxy.description, step: isAboutTarget ? .target : .tunnel, reply: head.status)
        self.init(fields)
    }

    /// What the proxy did is not what its protocol allows, or is its refusal.
    init(_ fault: some Error & CustomStringConvertible, of proxy: Proxy) {
        var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: "the proxy \(proxy): \(fault)")
        fields.underlying = fault
        var (step, reply) = (ProxyFailure.Step.tunnel, Int?.none)
        if case .refused(let code)? = fault as? SOCKSFault {
            (step, reply) = (code.isAboutTarget ? .target : .tunnel, Int(code.code))
        }
        fields.proxyFailure = ProxyFailure(proxy: proxy.description, step: step, reply: reply)
        self.init(fields)
    }

    /// The connection to the proxy broke, or took too long, before there was a tunnel.
    init(_ error: TransportError, of proxy: Proxy, configured: Duration?) {
        switch error {
        case .timedOut, .cancelled, .closed:
            self = SockeyeError(error, phase: .connect, configured: configured).reaching(proxy, at: .tunnel)
        default:
            let message = "the connection to the proxy \(proxy) broke before the tunnel was open"
            var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: message)
            fields.underlying = error
            fields.proxyFailure = ProxyFailure(proxy: proxy.description, step: .tunnel, reply: nil)
            self.init(fields)
        }
    }

    /// The same error, which says where it was the proxy that was to be reached, not the server that the URL names.
    func reaching(_ proxy: Proxy?, at step: ProxyFailure.Step) -> SockeyeError {
        guard let proxy, code != .cancelled else { return self }
        return with { fields in
            fields.message = "the proxy \(proxy): \(fields.message)"
            fields.proxyFailure = ProxyFailure(proxy: proxy.description, step: step, reply: nil)
        }
    }

    /// Whether another proxy may be better: this one could not be reached, or did not answer.
    var isOfMissingProxy: Bool {
        guard let proxyFailure, proxyFailure.reply == nil else { return false }
        return (underlying as? SOCKSFault)?.isRefusal != true
    }
}
