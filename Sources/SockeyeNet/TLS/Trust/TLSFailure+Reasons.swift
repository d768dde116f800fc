import COpenSSL
import SockeyePlatform

extension TLSFailure {
    /// The failure of a handshake or of a connection, from what OpenSSL left behind.
    ///
    /// - Parameter parametersAgreed: false before the peer has accepted a version and a cipher; a `handshake_failure`
    ///   until then means that nothing was acceptable, afterwards usually that a certificate was not.
    init(_ errors: OpenSSLErrors, parametersAgreed: Bool) {
        if let alert = errors.peerAlert {
            self.init(alert: alert, parametersAgreed: parametersAgreed)
        } else if Self.noCommonGroundReasons.contains(where: errors.contains) {
            self.init(
                reason: .noCommonGround, message: "no TLS version or cipher in common with the peer: \(errors.text)")
        } else if !parametersAgreed, Self.notTLSReasons.contains(where: errors.contains) {
            self.init(reason: .notTLS, message: "the peer does not speak TLS: \(errors.text)")
        } else if Self.weakReasons.contains(where: errors.contains) {
            self.init(reason: .weakCertificate, message: "a certificate or key is too weak: \(errors.text)")
        } else if errors.contains(SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) {
            self.init(reason: .noCertificate, message: "the peer sent no certificate although one is required")
        } else {
            self.init(reason: .other, message: "TLS failed: \(errors.text)")
        }
    }

    private init(alert: Int32, parametersAgreed: Bool) {
        let name = TLSAlert.name(alert)
        switch alert {
        case _ where parametersAgreed:
            self.init(reason: .alert, message: "the peer refused the connection with the TLS alert \(name)")
        case TLSAlert.protocolVersion:
            self.init(reason: .noCommonGround, message: "the peer accepts none of the TLS versions offered: \(name)")
        case TLSAlert.insufficientSecurity, TLSAlert.noApplicationProtocol:
            self.init(reason: .noCommonGround, message: "the peer accepts nothing that was offered: \(name)")
        case TLSAlert.handshakeFailure:
            self.init(
                reason: .noCommonGround, message: "the peer accepts no cipher or parameter that was offered: \(name)")
        default:
            self.init(reason: .alert, message: "the peer refused the connection with the TLS alert \(name)")
        }
    }

    private static let noCommonGroundReasons = [
        SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_NO_CIPHERS_AVAILABLE, SSL_R_NO_SHARED_CIPHER,
        SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SUITABLE_KEY_SHARE,
        SSL_R_NO_SUITABLE_GROUPS, SSL_R_VERSION_TOO_LOW, SSL_R_WRONG_SSL_VERSION, SSL_R_WRONG_CIPHER_RETURNED,
        SSL_R_UNKNOWN_SSL_VERSION, SSL_R_DH_KEY_TOO_SMALL, SSL_R_NO_APPLICATION_PROTOCOL,
    ]

    private static let notTLSReasons = [
        SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG,
        SSL_R_BAD_RECORD_TYPE, SSL_R_UNKNOWN_PROTOCOL,
    ]

    private static let weakReasons = [
        SSL_R_EE_KEY_TOO_SMALL, SSL_R_CA_KEY_TOO_SMALL, SSL_R_CA_MD_TOO_WEAK,
    ]
}

extension TLSFailure {
    /// Why a chain was not accepted: the reason, and which certificate of it is to blame.
    init(chain store: OpaquePointer) {
        let code = unsafe X509_STORE_CTX_get_error(store)
        let depth = unsafe X509_STORE_CTX_get_error_depth(store)
        let pointer = unsafe X509_STORE_CTX_get_current_cert(store) ?? X509_STORE_CTX_get0_cert(store)
        guard let pointer = unsafe pointer else {
            self.init(reason: .noCertificate, message: "the peer sent no certificate", verifyCode: Int(code))
            return
        }
        let certificate = unsafe CertificateView(pointer: pointer)
        // The peer's own list holds one certificate when it left out everything that should lead to a root.
        let sent = unsafe X509_STORE_CTX_get0_untrusted(store).map { unsafe OPENSSL_sk_num($0) } ?? 0
        let reason = Self.reason(code, lacksIssuer: depth == 0 && sent <= 1 && certificate.namesIssuerLocation)
        // OpenSSL opens the files of a roots directory when it looks for an issuer.
        if reason == .untrustedRoot || reason == .missingIntermediate, let shortage = SystemError.descriptorShortage {
            self.init(
                reason: .outOfResources,
                message:
                    "no issuer of the certificate \(certificate.summary) can be looked for: \(shortage.text)",
                verifyCode: Int(code))
            return
        }
        let text = Self.text(reason, code: code, certificate: certificate)
        let place = depth > 0 ? " (\(depth) above the peer's own certificate)" : ""
        self.init(
            reason: reason, message: "the certificate \(certificate.summary) \(text)\(place)", verifyCode: Int(code))
    }

    /// There is no list that could be used: none of the issuer, or not for this time.
    static let unknownRevocation: Set = [
        X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_CRL_NOT_YET_VALID,
        X509_V_ERR_DIFFERENT_CRL_SCOPE,
    ]

    private static func reason(_ code: Int32, lacksIssuer: Bool) -> Reason {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .certificateExpired
        case X509_V_ERR_CERT_NOT_YET_VALID: .certificateNotYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            lacksIssuer ? .missingIntermediate : .untrustedRoot
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED: .untrustedRoot
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .hostNameMismatch
        case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_CERT_REJECTED: .wrongPurpose
        case X509_V_ERR_CERT_REVOKED: .certificateRevoked
        case _ where unknownRevocation.contains(code): .revocationUnknown
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK: .weakCertificate
        default: .certificateInvalid
        }
    }

    private static func text(_ reason: Reason, code: Int32, certificate: CertificateView) -> String {
        switch reason {
        case .certificateExpired: "expired on \(certificate.notAfter)"
        case .certificateNotYetValid: "is not valid before \(certificate.notBefore)"
        case .selfSigned: "is self-signed and not among the trusted roots"
        case .missingIntermediate:
            "has an issuer that is not trusted itself, and the peer did not send the intermediate certificate"
        case .untrustedRoot: "has no issuer among the trusted roots and the certificates that the peer sent"
        case .wrongPurpose: "is not meant for this purpose (extended key usage)"
        case .certificateRevoked: "has been revoked"
        case .revocationUnknown:
            unsafe "may have been revoked: \(String(cString: X509_verify_cert_error_string(Int(code))))"
        case .weakCertificate where code == X509_V_ERR_CA_MD_TOO_WEAK: "is signed with a digest that is too weak"
        case .weakCertificate: "has a key that is too short"
        default: unsafe "is not acceptable: \(String(cString: X509_verify_cert_error_string(Int(code))))"
        }
    }
}
