import COpenSSL
import SockeyePlatform

/// Verifies a peer's certificates during the handshake.
///
/// A refused peer gets an alert and nothing else: no client certificate, no request.
struct PeerVerifier: Sendable {
    let verification: TLSOptions.Verification
    /// Nil if the peer is a client, which has no name to match.
    let name: PeerName?
    let pinning: TLSOptions.Pinning?
    let lists: RevocationLists?
    /// True if the caller's closure decides about the peer (``TLSOptions/evaluate``). The chain is then always
    /// verified, because the closure gets every finding.
    let isEvaluated: Bool
    /// Returns true for names under which wildcards of certificates do not match; see ``HostNameMatcher``. Nil if
    /// wildcards match under every name.
    let isPublicSuffix: (@Sendable (String) -> Bool)?

    init(
        verification: TLSOptions.Verification, name: PeerName?, pinning: TLSOptions.Pinning? = nil,
        lists: RevocationLists? = nil, isEvaluated: Bool = false, isPublicSuffix: (@Sendable (String) -> Bool)? = nil
    ) {
        self.verification = verification
        self.name = name
        self.pinning = pinning
        self.lists = lists
        self.isEvaluated = isEvaluated
        self.isPublicSuffix = isPublicSuffix
    }

    /// Collects the peer's certificates and the findings about them. `store` is the X509_STORE_CTX that OpenSSL has
    /// prepared: roots, purpose and security level are set.
    func verify(_ store: OpaquePointer) -> TLSEvidence {
        var findings = TLSEvidence.Findings()
        let sent = unsafe X509_STORE_CTX_get0_untrusted(store)
        if verification.checksChain || isEvaluated { unsafe verifyChain(store, &findings) }
        if let pointer = unsafe X509_STORE_CTX_get0_cert(store) {
            let leaf = unsafe CertificateView(pointer: pointer)
            if verification.checksHostName, let name, findings.failure == nil {
                findings.failure = failure(name, of: leaf)
            }
            if let pinning { unsafe verify(pinning, of: leaf, store, sent, &findings) }
            if verification.checksChain || pinning != nil || isEvaluated {
                findings.expiry = unsafe expiry(leaf, store, findings)
            }
        } else if findings.failure == nil {
            findings.failure = TLSError(
                reason: .noCertificate, message: "the peer sent no certificate",
                verifyCode: Int(X509_V_ERR_APPLICATION_VERIFICATION))
        }
        return unsafe TLSEvidence(
            host: name?.description ?? "", verification: verification, sent: TLSEvidence.keep(sent),
            chain: TLSEvidence.keep(X509_STORE_CTX_get0_chain(store)), findings)
    }

    /// The longest time in seconds for which sessions rely on one verification. Each resumed connection brings new
    /// tickets, so without this limit a server could avoid full handshakes until its certificate expires.
    private static let longestReliance = 86400

    /// Returns the time in seconds since 1970 from which sessions with these findings must not be resumed. A resumed
    /// handshake verifies nothing, but a full handshake may refuse the peer once its certificate, another certificate
    /// of its verified chain, or a revocation list has expired. The result is the earliest of these times, but at most
    /// ``longestReliance`` from now.
    private func expiry(_ leaf: CertificateView, _ store: OpaquePointer, _ findings: TLSEvidence.Findings) -> Int? {
        let now = Int(SystemClock.unixTime)
        var ends = [now + Self.longestReliance, leaf.validUntil]
        if findings.chainCode == 0 {
            if let chain = unsafe X509_STORE_CTX_get0_chain(store) {
                ends += unsafe TLSEvidence.all(chain).map(\.validUntil)
            }
            ends.append(lists?.expiry(after: now))
        }
        return ends.compactMap { $0 }.min()
    }

    private func verifyChain(_ store: OpaquePointer, _ findings: inout TLSEvidence.Findings) {
        unsafe lists?.prepare(store)
        let isGood = unsafe X509_verify_cert(store) == 1
        let code = unsafe X509_STORE_CTX_get_error(store)
        // After a successful verification, `code` may be that of an error that a soft revocation policy has ignored.
        findings.chainCode = isGood ? 0 : Int(code)
        if let lists { findings.lists = lists.status(isGood: isGood, code: code) }
        if !isGood, verification.checksChain { findings.failure = unsafe TLSError(chain: store) }
        OpenSSLErrors.clear()
    }

    private func failure(_ name: PeerName, of leaf: CertificateView) -> TLSError? {
        let names = AlternativeNames(leaf)
        guard !names.contains(name, isPublicSuffix: isPublicSuffix) else { return nil }
        return TLSError(
            reason: .hostNameMismatch,
            message: "the certificate \(leaf.summary) is for \(names.text), not for \(name)",
            verifyCode: Int(X509_V_ERR_HOSTNAME_MISMATCH))
    }

    private func verify(
        _ pinning: TLSOptions.Pinning, of leaf: CertificateView, _ store: OpaquePointer, _ sent: OpaquePointer?,
        _ findings: inout TLSEvidence.Findings
    ) {
        let isVerified = verification.checksChain && findings.chainCode == 0
        var matches = false
        if isVerified, let chain = unsafe X509_STORE_CTX_get0_chain(store) {
            matches = unsafe TLSEvidence.all(chain).contains(where: pinning.matches)
        }
        var unusable: TLSError?
        // An unverified chain may contain unrelated certificates, so only a chain of verified signatures from the leaf
        // to a pin counts. If certificates are pinned, the code searches for such a chain even after a successful
        // verification, because OpenSSL has verified only one path. A cross-signed authority has several certificates
        // with the same key, and the pinned certificate may be on another path.
        if !matches, !isVerified || pinning.isOfCertificates {
            let level = unsafe X509_VERIFY_PARAM_get_auth_level(X509_STORE_CTX_get0_param(store))
            switch unsafe pinning.anchors(leaf, among: sent, level: level) {
            case .reached: matches = true
            case .unusable(let failure): unusable = failure
            case .missed: break
            }
        }
        findings.pinsMatched = matches
        guard !matches, findings.failure == nil else { return }
        findings.failure =
            unusable
            ?? TLSError(
                reason: .pinMismatch,
                message: "no certificate or key of the chain of \(leaf.summary) is pinned; the digest of the server's "
                    + "certificate is \(leaf.fingerprint), that of its key is \(leaf.publicKeyPin ?? "unreadable")",
                verifyCode: Int(X509_V_ERR_APPLICATION_VERIFICATION))
    }
}

extension TLSOptions.Pinning {
    fileprivate var isOfCertificates: Bool {
        if case .certificates = kind { true } else { false }
    }
}
