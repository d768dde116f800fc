import COpenSSL
import SockeyeCore

/// A server's certificates and the result of their verification.
///
/// It is the argument of the caller's closure that evaluates servers (``TLSOptions/evaluate``), and the value of
/// ``TLSInfo/trust`` and ``TLSError/trust``. In a resumed session the server sends no certificates; the value has those
/// of the session's first handshake.
public struct TLSTrust: Sendable, CustomStringConvertible {
    private let evidence: TLSEvidence

    init(_ evidence: TLSEvidence) {
        self.evidence = evidence
    }

    /// The decision of an evaluation (``TLSOptions/evaluate``).
    @nonexhaustive public enum Decision: Sendable, Hashable {
        /// The server is trusted even if the verification failed. Dangerous, unless the closure checks the
        /// certificates. A stapled OCSP response is checked afterwards and may still refuse the server.
        case accept
        /// The server is refused for this reason, which the error includes.
        case reject(String)
        /// The verification decides, as without an evaluation; see ``TLSTrust/failure``.
        case standard
    }

    /// The revocation status of certificates according to one source: the revocation lists or a stapled response.
    @nonexhaustive public enum RevocationStatus: Sendable, Hashable {
        /// This source is not configured, or has not been checked.
        case notAsked
        /// Checked; no checked certificate has been revoked.
        case good
        /// A certificate has been revoked.
        case revoked
        /// The check failed for this reason. ``TLSOptions/Revocation/Policy`` decides if the server is trusted
        /// nevertheless.
        case notChecked(String)
    }

    /// The requirements on a server's certificate. Every choice except ``full`` lets a man-in-the-middle
    /// attacker in, unless ``TLSOptions/pinning`` or ``TLSOptions/evaluate`` prevents it.
    @nonexhaustive public enum Verification: Sendable, Hashable {
        /// The chain leads to a trusted root, nothing in it has expired, and the host is among the subject alternative
        /// names.
        case full
        /// As ``full``, but the certificate may be for any host. Dangerous: any holder of any trusted certificate can
        /// impersonate the server.
        case chainOnly
        /// The host must match, but the certificate needs no trusted issuer and may have expired.
        ///
        /// Requires ``TLSOptions/pinning`` or ``TLSOptions/evaluate``: otherwise every request fails, since a name in
        /// an unverified certificate proves nothing. Use it to trust a self-signed server by its pin.
        case hostNameOnly
        /// No verification at all. Dangerous: an attacker on the network can read and change everything.
        case none

        package var checksChain: Bool { self == .full || self == .chainOnly }
        package var checksHostName: Bool { self == .full || self == .hostNameOnly }
    }

    /// The name or address that the server's certificate must contain, unless ``verification`` ignores the name.
    public var host: String { evidence.host }
    /// The certificates that the server sent, its own first.
    public var certificates: [TLSCertificate] { evidence.sentCertificates.map { TLSCertificate(der: $0) } }
    /// The chain that OpenSSL built, from the server's certificate to the root.
    ///
    /// It ends early if OpenSSL did not find an issuer. Empty if ``TLSOptions/verification`` does not check the chain
    /// and ``TLSOptions/evaluate`` is nil. Verified only if ``chainCode`` is 0.
    public var chain: [TLSCertificate] { evidence.chainCertificates.map { TLSCertificate(der: $0) } }
    /// The configured verification.
    public var verification: Verification { evidence.verification }
    /// The reason why the configured rules (chain, name, pins and revocation lists) refuse the server; nil if they
    /// accept it. The decision of an evaluation does not change this value.
    public var failure: TLSError? { evidence.failure }
    /// OpenSSL's result for the chain: 0 if it is good, otherwise an `X509_V_ERR_` code
    /// (openssl-verification-options(1)). Nil if the chain was not verified.
    public var chainCode: Int? { evidence.chainCode }
    /// True if a pin matched; nil without pins.
    public var pinsMatched: Bool? { evidence.pinsMatched }
    /// The status by revocation lists (``TLSOptions/Revocation``).
    public var revocationLists: RevocationStatus { evidence.lists }
    /// The status by a stapled OCSP response. During an evaluation always ``RevocationStatus/notAsked``, because the
    /// response is checked later.
    public var stapledResponse: RevocationStatus { evidence.staple }
    /// True if an evaluation accepted a server that the rules refuse.
    public var isOverridden: Bool { evidence.isOverridden }

    /// The host, the server's certificate and the verdict.
    public var description: String {
        let leaf = certificates.first.map(\.description) ?? "no certificate"
        return "\(host): \(leaf), \(failure?.message ?? "trusted")"
    }
}

extension TLSTrust: CustomReflectable {
    /// Only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The certificates of a peer in a full handshake, and the findings about them; see the properties of ``TLSTrust``.
///
/// A session that is resumed later relies on this evidence, since a resumed handshake sends no certificates. The
/// certificates are kept as OpenSSL objects, and encoded in DER only on access.
final class TLSEvidence: Sendable {
    let host: String
    let verification: TLSTrust.Verification
    /// The certificates that the peer sent, its own first.
    private let sent: OpenSSLObject?
    /// The chain from the peer's certificate to the anchor, or as far as OpenSSL found issuers. Nil if OpenSSL did not
    /// build a chain.
    private let chain: OpenSSLObject?
    let failure: TLSError?
    let chainCode: Int?
    let pinsMatched: Bool?
    let lists: TLSTrust.RevocationStatus
    let staple: TLSTrust.RevocationStatus
    let isOverridden: Bool
    /// Sessions with this evidence must not be resumed at or after this time (in seconds since 1970). Nil for no limit.
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

    func with(_ change: (inout Findings) -> Void) -> TLSEvidence {
        var findings = Findings(
            failure: failure, chainCode: chainCode, pinsMatched: pinsMatched, lists: lists, staple: staple,
            isOverridden: isOverridden, expiry: expiry)
        change(&findings)
        return TLSEvidence(host: host, verification: verification, sent: sent, chain: chain, findings)
    }

    /// Returns a copy of a list of certificates, with its own references.
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

    /// Calls `body` with the peer's certificate, the certificate of its issuer if known, and the chain (or, without a
    /// chain, the list of sent certificates). Returns nil if the peer sent no certificate.
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
