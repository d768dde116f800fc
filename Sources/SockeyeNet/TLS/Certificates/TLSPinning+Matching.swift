import COpenSSL

extension TLSPinning {
    /// Whether this very certificate, or its key, is pinned.
    func matches(_ certificate: CertificateView) -> Bool {
        switch kind {
        case .publicKeys(let pins):
            guard let digest = certificate.publicKeyPin else { return false }
            return pins.contains(PublicKeyPin(description: digest))
        case .certificates(let pins):
            let digest = certificate.fingerprint
            return pins.contains { $0.description == digest }
        }
    }

    /// Whether signatures lead from `leaf` to something that is pinned, which is the only anchor then.
    ///
    /// It does not matter who else is trusted: so it serves where nobody is. Certificates must be in date and for servers as
    /// in any chain; of keys no more is asked than that one of them has signed what the other one has, since who pins
    /// the key of a server does not care what its certificate says.
    ///
    /// - Parameter sent: what the peer sent; a pinned certificate need not be among them, unless only its digest is known.
    func anchors(_ leaf: CertificateView, among sent: OpaquePointer?) -> Bool {
        guard let store = unsafe X509_STORE_new() else { return false }
        defer { unsafe X509_STORE_free(store) }
        defer { OpenSSLErrors.clear() }
        var count = 0
        for candidate in unsafe sent.map({ unsafe TLSEvidence.all($0) }) ?? [leaf] where matches(candidate) {
            count += Int(unsafe X509_STORE_add_cert(store, candidate.pointer))
        }
        var needsAll = false
        if case .certificates(let pins) = kind {
            needsAll = true
            for der in pins.compactMap(\.der) {
                count += Int(PinnedCertificate.read(der) { unsafe X509_STORE_add_cert(store, $0.pointer) } ?? 0)
            }
        }
        guard count > 0, let context = unsafe X509_STORE_CTX_new() else { return false }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, store, leaf.pointer, sent) == 1 else { return false }
        unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if needsAll {
            unsafe X509_STORE_CTX_set_default(context, "ssl_server")
        } else {
            unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
        return unsafe X509_verify_cert(context) == 1
    }
}
