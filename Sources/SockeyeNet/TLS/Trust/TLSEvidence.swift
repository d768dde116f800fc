import COpenSSL
import SockeyeCore

/// What a full handshake has shown of a peer, and what was made of it. Made once and never changed, so that a session which
/// is resumed later can stand on it: such a handshake shows nothing.
///
/// The certificates stay OpenSSL's objects until somebody asks for them.
final class TLSEvidence: Sendable {
    let host: String
    let verification: TLSConfiguration.Verification
    /// What the peer sent, its own certificate first.
    private let sent: OpenSSLObject?
    /// From the peer's certificate to the anchor; nil where no chain was found or none looked for.
    private let chain: OpenSSLObject?
    /// Why the peer is refused, by the configuration's own rules.
    let failure: TLSFailure?
    /// OpenSSL's result for the chain, an X509_V_ERR_ code, 0 for a good one; nil where nobody asked.
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
        var failure: TLSFailure?
        var chainCode: Int?
        var pinsMatched: Bool?
        var lists = TLSTrust.RevocationStatus.notAsked
        var staple = TLSTrust.RevocationStatus.notAsked
        var isOverridden = false
        var expiry: Int?
    }

    init(
        host: String, verification: TLSConfiguration.Verification, sent: OpenSSLObject?, chain: OpenSSLObject?,
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
