import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

extension SockeyeError {
    /// The failure on the way through a proxy. Nil if no proxy was involved. Also nil if the tunnel, or the connection
    /// to a forwarding proxy, was already open: for example, if the target's certificate was refused.
    public var proxyFailure: ProxyFailure? { fields.proxyFailure }

    /// The failed step on the way through a proxy, and the proxy's answer.
    public struct ProxyFailure: Sendable, Hashable {
        /// The steps through a proxy, in order.
        @nonexhaustive public enum Step: String, Sendable, Hashable {
            /// The look-up of the proxy's own name.
            case resolve
            /// The connection to the proxy.
            case connect
            /// TLS with the proxy.
            case tls
            /// The request for a tunnel: the proxy refused it, gave an invalid answer, or gave no answer.
            case tunnel
            /// The connection from the proxy to the target, which failed according to the proxy.
            case target
        }

        /// The proxy, such as `http://proxy.example.com:3128`, without credentials.
        public let proxy: String
        /// The step that failed.
        public let step: Step
        /// The proxy's answer: the status of its response to CONNECT, or the code of a SOCKS reply. Nil if there is no
        /// such status or code. For example, a SOCKS 5 proxy refuses credentials before the request for a connection.
        public let reply: Int?
    }

    /// If the error reports the end of a connection to a forwarding proxy, returns it with the proxy added to its
    /// message. Otherwise returns the error unchanged.
    func naming(_ proxy: Proxy?, for url: HTTPURL) -> SockeyeError {
        guard code == .connectionClosed, let proxy, proxy.forwards(url) else { return self }
        return with { $0.message = "through the proxy \(proxy): \($0.message)" }
    }

    /// The error of a configuration that names no usable proxy. The text never contains the configured value.
    static func badProxy(_ reason: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: reason))
    }

    /// The error of a handler that failed to provide a credential for the proxy.
    static func proxyCredentialsFailed(_ error: any Error, _ proxy: ProxyAddress) -> SockeyeError {
        SockeyeError(
            .authenticationFailed, wrapping: error, "the challenge handler for the proxy \(proxy) threw an error",
            request: RequestIdentity(method: "CONNECT", url: proxy.origin))
    }

    /// The error of a proxy that answered CONNECT with a status other than 2xx.
    ///
    /// - Parameter hasAnswered: True if CONNECT carried credentials, from the settings of the proxy or from the
    ///   caller's fields.
    init(refusalOf proxy: Proxy, _ head: ResponseHead, body: Bytes, hasAnswered: Bool) {
        var message = "the proxy \(proxy) refused the tunnel with \(head.status)"
        if head.status == 407 {
            message += hasAnswered ? ": it rejected the credentials" : ": it asks for credentials"
        }
        var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: message)
        fields.response = SockeyeError.Evidence(
            status: .withCode(head.status), headers: head.makeFields(), body: body)
        // RFC 9110 15.6.3 to 15.6.5: a gateway's report on the server behind it.
        let isAboutTarget = (502...504).contains(head.status)
        fields.proxyFailure = ProxyFailure(
            proxy: proxy.description, step: isAboutTarget ? .target : .tunnel, reply: head.status)
        self.init(fields)
    }

    /// The error of a proxy that violated its protocol or refused to connect.
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

    /// The error of a tunnel that was not opened because the connection to the proxy broke or a time limit passed.
    init(_ error: TransportError, of proxy: Proxy, configured: Duration?) {
        let isBroken =
            switch error {
            case .timedOut, .cancelled, .closed: false
            default: !error.isOutOfResources
            }
        guard isBroken else {
            self = SockeyeError(error, phase: .connect, configured: configured).reaching(proxy, at: .tunnel)
            return
        }
        let message = "the connection to the proxy \(proxy) broke before the tunnel was open"
        var fields = Fields(.proxyFailed, phase: .connect, blame: .peer, message: message)
        fields.underlying = error
        fields.proxyFailure = ProxyFailure(proxy: proxy.description, step: .tunnel, reply: nil)
        self.init(fields)
    }

    /// Returns the same error, marked as a failure to reach the proxy instead of the server that the URL names.
    /// Returns the error unchanged if it is a cancellation or if `proxy` is nil.
    func reaching(_ proxy: Proxy?, at step: ProxyFailure.Step) -> SockeyeError {
        guard let proxy, code != .cancelled else { return self }
        return with { fields in
            fields.message = "the proxy \(proxy): \(fields.message)"
            fields.proxyFailure = ProxyFailure(proxy: proxy.description, step: step, reply: nil)
        }
    }

    /// True if another proxy may succeed: the proxy that the error names could not be reached, gave no valid answer, or
    /// has a protocol that cannot express the target's address, such as SOCKS 4 for IPv6.
    ///
    /// False if this process lacks resources, or if the settings of the proxy are unusable. Also false if the proxy's
    /// certificate was refused: an attacker in the place of the proxy must not be able to divert requests to another
    /// route.
    var isOfMissingProxy: Bool {
        guard let proxyFailure, proxyFailure.reply == nil, code != .outOfResources, code != .badConfiguration else {
            return false
        }
        if tlsFailure?.isOfCertificate == true { return false }
        // `surplusBytes` means that bytes follow the answer to CONNECT: the proxy has answered 2xx, and the target sent
        // bytes before the client did. So the proxy is not the cause.
        if case .surplusBytes? = underlying as? PeerFault { return false }
        return (underlying as? SOCKSFault)?.isRefusal != true
    }

    /// True if requests for other targets would fail, too, because no connection to the proxy could be opened.
    ///
    /// The failure of a tunnel does not count, because the target can cause it.
    var isOfAbsentProxy: Bool {
        guard isOfMissingProxy, blame == .network || blame == .peer, let proxyFailure else { return false }
        switch proxyFailure.step {
        case .resolve, .connect, .tls: return true
        case .tunnel, .target: return false
        }
    }
}
