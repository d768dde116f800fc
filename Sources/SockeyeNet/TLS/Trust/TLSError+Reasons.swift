import COpenSSL
import SockeyePlatform

extension TLSError {
    /// Converts OpenSSL's error queue to the error of a failed handshake or connection.
    ///
    /// - Parameter parametersAgreed: False before the peer has accepted a version and a cipher. Until then, the alert
    ///   `handshake_failure` means that the peer accepts no offered version or cipher. Afterwards, it usually means
    ///   that the peer refused a certificate.
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

    /// The error if a TLS 1.2 server asked to renegotiate, and ended the connection after the client refused.
    static let renegotiation = TLSError(
        reason: .renegotiation,
        message: "the server wanted to renegotiate, which this client refuses; the server probably needs a client "
            + "certificate: configure the server to request it in the first handshake or over TLS 1.3")

    private init(alert: Int32, parametersAgreed: Bool) {
        let name = TLSAlert.name(alert)
        switch alert {
        case _ where parametersAgreed:
            self.init(reason: .alert, message: "the peer refused the connection with the TLS alert \(name)")
        case TLSAlert.protocolVersion:
            self.init(reason: .noCommonGround, message: "the peer accepts none of the TLS versions offered: \(name)")
        case TLSAlert.insufficientSecurity, TLSAlert.noApplicationProtocol:
            self.init(
                reason: .noCommonGround,
                message: "the peer accepts none of the offered protocols or parameters: \(name)")
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

extension TLSError {
    /// Creates the error of a refused chain: the reason, and the certificate that caused it.
    init(chain store: OpaquePointer) {
        let code = unsafe X509_STORE_CTX_get_error(store)
        let depth = unsafe X509_STORE_CTX_get_error_depth(store)
        let pointer = unsafe X509_STORE_CTX_get_current_cert(store) ?? X509_STORE_CTX_get0_cert(store)
        guard let pointer = unsafe pointer else {
            self.init(reason: .noCertificate, message: "the peer sent no certificate", verifyCode: Int(code))
            return
        }
        let certificate = unsafe CertificateView(pointer: pointer)
        // If the peer sent only one certificate, it may have left out the intermediates.
        let sent = unsafe X509_STORE_CTX_get0_untrusted(store).map { unsafe OPENSSL_sk_num($0) } ?? 0
        let reason = Self.reason(code, lacksIssuer: depth == 0 && sent <= 1 && certificate.namesIssuerLocation)
        // OpenSSL opens the files of a roots directory when it searches for an issuer. Without a free descriptor it
        // finds no issuer.
        if reason == .untrustedRoot || reason == .missingIntermediate, let shortage = SystemError.descriptorShortage {
            self.init(
                reason: .outOfResources,
                message:
                    "the issuer of the certificate \(certificate.summary) cannot be searched for: \(shortage.text)",
                verifyCode: Int(code))
            return
        }
        let text = Self.text(reason, code: code, certificate: certificate)
        let place = depth > 0 ? " (at depth \(depth) of the peer's chain)" : ""
        self.init(
            reason: reason, message: "the certificate \(certificate.summary) \(text)\(place)", verifyCode: Int(code))
    }

    /// The codes for an unusable revocation list (CRL): the issuer's list is missing, is not valid now, or has another
    /// scope.
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
            "has no issuer among the trusted roots, and the peer sent no intermediate certificate"
        case .untrustedRoot: "has no issuer among the trusted roots and the certificates that the peer sent"
        case .wrongPurpose: "is not meant for this purpose (key usage or extended key usage)"
        case .certificateRevoked: "has been revoked"
        case .revocationUnknown:
            unsafe "may have been revoked: \(String(cString: X509_verify_cert_error_string(Int(code))))"
        case .weakCertificate where code == X509_V_ERR_CA_MD_TOO_WEAK: "is signed with a digest that is too weak"
        case .weakCertificate: "has a key that is too short"
        default: unsafe "is not acceptable: \(String(cString: X509_verify_cert_error_string(Int(code))))"
        }
    }
}

/// The names of TLS alerts (RFC 8446 appendix B.2, RFC 5246 7.2).
enum TLSAlert {
    static let handshakeFailure: Int32 = 40
    static let protocolVersion: Int32 = 70
    static let insufficientSecurity: Int32 = 71
    static let noApplicationProtocol: Int32 = 120

    private static let names: [Int32: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied",
        50: "decode_error", 51: "decrypt_error", 60: "export_restriction", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
        111: "certificate_unobtainable", 112: "unrecognized_name", 113: "bad_certificate_status_response",
        114: "bad_certificate_hash_value", 115: "unknown_psk_identity", 116: "certificate_required",
        120: "no_application_protocol",
    ]

    /// The record type of alerts, and the level of fatal alerts (RFC 8446 5.1 and 6).
    fileprivate static let recordType: UInt8 = 21
    fileprivate static let fatal: UInt8 = 2

    static func name(_ number: Int32) -> String {
        names[number].map { "\($0) (\(number))" } ?? "unknown alert (\(number))"
    }
}

/// Recognises the header of a TLS record (RFC 8446 5.1) where another protocol was expected.
package enum TLSRecord {
    /// Describes the record at the start of `bytes`; nil if they do not start with a content type and major version 3.
    package static func description(of bytes: some Collection<UInt8>) -> String? {
        let start = Array(bytes.prefix(7))
        guard start.count > 1, (20...23).contains(start[0]), start[1] == 3 else { return nil }
        guard start.count == 7, start[0] == TLSAlert.recordType, start[5] == TLSAlert.fatal else {
            return "a TLS record"
        }
        return "the TLS alert \(TLSAlert.name(Int32(start[6])))"
    }
}
