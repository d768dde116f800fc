import SockeyeCore
import SockeyeNet
import SockeyeTesting

/// Servers and pins, and AFNetworking 4's outcome for them (`evaluateServerTrust:forDomain:` of AFSecurityPolicy).
struct SecurityPolicyScene {
    /// The kind of the server's certificate.
    enum Server: String, Sendable, CaseIterable {
        case trusted, wrongName, untrusted, expired, wrongPurpose, authority, selfSigned, selfSignedExpired

        var isTrusted: Bool { ![.untrusted, .selfSigned, .selfSignedExpired].contains(self) }
        var isInDate: Bool { self != .expired && self != .selfSignedExpired }
        var isForServers: Bool { self != .wrongPurpose && self != .authority }
        var hasName: Bool { self != .wrongName && self != .authority }
        var isAlone: Bool { self == .selfSigned || self == .selfSignedExpired }
    }

    /// The certificates that the policy pins.
    enum Pinned: String, Sendable, CaseIterable {
        case none, leaf, intermediate, root, unrelated, backup, empty
    }

    enum Mode: Sendable, CaseIterable { case none, publicKey, certificate }

    struct Policy: Sendable, CustomStringConvertible {
        let mode: Mode
        let pinned: Pinned
        let allowsInvalid: Bool
        let validatesName: Bool

        var description: String { "\(mode) \(pinned) allowInvalid: \(allowsInvalid) validates: \(validatesName)" }

        static let all: [Policy] = Mode.allCases.flatMap { mode in
            Pinned.allCases.filter { ($0 == .none) == (mode == .none) }.flatMap { pinned in
                [(false, true), (false, false), (true, true), (true, false)].map {
                    Policy(mode: mode, pinned: pinned, allowsInvalid: $0.0, validatesName: $0.1)
                }
            }
        }
    }

    private let root: TestCertificateAuthority
    private let intermediate: TestCertificateAuthority
    private let server: Server
    let served: TestCertificate
    /// From the leaf to the root.
    private let chain: [TestCertificate]
    private let unrelated: TestCertificate
    let roots: TLSOptions.Roots

    init(_ server: Server) throws {
        self.server = server
        let trusted = try TestCertificateAuthority()
        roots = trusted.roots
        root = server == .untrusted ? try TestCertificateAuthority(commonName: "another authority") : trusted
        intermediate = try root.intermediate()
        var options = TestCertificateOptions(dnsNames: [server.hasName ? "localhost" : "elsewhere"])
        if !server.isInDate { options.validUntil = .seconds(-60) }
        if server == .wrongPurpose { options.purpose = .client }
        if server.isAlone {
            served = try TestCertificateAuthority.selfSigned(options)
            chain = [served]
        } else {
            served = server == .authority ? intermediate.certificate : try intermediate.issue(options)
            let above = [intermediate.certificate, root.certificate]
            chain = server == .authority ? above : [served] + above
        }
        unrelated = try TestCertificateAuthority.selfSigned()
    }

    private func pins(_ pinned: Pinned) -> [TestCertificate] {
        switch pinned {
        case .none, .empty: []
        case .leaf: [served]
        case .intermediate: [intermediate.certificate]
        case .root: [root.certificate]
        case .unrelated: [unrelated]
        case .backup: [unrelated, served]
        }
    }

    func configuration(_ policy: Policy) throws -> TLSOptions {
        let pins = pins(policy.pinned)
        let pinning: TLSOptions.Pinning? =
            switch policy.mode {
            case .none: nil
            case .publicKey: .publicKey(try pins.map { try .certificate($0.der) })
            case .certificate: .certificate(try pins.map { try .certificate($0.der) })
            }
        var configuration = TLSOptions.securityPolicy(
            pinning: pinning, allowInvalidCertificates: policy.allowsInvalid, validatesDomainName: policy.validatesName)
        configuration.roots = roots
        return configuration
    }

    /// Returns AFNetworking's outcome, following the steps of AFSecurityPolicy.m.
    func isTrustedByAFNetworking(_ policy: Policy) -> Bool {
        let pins = pins(policy.pinned).map(\.der)
        if policy.allowsInvalid, policy.validatesName, policy.mode == .none || pins.isEmpty { return false }
        let isSound = server.isInDate && server.isForServers && (server.hasName || !policy.validatesName)
        let isValid = server.isTrusted && isSound
        if policy.mode == .none { return policy.allowsInvalid || isValid }
        if !policy.allowsInvalid, !isValid { return false }
        // The trust object contains the root only if the system trusts it.
        let seen =
            policy.allowsInvalid && policy.mode == .publicKey ? chain.filter { $0.der != root.certificate.der } : chain
        let isPinned = seen.contains { pins.contains($0.der) }
        return policy.mode == .certificate ? isSound && isPinned : isPinned
    }

    /// Returns the outcome of this library, which is stricter: a wrong name is refused if names are validated.
    func isTrusted(_ policy: Policy) -> Bool {
        let ignoresName = policy.mode == .publicKey && policy.allowsInvalid
        if ignoresName, policy.validatesName, !server.hasName { return false }
        return isTrustedByAFNetworking(policy)
    }
}
