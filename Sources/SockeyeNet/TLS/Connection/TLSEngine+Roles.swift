import COpenSSL
import SockeyeCore

extension TLSEngine {
    /// An engine that is about to send its ClientHello, with a session to resume if there is one.
    static func client(
        over lower: any ByteStream, name: PeerName, context: TLSContext, sessions: TLSSessionCache?, sessionKey: String
    ) throws(TransportError) -> TLSEngine {
        let engine = try TLSEngine(over: lower, context: context.object, owner: context)
        let hooks = engine.hooks
        hooks.verifier = context.verifier(for: name)
        hooks.evaluation = context.configuration.evaluation
        hooks.stapling = context.configuration.revocation.stapling
        if hooks.stapling != nil { unsafe sockeye_ask_for_status(engine.ssl) }
        hooks.keyLog = context.keyLog
        if context.configuration.usesKernelTLS { engine.offerKernel() }
        unsafe SSL_set_connect_state(engine.ssl)
        if case .dns(let host) = name, unsafe sockeye_set_server_name(engine.ssl, host) != 1 {
            OpenSSLErrors.clear()
            throw .tls(TLSFailure(reason: .badConfiguration, message: "'\(host)' cannot be sent as a server name"))
        }
        if let sessions {
            let key = TLSSessionCache.Key(context: context.identifier, server: name, key: sessionKey)
            hooks.sessions = (sessions, key)
            if let session = sessions.take(for: key) {
                hooks.evidence = session.evidence
                unsafe session.object.withPointer { _ = unsafe SSL_set_session(engine.ssl, $0) }
            }
        }
        return engine
    }

    /// An engine that waits for a ClientHello.
    static func server(over lower: any ByteStream, context: TLSServerContext) throws(TransportError) -> TLSEngine {
        let engine = try TLSEngine(over: lower, context: context.object, owner: context)
        engine.hooks.verifier = PeerVerifier(verification: .chainOnly, name: nil)
        engine.hooks.stapledResponse = context.configuration.stapledResponse
        engine.hooks.acceptedProtocols = context.acceptedProtocols
        unsafe SSL_set_accept_state(engine.ssl)
        return engine
    }

    /// To be called before the handshake, in which keys are handed over.
    func offerKernel() {
        link.offerKernel()
        if link.kernel != nil { unsafe SSL_set_options(ssl, sockeye_op_enable_ktls) }
    }

    /// A server that refuses a session would refuse it again.
    func forgetSessions() {
        guard let sessions = hooks.sessions else { return }
        sessions.cache.remove(sessions.key)
    }
}
