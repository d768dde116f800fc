import SockeyeNet
import SockeyeTesting

/// The two sides of a handshake that a line of the acceptance data describes.
struct PinningScene {
    let client: TLSOptions
    let server: TLSServerContext.Configuration

    init(_ vector: PinningVector) throws {
        let pinned = vector.pinned ?? ""
        let intermediate = try Authority.root.intermediate()
        var options = TestCertificateOptions(dnsNames: vector.hostMatches ? ["localhost"] : ["elsewhere"])
        // A key that every certificate of the scene shares, so that one can be a reissue of another.
        options.key = try TestKey()
        if pinned.contains("expired") { options.validUntil = .seconds(-5) }
        let served = try Self.served(vector, pinned, options, by: intermediate)
        let pins = try Self.pins(pinned, served, options, by: intermediate)
        server = Authority.serving(served)
        client = try Authority.trusting {
            $0.verification = Self.verification(vector)
            switch vector.mode {
            case "certificate": $0.pinning = .certificate(try pins.map { try .certificate($0.der) })
            case "public key": $0.pinning = .publicKey(try pins.map { try .spki($0.publicKeyPin) })
            default: break
            }
        }
    }

    private static func served(
        _ vector: PinningVector, _ pinned: String, _ options: TestCertificateOptions,
        by intermediate: TestCertificateAuthority
    ) throws -> TestCertificate {
        if pinned.contains("self-signed") { return try TestCertificateAuthority.selfSigned(options) }
        // An expired certificate is untrusted only because of its date.
        let isUntrusted = !vector.chainTrusted && !pinned.contains("expired")
        return try (isUntrusted ? Authority.untrusted : intermediate).issue(options)
    }

    private static func pins(
        _ pinned: String, _ served: TestCertificate, _ options: TestCertificateOptions,
        by intermediate: TestCertificateAuthority
    ) throws -> [TestCertificate] {
        switch pinned {
        case "", "empty set": []
        case "unrelated": [try Authority.untrusted.issue()]
        case "root": [Authority.root.certificate]
        case "whole chain": [served, intermediate.certificate, Authority.root.certificate]
        case "intermediate", "intermediate, leaf expired": [intermediate.certificate]
        case "leaf key, certificate reissued with the same key": [try intermediate.issue(options)]
        case "backup pin present, primary rotated": [try Authority.untrusted.issue(), served]
        default: [served]
        }
    }

    private static func verification(_ vector: PinningVector) -> TLSOptions.Verification {
        switch (vector.allowUntrusted, vector.checkHost) {
        case (false, true): .full
        case (false, false): .chainOnly
        case (true, true): .hostNameOnly
        case (true, false): .none
        }
    }
}
