import COpenSSL

extension TLSOptions.Pinning {
    /// Returns true if this certificate or its key is pinned.
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

    /// The result of the search for a chain from a leaf certificate to a pinned certificate or key.
    enum Anchoring {
        /// A chain of signatures leads to a pin.
        case reached
        /// A chain leads to a pin, but one of its certificates is too weak, has expired or is not valid yet.
        case unusable(TLSError)
        case missed
    }

    /// Searches for a chain of signatures from `leaf` to a pinned certificate or key. Configured roots are not used.
    ///
    /// With pinned keys, OpenSSL checks only the signatures, the security level, and the extensions that
    /// X509_verify_cert(3) always checks, such as basicConstraints of issuers. With pinned certificates, it also checks
    /// that the chain is valid now and for TLS servers.
    ///
    /// - Parameters:
    ///   - sent: The certificates that the peer sent. A pinned certificate need not be among them, unless only its
    ///     digest is known.
    ///   - level: OpenSSL's security level, which excludes weak keys and digests. With such a key or digest, anyone
    ///     could forge a signature of the chain.
    func anchors(_ leaf: CertificateView, among sent: OpaquePointer?, level: Int32) -> Anchoring {
        guard let store = unsafe X509_STORE_new() else { return .missed }
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
                count += Int(CertificateView.read(der) { unsafe X509_STORE_add_cert(store, $0.pointer) } ?? 0)
            }
        }
        guard count > 0, let context = unsafe X509_STORE_CTX_new() else { return .missed }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, store, leaf.pointer, sent) == 1 else { return .missed }
        unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if needsAll {
            unsafe X509_STORE_CTX_set_default(context, "ssl_server")
        } else {
            unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
        unsafe X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(context), level)
        if unsafe X509_verify_cert(context) == 1 { return .reached }
        let failure = unsafe TLSError(chain: context)
        switch failure.reason {
        case .certificateExpired, .certificateNotYetValid, .weakCertificate: return .unusable(failure)
        default: return .missed
        }
    }
}
