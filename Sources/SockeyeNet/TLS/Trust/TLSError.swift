/// The failure of a TLS handshake or connection. A `SockeyeError` with the code `tlsFailed` has this failure in its
/// property `tlsFailure`.
public struct TLSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. Later versions may add more specific ones: give a `switch` a `default`.
    @nonexhaustive public enum Reason: String, Sendable, Hashable {
        /// Roots, certificate, key or another setting of the caller cannot be used.
        case badConfiguration
        /// A certificate of the chain has expired, or is not valid yet.
        case certificateExpired, certificateNotYetValid
        /// The chain does not lead to a trusted root.
        case selfSigned, untrustedRoot, missingIntermediate
        /// The certificate is for other names.
        case hostNameMismatch
        /// The certificate, or that of an issuer, may not be used for servers.
        case wrongPurpose
        /// The certificate has been revoked.
        case certificateRevoked
        /// The revocation status of a certificate is unknown, but the policy or the certificate itself (RFC 7633)
        /// requires a known status.
        case revocationUnknown
        /// A key or digest of the chain is too weak.
        case weakCertificate
        /// Any other fault of a certificate. For example, an issuer's certificate is not that of a CA.
        case certificateInvalid
        /// The peer sent no certificate.
        case noCertificate
        /// No pin matched.
        case pinMismatch
        /// The caller's closure (``TLSOptions/evaluate``) refused the certificate.
        case evaluationRefused
        /// The peers share no TLS version, cipher, ALPN protocol or other required parameter.
        case noCommonGround
        /// The peer sent an alert; ``TLSError/message`` names it.
        case alert
        /// A TLS 1.2 server asked to renegotiate, and ended the connection after the client refused.
        case renegotiation
        /// The peer does not speak TLS.
        case notTLS
        /// The peer closed the connection in the handshake.
        case handshakeClosed
        /// The peer sent too many bytes of TLS records that contain no application data. No legitimate peer sends that
        /// many.
        case flood
        /// The process or the system has no descriptors or memory left.
        case outOfResources
        /// Any other failure.
        case other
    }

    /// The kind of failure.
    public package(set) var reason: Reason
    /// One sentence for people: the fault, and the certificate (subject, issuer, names, dates).
    public package(set) var message: String
    /// OpenSSL's X509_V_ERR_ code, or 0.
    public package(set) var verifyCode: Int
    /// The server's certificates and the result of their verification. Nil if the failure has another cause than the
    /// certificates, or if the server sent no certificate.
    public package(set) var trust: TLSTrust?

    package init(reason: Reason, message: String, verifyCode: Int = 0) {
        self.reason = reason
        self.message = message
        self.verifyCode = verifyCode
    }

    /// True if the peer's certificate was refused or missing.
    package var isOfCertificate: Bool {
        switch reason {
        case .certificateExpired, .certificateNotYetValid, .selfSigned, .untrustedRoot, .missingIntermediate,
            .hostNameMismatch, .wrongPurpose, .certificateRevoked, .revocationUnknown, .weakCertificate,
            .certificateInvalid, .noCertificate, .pinMismatch, .evaluationRefused:
            true
        case .badConfiguration, .noCommonGround, .alert, .renegotiation, .notTLS, .handshakeClosed, .flood,
            .outOfResources, .other:
            false
        }
    }

    /// Returns this error with the evidence as its ``trust``.
    func about(_ evidence: TLSEvidence) -> TLSError {
        var failure = self
        failure.trust = TLSTrust(evidence)
        return failure
    }

    /// Returns true if reason, message and code are equal; ignores ``trust``.
    public static func == (left: TLSError, right: TLSError) -> Bool {
        left.reason == right.reason && left.message == right.message && left.verifyCode == right.verifyCode
    }

    /// Hashes the reason and the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(verifyCode)
    }

    /// The reason and the message.
    public var description: String { "\(reason): \(message)" }
}
