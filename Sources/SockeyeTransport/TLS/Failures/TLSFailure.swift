/// Why a TLS connection could not be made or went bad.
package struct TLSFailure: Error, Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable {
        /// Roots, certificate or key given by the caller cannot be used.
        case badConfiguration
        case certificateExpired, certificateNotYetValid, selfSigned, untrustedRoot, missingIntermediate
        case hostNameMismatch, wrongPurpose, certificateRevoked, weakCertificate, certificateInvalid
        case noCertificate, pinMismatch
        /// No protocol version or cipher in common.
        case noCommonGround
        /// The peer sent an alert; `message` names it.
        case alert
        /// The peer does not speak TLS.
        case notTLS
        case handshakeClosed
        /// Files could not be opened, since the process or the system has no descriptors or memory left.
        case outOfResources
        case other
    }

    package var reason: Reason
    /// One sentence for people: what was wrong with which certificate (subject, issuer, names, dates).
    package var message: String
    /// OpenSSL's X509_V_ERR_ code, or 0.
    package var verifyCode: Int

    package init(reason: Reason, message: String, verifyCode: Int = 0) {
        self.reason = reason
        self.message = message
        self.verifyCode = verifyCode
    }
}
