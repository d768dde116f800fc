import Foundation
import SockeyeCore
import SockeyeTesting
import SockeyeTransport
import Testing

/// A line of the public acceptance data for pinning; see the README next to it.
struct PinningVector: Decodable, Sendable, CustomTestStringConvertible {
    private enum CodingKeys: String, CodingKey {
        case id, mode, pinned, accept
        case chainTrusted = "chain_trusted"
        case hostMatches = "host_matches"
        case checkHost = "check_host"
        case allowUntrusted = "allow_untrusted"
    }

    let id: String
    let mode: String
    let pinned: String?
    let chainTrusted: Bool
    let hostMatches: Bool
    let checkHost: Bool
    let allowUntrusted: Bool
    let accept: Bool?

    var testDescription: String { "\(id) \(mode) \(pinned ?? "")" }

    static let all: [PinningVector] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/vectors")
        guard let data = try? Data(contentsOf: root.appending(path: "acceptance/pinning.json")) else { return [] }
        return (try? JSONDecoder().decode([PinningVector].self, from: data)) ?? []
    }()
}

@Suite("Pinning", .timeLimit(.minutes(1)))
struct PinningTests {
    // The vectors live beside the package, not in it; without them this test is skipped.
    @Test("as the acceptance data says", .enabled(if: !PinningVector.all.isEmpty), arguments: PinningVector.all)
    func vectors(_ vector: PinningVector) async throws {
        guard let accept = vector.accept else { return }
        var options = TestCertificateOptions(dnsNames: vector.hostMatches ? ["localhost"] : ["elsewhere"])
        options.key = try TestKey()
        let pinned = vector.pinned ?? ""
        if pinned.contains("expired") { options.validUntil = .seconds(-5) }
        let intermediate = try Authority.root.intermediate()
        let untrusted = !vector.chainTrusted && !pinned.contains("expired")
        let served =
            if pinned.contains("self-signed") {
                try TestCertificateAuthority.selfSigned(options)
            } else if untrusted {
                try Authority.stranger.issue(options)
            } else {
                try intermediate.issue(options)
            }
        let old = try intermediate.issue(options)
        let unrelated = try Authority.stranger.issue()
        let pins: [TestCertificate] =
            switch pinned {
            case "": []
            case "empty set": []
            case "unrelated": [unrelated]
            case "root": [Authority.root.certificate]
            case "whole chain": [served, intermediate.certificate, Authority.root.certificate]
            case "intermediate, leaf expired": [intermediate.certificate]
            case "leaf key, certificate reissued with the same key": [old]
            case "backup pin present, primary rotated": [unrelated, served]
            default: [served]
            }
        let configuration = Authority.trusting {
            $0.verification =
                switch (vector.allowUntrusted, vector.checkHost) {
                case (false, true): .full
                case (false, false): .chainOnly
                case (true, true): .hostNameOnly
                case (true, false): .none
                }
            switch vector.mode {
            case "certificate": $0.pinning = .certificate(pins.map(\.der))
            case "public key": $0.pinning = .publicKey(pins.map { .spki($0.publicKeyPin) })
            default: break
            }
        }
        let outcome = try await HandshakePair(configuration, Authority.serving(served)).run()
        #expect((outcome.clientFailure == nil) == accept, "\(outcome.clientFailure?.message ?? "accepted")")
    }

    @Test("a pin that does not match is told with the key that was seen")
    func mismatch() async throws {
        let pin = try Authority.stranger.issue().publicKeyPin
        let configuration = Authority.trusting { $0.pinning = .publicKey([.spki(pin)]) }
        let outcome = try await HandshakePair(configuration).run()
        #expect(outcome.clientFailure?.reason == .pinMismatch)
        #expect(outcome.clientFailure?.message.hasSuffix(Authority.server.publicKeyPin) == true)
        #expect(outcome.serverFailure != nil)
    }

    @Test("a certificate's key can be pinned by the certificate")
    func byCertificate() async throws {
        let reissued = try Authority.root.issue(
            {
                var options = TestCertificateOptions()
                options.key = Authority.server.key
                return options
            }())
        let configuration = Authority.trusting { $0.pinning = .publicKey([.certificate(reissued.der)]) }
        let (client, _) = try await HandshakePair(configuration).connect()
        #expect(client.info?.isPinned == true)
    }

    @Test("in an unverified chain only the leaf counts: the rest could be anybody's")
    func borrowedChain() async throws {
        let impostor = try TestCertificateAuthority.selfSigned()
        let server = TLSServerContext.Configuration(
            identity: .pem(
                certificateChain: .text(impostor.pem + Authority.server.pem + Authority.root.pem),
                privateKey: .text(impostor.key.pem)))
        for verification in [TLSConfiguration.Verification.none, .hostNameOnly] {
            for pinned in [Authority.server, Authority.root.certificate] {
                let configuration = Authority.trusting {
                    $0.verification = verification
                    $0.pinning = .publicKey([.spki(pinned.publicKeyPin)])
                }
                #expect(try await HandshakePair(configuration, server).run().clientFailure?.reason == .pinMismatch)
            }
        }
    }

    @Test("a verified chain counts as it was verified, not as it was sent")
    func unusedCertificate() async throws {
        let server = TLSServerContext.Configuration(
            identity: .pem(
                certificateChain: .text(Authority.server.pem + Authority.stranger.pem),
                privateKey: .text(Authority.server.key.pem)))
        let configuration = Authority.trusting {
            $0.pinning = .publicKey([.spki(Authority.stranger.certificate.publicKeyPin)])
        }
        #expect(try await HandshakePair(configuration, server).run().clientFailure?.reason == .pinMismatch)
    }
}
