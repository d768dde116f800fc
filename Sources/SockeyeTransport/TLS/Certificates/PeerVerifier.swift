import COpenSSL

/// Decides about the certificates of a peer while the handshake is going on, so that a refused peer is told by an alert
/// and receives nothing: no client certificate, no request.
struct PeerVerifier {
    let verification: TLSConfiguration.Verification
    /// Nil where the peer is a client, which has no name to match.
    let name: PeerName?
    let pins: PinSet?

    /// Nil when the peer is accepted. `store` is the X509_STORE_CTX that OpenSSL has prepared: roots, purpose and
    /// security level are set.
    func verify(_ store: OpaquePointer) -> TLSFailure? {
        if verification.checksChain, unsafe X509_verify_cert(store) != 1 {
            return unsafe TLSFailure(chain: store)
        }
        guard let pointer = unsafe X509_STORE_CTX_get0_cert(store) else {
            return unsafe refuse(
                store, X509_V_ERR_APPLICATION_VERIFICATION, .noCertificate, "the peer sent no certificate")
        }
        let leaf = unsafe CertificateView(pointer: pointer)
        if verification.checksHostName, let name, let failure = unsafe verify(name, of: leaf, store) { return failure }
        if let pins, unsafe !chain(of: store, leaf: leaf).contains(where: pins.matches) {
            return unsafe refuse(
                store, X509_V_ERR_APPLICATION_VERIFICATION, .pinMismatch,
                "no certificate of the chain of \(leaf.summary) is pinned; its key is \(leaf.publicKeyPin ?? "unreadable")"
            )
        }
        unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
        return nil
    }

    private func verify(_ name: PeerName, of leaf: CertificateView, _ store: OpaquePointer) -> TLSFailure? {
        let names = AlternativeNames(leaf)
        guard !names.contains(name) else { return nil }
        return unsafe refuse(
            store, X509_V_ERR_HOSTNAME_MISMATCH, .hostNameMismatch,
            "the certificate \(leaf.summary) is for \(names.text), not for \(name)")
    }

    /// What a pin may match. An unverified chain can carry anybody's certificates: only its leaf proves a key.
    private func chain(of store: OpaquePointer, leaf: CertificateView) -> [CertificateView] {
        guard verification.checksChain, let list = unsafe X509_STORE_CTX_get0_chain(store) else { return [leaf] }
        return unsafe (0..<OPENSSL_sk_num(list)).compactMap { index in
            unsafe OPENSSL_sk_value(list, index).map { unsafe CertificateView(pointer: OpaquePointer($0)) }
        }
    }

    private func refuse(
        _ store: OpaquePointer, _ code: Int32, _ reason: TLSFailure.Reason, _ message: String
    ) -> TLSFailure {
        unsafe X509_STORE_CTX_set_error(store, code)
        return TLSFailure(reason: reason, message: message, verifyCode: Int(code))
    }
}
