import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

@Suite("Certificate pinning", .timeLimit(.minutes(1)))
struct PinningTests {
    @Test("pins accept or refuse a server as the conformance data says", arguments: PinningVector.decided)
    func vectors(_ vector: PinningVector) async throws {
        let scene = try PinningScene(vector)
        let outcome = try await HandshakePair(scene.client, scene.server).run()
        if vector.accept == true {
            #expect(try outcome.client.get().info?.isPinned == (vector.mode != "none"))
        } else {
            let failure = try #require(outcome.clientFailure, "\(outcome.client)")
            #expect(vector.refusals.contains(failure.reason), "\(failure.message)")
        }
    }

    @Test("the error for a mismatched pin shows the key that was seen")
    func mismatch() async throws {
        let pin = try Authority.untrusted.issue().publicKeyPin
        let configuration = try Authority.trusting { $0.pinning = try .publicKey([.spki(pin)]) }
        let outcome = try await HandshakePair(configuration).run()
        #expect(outcome.clientFailure?.reason == .pinMismatch)
        #expect(outcome.clientFailure?.message.hasSuffix(Authority.server.publicKeyPin) == true)
        #expect(outcome.serverFailure != nil)
    }

    @Test("a pin made from one certificate matches another certificate with the same key")
    func byCertificate() async throws {
        let reissued = try Authority.root.issue(
            {
                var options = TestCertificateOptions()
                options.key = Authority.server.key
                return options
            }())
        let configuration = try Authority.trusting { $0.pinning = try .publicKey([.certificate(reissued.der)]) }
        let (client, _) = try await HandshakePair(configuration).connect()
        #expect(client.info?.isPinned == true)
    }

    @Test("in an unverified chain, pins do not match certificates that signed nothing in it")
    func borrowedChain() async throws {
        let impostor = try TestCertificateAuthority.selfSigned()
        let server = TLSServerContext.Configuration(
            identity: .pem(
                certificateChain: .text(impostor.pem + Authority.server.pem + Authority.root.pem),
                privateKey: .text(impostor.key.pem)))
        for verification in [TLSOptions.Verification.none, .hostNameOnly] {
            for pinned in [Authority.server, Authority.root.certificate] {
                let configuration = try Authority.trusting {
                    $0.verification = verification
                    $0.pinning = try .publicKey([.spki(pinned.publicKeyPin)])
                }
                #expect(try await HandshakePair(configuration, server).run().clientFailure?.reason == .pinMismatch)
            }
        }
    }

    @Test("the pins apply to the verified chain, not to the sent one")
    func unusedCertificate() async throws {
        let server = TLSServerContext.Configuration(
            identity: .pem(
                certificateChain: .text(Authority.server.pem + Authority.untrusted.pem),
                privateKey: .text(Authority.server.key.pem)))
        let configuration = try Authority.trusting {
            $0.pinning = try .publicKey([.spki(Authority.untrusted.certificate.publicKeyPin)])
        }
        #expect(try await HandshakePair(configuration, server).run().clientFailure?.reason == .pinMismatch)
    }

    @Test(
        "the error for an outdated certificate reports the date, not the pin", arguments: [false, true],
        [TLSOptions.Verification.full, .hostNameOnly])
    func outdated(isTooEarly: Bool, verification: TLSOptions.Verification) async throws {
        var options = TestCertificateOptions()
        if isTooEarly { options.validFrom = .seconds(3600) } else { options.validUntil = .seconds(-60) }
        let certificate = try Authority.root.issue(options)
        let configuration = try Authority.trusting {
            $0.verification = verification
            $0.pinning = try .certificate([.certificate(certificate.der)])
        }
        let server = TLSServerContext.Configuration(identity: certificate.identity)
        let failure = try await HandshakePair(configuration, server).run().clientFailure
        #expect(failure?.reason == (isTooEarly ? .certificateNotYetValid : .certificateExpired))
    }
}
