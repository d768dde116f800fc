import COpenSSL

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
