import COpenSSL

extension ConnectionHooks {
    /// Installs what looks at the OCSP response of a server. OpenSSL calls it when all of the server's flight is there, and
    /// so after the verification of the chain and an evaluation, and before anything is answered.
    static func installStapling(in context: OpaquePointer) {
        unsafe sockeye_ctx_set_status_callback(context) { ssl, _ in
            guard let ssl = unsafe ssl, let hooks = unsafe ConnectionHooks.of(ssl) else { return 0 }
            // A resumed session stands on what was seen when it was made.
            if unsafe SSL_session_reused(ssl) == 1 { return 1 }
            return unsafe hooks.judgeStapled(ssl) ? 1 : 0
        }
    }

    private func judgeStapled(_ ssl: OpaquePointer) -> Bool {
        guard let policy = stapling, let evidence else { return true }
        var mustStaple = false
        var finding = StapledResponse.Finding(status: .notChecked("the server staples no response"), until: nil)
        unsafe evidence.withLeaf { leaf, issuer, chain in
            mustStaple = leaf.mustStaple
            var start: UnsafePointer<UInt8>?
            let count = unsafe sockeye_stapled_response(ssl, &start)
            guard let start = unsafe start, count > 0 else { return }
            finding = unsafe StapledResponse.judge(
                UnsafeRawBufferPointer(start: start, count: count), of: leaf, issuer: issuer, chain: chain,
                roots: SSL_CTX_get_cert_store(SSL_get_SSL_CTX(ssl)))
        }
        let seen = evidence.with { findings in
            findings.staple = finding.status
            if let until = finding.until { findings.expiry = min(until, findings.expiry ?? until) }
        }
        self.evidence = seen
        switch finding.status {
        case .good, .notAsked: return true
        case .revoked:
            verifyFailure = TLSFailure(
                reason: .certificateRevoked, message: "the certificate has been revoked, as the stapled response says",
                verifyCode: Int(X509_V_ERR_CERT_REVOKED)
            ).about(seen)
            return false
        case .notChecked(let why):
            guard policy == .hard || mustStaple else { return true }
            let demand = mustStaple ? ", which its certificate demands (RFC 7633)" : ""
            verifyFailure = TLSFailure(
                reason: .revocationUnknown,
                message: "it is not known whether the certificate is revoked: \(why)\(demand)",
                verifyCode: Int(X509_V_ERR_APPLICATION_VERIFICATION)
            ).about(seen)
            return false
        }
    }
}
