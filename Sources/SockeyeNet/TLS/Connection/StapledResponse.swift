import COpenSSL
package import SockeyeCore

/// Checks the OCSP response that a server has stapled to its handshake (RFC 6960 3.2, RFC 6066 8).
package enum StapledResponse {
    /// Checks a response outside of a handshake, for tools and tests.
    ///
    /// - Parameter issuer: The issuer of `leaf`. The issuer is the only trusted certificate.
    /// - Returns: The status, and the end of the response's validity in seconds since 1970. The end is nil if the
    ///   response was not usable.
    package static func check(
        _ response: Bytes, of leaf: TLSCertificate, issuer: TLSCertificate
    ) -> (status: TLSTrust.RevocationStatus, until: Int?) {
        let finding = CertificateView.read(leaf.der) { leaf in
            CertificateView.read(issuer.der) { issuer -> Finding? in
                guard let chain = unsafe OPENSSL_sk_new_null() else { return nil }
                defer { unsafe OPENSSL_sk_free(chain) }
                for certificate in [leaf, issuer] {
                    guard unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(certificate.pointer)) > 0 else { return nil }
                }
                guard let roots = unsafe X509_STORE_new() else { return nil }
                defer { unsafe X509_STORE_free(roots) }
                // As in ``RootStore``: an explicitly trusted issuer need not be self-signed.
                unsafe X509_STORE_set_flags(roots, UInt(X509_V_FLAG_PARTIAL_CHAIN))
                guard unsafe X509_STORE_add_cert(roots, issuer.pointer) == 1 else { return nil }
                return unsafe response.withUnsafeBytes {
                    unsafe check($0, of: leaf, issuer: issuer, chain: chain, roots: roots)
                }
            }
        }
        guard case .some(.some(.some(let finding))) = finding else {
            return (.notChecked("a certificate is unreadable, or memory is short"), nil)
        }
        return (finding.status, finding.until)
    }

    struct Finding {
        var status: TLSTrust.RevocationStatus
        /// The end of the response's validity in seconds since 1970; nil if the response was not usable.
        var until: Int?
    }

    /// The tolerated difference between the clocks of the responder and this machine, in seconds.
    private static let skew = 300
    /// The maximum age in seconds of a response that states no end of its validity.
    private static let maximumAge = 7 * 86400

    /// Checks a response about `leaf`.
    ///
    /// - Parameters:
    ///   - issuer: The issuer of `leaf`; nil if unknown, which makes the response unusable.
    ///   - chain: Certificates that may include the signer of the response and this signer's issuers.
    ///   - roots: The trusted roots, to which the signer's chain must lead.
    static func check(
        _ response: UnsafeRawBufferPointer, of leaf: CertificateView, issuer: CertificateView?, chain: OpaquePointer,
        roots: OpaquePointer?
    ) -> Finding {
        defer { OpenSSLErrors.clear() }
        func unusable(_ reason: String) -> Finding {
            Finding(status: .notChecked("the stapled response \(reason)"), until: nil)
        }
        var next = unsafe response.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let parsed = unsafe d2i_OCSP_RESPONSE(nil, &next, response.count) else { return unusable("is malformed") }
        defer { unsafe OCSP_RESPONSE_free(parsed) }
        let status = unsafe OCSP_response_status(parsed)
        guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else { return unusable("has the OCSP error status \(status)") }
        guard let basic = unsafe OCSP_response_get1_basic(parsed) else { return unusable("is of an unknown kind") }
        defer { unsafe OCSP_BASICRESP_free(basic) }
        guard let issuer else { return unusable("cannot be checked, since the issuer of the certificate is unknown") }
        guard let single = unsafe find(leaf, issuer, in: basic) else { return unusable("is about other certificates") }
        guard unsafe OCSP_basic_verify(basic, chain, roots, 0) == 1 else {
            return unusable(
                "is signed neither by the issuer nor by an authorised responder: \(OpenSSLErrors.drain().text)")
        }
        return unsafe finding(single)
    }

    private static func finding(_ single: OpaquePointer) -> Finding {
        var thisUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var nextUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var reason: Int32 = 0
        let status = unsafe OCSP_single_get0_status(single, &reason, nil, &thisUpdate, &nextUpdate)
        let age = unsafe nextUpdate == nil ? maximumAge : -1
        guard unsafe OCSP_check_validity(thisUpdate, nextUpdate, skew, age) == 1 else {
            return Finding(status: .notChecked("the stapled response is expired or not yet valid"), until: nil)
        }
        let until =
            unsafe CertificateView.seconds(nextUpdate) ?? CertificateView.seconds(thisUpdate).map { $0 + maximumAge }
        switch status {
        case V_OCSP_CERTSTATUS_GOOD: return Finding(status: .good, until: until)
        case V_OCSP_CERTSTATUS_REVOKED: return Finding(status: .revoked, until: until)
        default:
            return Finding(status: .notChecked("the responder does not know the certificate"), until: nil)
        }
    }

    /// Returns the entry about `leaf` in a response; nil if the response is only about other certificates. An entry
    /// identifies its certificate by hashes; the responder chooses the hash algorithm (RFC 6960 4.1.1).
    private static func find(
        _ leaf: CertificateView, _ issuer: CertificateView, in basic: OpaquePointer
    ) -> OpaquePointer? {
        for index in unsafe 0..<OCSP_resp_count(basic) {
            guard let single = unsafe OCSP_resp_get0(basic, index),
                let named = unsafe OCSP_SINGLERESP_get0_id(single)
            else { continue }
            var function: OpaquePointer?
            unsafe OCSP_id_get0_info(nil, &function, nil, nil, named)
            guard let digest = unsafe sockeye_digest_of(function),
                let wanted = unsafe OCSP_cert_to_id(digest, leaf.pointer, issuer.pointer)
            else { continue }
            defer { unsafe OCSP_CERTID_free(wanted) }
            if unsafe OCSP_id_cmp(wanted, named) == 0 { return unsafe single }
        }
        return nil
    }
}

extension ConnectionHooks {
    /// Installs the check of the server's OCSP response. OpenSSL calls the check when the server's flight is complete:
    /// after the verification of the chain and any decision of ``TLSOptions/evaluate``, and before the client answers.
    static func installStapling(in context: OpaquePointer) {
        unsafe sockeye_ctx_set_status_callback(context) { ssl, _ in
            guard let ssl = unsafe ssl, let hooks = unsafe ConnectionHooks.of(ssl) else { return 0 }
            // A resumed session relies on the checks of its first handshake.
            if unsafe SSL_session_reused(ssl) == 1 { return 1 }
            return unsafe hooks.checkStapledResponse(ssl) ? 1 : 0
        }
    }

    private func checkStapledResponse(_ ssl: OpaquePointer) -> Bool {
        guard let policy = stapling, let evidence else { return true }
        var mustStaple = false
        var finding = StapledResponse.Finding(status: .notChecked("the server staples no response"), until: nil)
        unsafe evidence.withLeaf { leaf, issuer, chain in
            mustStaple = leaf.mustStaple
            var start: UnsafePointer<UInt8>?
            let count = unsafe sockeye_stapled_response(ssl, &start)
            guard let start = unsafe start, count > 0 else { return }
            finding = unsafe StapledResponse.check(
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
            verifyFailure = TLSError(
                reason: .certificateRevoked, message: "the certificate has been revoked, as the stapled response says",
                verifyCode: Int(X509_V_ERR_CERT_REVOKED)
            ).about(seen)
            return false
        case .notChecked(let why):
            guard policy == .hard || mustStaple else { return true }
            let demand = mustStaple ? "; the certificate requires a stapled response (RFC 7633)" : ""
            verifyFailure = TLSError(
                reason: .revocationUnknown,
                message: "it is not known whether the certificate is revoked: \(why)\(demand)",
                verifyCode: Int(X509_V_ERR_APPLICATION_VERIFICATION)
            ).about(seen)
            return false
        }
    }
}
