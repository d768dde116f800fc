import COpenSSL
import SockeyeCore

/// The state that OpenSSL's callbacks use for one connection.
///
/// The SSL object has a pointer to this object (`SSL_set_ex_data`). After the set-up, all accesses, including those of
/// the callbacks, are under the lock of the ``TLSStream``.
final class ConnectionHooks {
    var verifier: PeerVerifier?
    /// The caller's closure that decides about the peer after the verifier (``TLSOptions/evaluate``); nil if the
    /// verifier decides.
    var evaluation: TLSOptions.Evaluation?
    /// The decision of `evaluation`; nil before it has decided.
    var decision: TLSTrust.Decision?
    /// The policy for stapled OCSP responses; nil if no response is requested.
    var stapling: TLSOptions.Revocation.Policy?
    /// The peer's certificates and the findings about them; for a resumed session, those of its first handshake.
    var evidence: TLSEvidence?
    /// The reason why the peer was refused.
    var verifyFailure: TLSError?
    /// The OCSP response that this side staples as a server.
    var stapledResponse: Bytes?
    /// The cache for the sessions that the server offers, and their key in it; nil without a cache and on a server.
    var sessions: (cache: TLSSessionCache, key: TLSSessionCache.Key)?
    /// True if a session has arrived, whether the cache stored it or not. OpenSSL then holds a superfluous buffer,
    /// which ``TLSEngine/releaseBuffers()`` frees.
    var tookSession = false
    /// True if OpenSSL refused the server's request to renegotiate (RFC 5246 7.4.1.1), and the server has sent no
    /// content since.
    var wasAskedToRenegotiate = false
    var keyLog: KeyLog?
    /// The ALPN protocols that a server accepts, best first.
    var acceptedProtocols: [[UInt8]] = []

    /// Applies the evaluation's decision. Returns false if there is no decision yet.
    func applyDecision() -> Bool {
        guard let decision, let evidence else { return false }
        apply(decision, on: evidence)
        return true
    }

    private func apply(_ decision: TLSTrust.Decision, on evidence: TLSEvidence) {
        switch decision {
        case .standard: verifyFailure = evidence.failure?.about(evidence)
        case .accept: self.evidence = evidence.with { $0.isOverridden = evidence.failure != nil }
        case .reject(let reason):
            verifyFailure = TLSError(
                reason: .evaluationRefused, message: "the evaluation refused the server: \(reason)",
                verifyCode: Int(X509_V_ERR_APPLICATION_VERIFICATION)
            ).about(evidence)
        }
    }

    /// Attaches these hooks to `ssl`; the owner must keep them alive as long as `ssl`. Returns false if OpenSSL lacks
    /// memory.
    func attach(to ssl: OpaquePointer) -> Bool {
        unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
    }

    static func of(_ ssl: OpaquePointer?) -> ConnectionHooks? {
        guard let ssl = unsafe ssl, let pointer = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
        return unsafe Unmanaged<ConnectionHooks>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Installs the callbacks that use these hooks.
    static func install(in context: OpaquePointer) {
        unsafe SSL_CTX_set_cert_verify_callback(context, verifyPeer, nil)
        unsafe SSL_CTX_sess_set_new_cb(context) { ssl, session in
            let hooks = unsafe ConnectionHooks.of(ssl)
            hooks?.tookSession = true
            guard let session = unsafe session, let sessions = hooks?.sessions else { return 0 }
            // 1 tells OpenSSL that the cache now owns the reference.
            return unsafe sessions.cache.store(session, for: sessions.key, hooks?.evidence) ? 1 : 0
        }
        unsafe SSL_CTX_set_info_callback(context) { ssl, place, alert in
            // OpenSSL answers a HelloRequest with the alert no_renegotiation. The low byte of `alert` is the alert's
            // number.
            guard place == SSL_CB_ALERT | SSL_CB_WRITE, alert & 0xFF == SSL_AD_NO_RENEGOTIATION else { return }
            unsafe ConnectionHooks.of(ssl)?.wasAskedToRenegotiate = true
        }
        unsafe SSL_CTX_set_keylog_callback(context) { ssl, line in
            guard let line = unsafe line else { return }
            unsafe ConnectionHooks.of(ssl)?.keyLog?.append(line)
        }
    }
}

private func verifyPeer(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let store = unsafe store,
        let pointer = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let hooks = unsafe ConnectionHooks.of(OpaquePointer(pointer)), let verifier = hooks.verifier
    else { return 0 }
    if hooks.evaluation != nil {
        guard hooks.applyDecision() else {
            // OpenSSL calls this function again when the handshake continues. Until then OpenSSL sends nothing.
            hooks.evidence = unsafe verifier.verify(store)
            return unsafe sockeye_set_retry_verify(OpaquePointer(pointer))
        }
    } else {
        let evidence = unsafe verifier.verify(store)
        hooks.evidence = evidence
        hooks.verifyFailure = evidence.failure?.about(evidence)
    }
    // OpenSSL derives the alert to the peer from this code.
    unsafe X509_STORE_CTX_set_error(store, Int32(hooks.verifyFailure?.verifyCode ?? 0))
    return hooks.verifyFailure == nil ? 1 : 0
}
