/// Why a TLS connection could not be made or went bad. `tlsFailure` of an error with the code `tlsFailed`.
public struct TLSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure. Later versions may tell more of them apart: give a `switch` a `default`.
    @nonexhaustive public enum Reason: String, Sendable, Hashable {
        /// Roots, certificate, key or another setting of the caller cannot be used.
        case badConfiguration
        /// A certificate of the chain has expired, or is not valid yet.
        case certificateExpired, certificateNotYetValid
        /// Nobody who is trusted vouches for the certificate.
        case selfSigned, untrustedRoot, missingIntermediate
        /// The certificate is for others.
        case hostNameMismatch
        /// The certificate is not for servers, or an issuer's not for issuing.
        case wrongPurpose
        /// The certificate has been revoked.
        case certificateRevoked
        /// Whether the certificate has been revoked could not be found out, and the policy wants to know.
        case revocationUnknown
        /// A key or digest of the chain is too weak.
        case weakCertificate
        /// Anything else that is wrong with a certificate.
        case certificateInvalid
        /// The peer sent no certificate.
        case noCertificate
        /// No pin matched.
        case pinMismatch
        /// The caller's evaluation refused the certificate.
        case evaluationRefused
        /// No protocol version or cipher in common.
        case noCommonGround
        /// The peer sent an alert; ``TLSError/message`` names it.
        case alert
        /// A server of TLS 1.2 wanted to renegotiate, and ended the connection when that was refused.
        case renegotiation
        /// The peer does not speak TLS.
        case notTLS
        /// The peer closed the connection in the handshake.
        case handshakeClosed
        /// The peer sends more records without content than any honest one.
        case flood
        /// Files could not be opened, since the process or the system has no descriptors or memory left.
        case outOfResources
        /// Anything else.
        case other
    }

    /// What kind of failure.
    public package(set) var reason: Reason
    /// One sentence for people: what was wrong with which certificate (subject, issuer, names, dates).
    public package(set) var message: String
    /// OpenSSL's X509_V_ERR_ code, or 0.
    public package(set) var verifyCode: Int
    /// The server's certificates and what was made of them; nil where none came.
    public package(set) var trust: TLSTrust?

    package init(reason: Reason, message: String, verifyCode: Int = 0) {
        self.reason = reason
        self.message = message
        self.verifyCode = verifyCode
    }

    /// The same with what it is about.
    func about(_ evidence: TLSEvidence) -> TLSError {
        var failure = self
        failure.trust = TLSTrust(evidence)
        return failure
    }

    /// Whether two failures say the same; of what they are about, nothing.
    public static func == (left: TLSError, right: TLSError) -> Bool {
        left.reason == right.reason && left.message == right.message && left.verifyCode == right.verifyCode
    }

    /// Of reason and code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(verifyCode)
    }

    /// The reason and the message.
    public var description: String { "\(reason): \(message)" }
}
