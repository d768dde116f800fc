/// What is known of a server's certificates: what it sent, what the verification made of it, and why.
///
/// Given to an evaluation (``TLSConfiguration/evaluate``), in ``TLSInfo/trust`` and with every failure. Certificates are
/// decoded when they are asked for. A resumed session sends none: it has those of the handshake that it goes back to.
public struct TLSTrust: Sendable, CustomStringConvertible {
    private let evidence: TLSEvidence

    init(_ evidence: TLSEvidence) {
        self.evidence = evidence
    }

    /// What an evaluation decides.
    public enum Decision: Sendable, Hashable {
        /// The server is trusted, whatever the verification says. Dangerous, unless the closure looks at the certificates.
        case accept
        /// The server is refused for this reason, which the error tells.
        case reject(String)
        /// As without an evaluation: what ``TLSTrust/failure`` says.
        case standard
    }

    /// What is known of the revocation of certificates, by one of the ways to learn of it.
    public enum RevocationStatus: Sendable, Hashable {
        /// This way was not asked for.
        case notAsked
        /// It was looked at, and nothing has been revoked.
        case good
        /// It has been revoked.
        case revoked
        /// It was asked for but could not be looked at, for this reason; the policy is what decides then.
        case notChecked(String)
    }

    /// Whom the client meant to talk to: the name or address that was verified.
    public var host: String { evidence.host }
    /// What the server sent, its own certificate first.
    public var certificates: [TLSCertificate] { evidence.sentCertificates.map { TLSCertificate(der: $0) } }
    /// The chain that OpenSSL built, from the server's certificate to the root. Empty where it found none, and where
    /// ``TLSConfiguration/verification`` does not ask for one. Verified only if ``chainCode`` is 0.
    public var chain: [TLSCertificate] { evidence.chainCertificates.map { TLSCertificate(der: $0) } }
    /// What was asked for.
    public var verification: TLSConfiguration.Verification { evidence.verification }
    /// Why the server is not trusted; nil if it is. Of an evaluation's answer it knows nothing, only of the rules of the
    /// configuration: chain, name and pins as far as they are asked for, lists of revoked certificates.
    public var failure: TLSFailure? { evidence.failure }
    /// OpenSSL's verdict on the chain: 0 if it is good, else an `X509_V_ERR_` code (openssl-verification-options(1)). Nil where
    /// the chain was not looked at.
    public var chainCode: Int? { evidence.chainCode }
    /// Whether a pin matched; nil without pins.
    public var pinsMatched: Bool? { evidence.pinsMatched }
    /// What lists of revoked certificates say (``TLSConfiguration/Revocation``).
    public var revocationLists: RevocationStatus { evidence.lists }
    /// What a stapled OCSP response says. In an evaluation always ``RevocationStatus/notAsked``: it comes later.
    public var stapledResponse: RevocationStatus { evidence.staple }
    /// Whether an evaluation has accepted what the rules refuse.
    public var isOverridden: Bool { evidence.isOverridden }

    /// The host, the server's certificate and the verdict.
    public var description: String {
        let leaf = certificates.first.map(\.description) ?? "no certificate"
        return "\(host): \(leaf), \(failure?.message ?? "trusted")"
    }
}

extension TLSTrust: CustomReflectable {
    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
