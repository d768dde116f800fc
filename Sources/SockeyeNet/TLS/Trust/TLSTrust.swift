import COpenSSL
import SockeyeCore

/// What is known of a server's certificates: what it sent, what the verification made of it, and why.
///
/// Given to an evaluation (``TLSOptions/evaluate``), in ``TLSInfo/trust`` and with every failure. Certificates are
/// decoded when they are asked for. A resumed session sends none: it has those of the handshake that it goes back to.
public struct TLSTrust: Sendable, CustomStringConvertible {
    private let evidence: TLSEvidence

    init(_ evidence: TLSEvidence) {
        self.evidence = evidence
    }

    /// What an evaluation decides.
    @nonexhaustive public enum Decision: Sendable, Hashable {
        /// The server is trusted, whatever the verification says. Dangerous, unless the closure looks at the certificates.
        case accept
        /// The server is refused for this reason, which the error tells.
        case reject(String)
        /// As without an evaluation: what ``TLSTrust/failure`` says.
        case standard
    }

    /// What is known of the revocation of certificates, by one of the ways to learn of it.
    @nonexhaustive public enum RevocationStatus: Sendable, Hashable {
        /// This way was not asked for.
        case notAsked
        /// It was looked at, and nothing has been revoked.
        case good
        /// It has been revoked.
        case revoked
        /// It was asked for but could not be looked at, for this reason; the policy is what decides then.
        case notChecked(String)
    }

    /// What must be true of a server's certificate. Everything but ``full`` gives an attacker in the middle a way in,
    /// unless ``TLSOptions/pinning`` closes it again.
    @nonexhaustive public enum Verification: Sendable, Hashable {
        /// The chain leads to a trusted root, nothing in it has expired, and the host is among the subject
        /// alternative names.
        case full
        /// As ``full``, but the certificate may be for any host. Dangerous: any holder of any trusted certificate can
        /// pose as the server.
        case chainOnly
        /// The host must match, but nobody has to vouch for the certificate, which may also have expired. Needs
        /// ``TLSOptions/pinning`` or ``TLSOptions/evaluate``, for a name that anybody can write proves nothing: without
        /// either every request fails. It is how a self-signed server is trusted by its pin.
        case hostNameOnly
        /// Anything goes. Dangerous: this connection protects from nobody who can touch the network.
        case none

        package var checksChain: Bool { self == .full || self == .chainOnly }
        package var checksHostName: Bool { self == .full || self == .hostNameOnly }
    }

    /// Whom the client meant to talk to: the name or address that was verified.
    public var host: String { evidence.host }
    /// What the server sent, its own certificate first.
    public var certificates: [TLSCertificate] { evidence.sentCertificates.map { TLSCertificate(der: $0) } }
    /// The chain that OpenSSL built, from the server's certificate to the root. Empty where it found none, and where
    /// ``TLSOptions/verification`` does not ask for one. Verified only if ``chainCode`` is 0.
    public var chain: [TLSCertificate] { evidence.chainCertificates.map { TLSCertificate(der: $0) } }
    /// What was asked for.
    public var verification: Verification { evidence.verification }
    /// Why the server is not trusted; nil if it is. Of an evaluation's answer it knows nothing, only of the rules of the
    /// configuration: chain, name and pins as far as they are asked for, lists of revoked certificates.
    public var failure: TLSError? { evidence.failure }
    /// OpenSSL's verdict on the chain: 0 if it is good, else an `X509_V_ERR_` code (openssl-verification-options(1)). Nil where
    /// the chain was not looked at.
    public var chainCode: Int? { evidence.chainCode }
    /// Whether a pin matched; nil without pins.
    public var pinsMatched: Bool? { evidence.pinsMatched }
    /// What lists of revoked certificates say (``TLSOptions/Revocation``).
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

/// The certificates of a peer in a full handshake, and the findings about them. Made once and never changed, so that a session which
/// is resumed later can stand on it: such a handshake shows nothing.
///
/// The certificates stay OpenSSL's objects until they are asked for.
final class TLSEvidence: Sendable {
    let host: String
    let verification: TLSTrust.Verification
    /// What the peer sent, its own certificate first.
    private let sent: OpenSSLObject?
    /// From the peer's certificate to the anchor; nil where no chain was found or none looked for.
    private let chain: OpenSSLObject?
    /// Why the peer is refused, by the configuration's own rules.
    let failure: TLSError?
    /// OpenSSL's result for the chain, an X509_V_ERR_ code, 0 for a good one; nil where none was verified.
    let chainCode: Int?
    /// Nil without pins.
    let pinsMatched: Bool?
    let lists: TLSTrust.RevocationStatus
    let staple: TLSTrust.RevocationStatus
    /// Whether an evaluation has accepted what the rules refuse.
    let isOverridden: Bool
    /// When a session that stands on this must not be resumed any more, in seconds since 1970.
    let expiry: Int?

    struct Findings {
        var failure: TLSError?
        var chainCode: Int?
        var pinsMatched: Bool?
        var lists = TLSTrust.RevocationStatus.notAsked
        var staple = TLSTrust.RevocationStatus.notAsked
        var isOverridden = false
        var expiry: Int?
    }

    init(
        host: String, verification: TLSTrust.Verification, sent: OpenSSLObject?, chain: OpenSSLObject?,
        _ findings: Findings
    ) {
        self.host = host
        self.verification = verification
        self.sent = sent
        self.chain = chain
        failure = findings.failure
        chainCode = findings.chainCode
        pinsMatched = findings.pinsMatched
        lists = findings.lists
        staple = findings.staple
        isOverridden = findings.isOverridden
        expiry = findings.expiry
    }

    /// The same with more found out.
    func with(_ change: (inout Findings) -> Void) -> TLSEvidence {
        var findings = Findings(
            failure: failure, chainCode: chainCode, pinsMatched: pinsMatched, lists: lists, staple: staple,
            isOverridden: isOverridden, expiry: expiry)
        change(&findings)
        return TLSEvidence(host: host, verification: verification, sent: sent, chain: chain, findings)
    }

    /// A list of certificates that is kept, each by a reference of its own.
    static func keep(_ list: OpaquePointer?) -> OpenSSLObject? {
        guard let list = unsafe list, let own = unsafe X509_chain_up_ref(list) else { return nil }
        return unsafe OpenSSLObject(own) { unsafe sockeye_free_certificates($0) }
    }

    var sentCertificates: [Bytes] { Self.encoded(sent) }
    var chainCertificates: [Bytes] { Self.encoded(chain) }

    private static func encoded(_ list: OpenSSLObject?) -> [Bytes] {
        guard let list else { return [] }
        return unsafe list.withPointer { unsafe all($0).map(\.der) }
    }

    static func all(_ list: OpaquePointer) -> [CertificateView] {
        unsafe (0..<max(0, OPENSSL_sk_num(list))).compactMap { index in
            unsafe OPENSSL_sk_value(list, index).map { unsafe CertificateView(pointer: OpaquePointer($0)) }
        }
    }

    /// Calls `body` with the peer's certificate, and with its issuer's where that is known.
    func withLeaf<Result>(_ body: (CertificateView, CertificateView?, OpaquePointer) -> Result) -> Result? {
        guard let list = chain ?? sent else { return nil }
        return unsafe list.withPointer { pointer in
            let all = unsafe Self.all(pointer)
            guard let leaf = all.first else { return nil }
            let issuer = all.dropFirst().first
            return unsafe body(leaf, issuer ?? (leaf.subject == leaf.issuer ? leaf : nil), pointer)
        }
    }
}
