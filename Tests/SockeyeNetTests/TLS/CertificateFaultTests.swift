import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

@Suite("Faulty server certificates", .timeLimit(.minutes(1)))
struct CertificateFaultTests {
    /// Returns the failure of a client that trusts the shared root. It must be the same in both TLS versions.
    private func refuse(
        _ server: TLSServerContext.Configuration, host: String = "localhost",
        trusting change: (inout TLSOptions) -> Void = { _ in }
    ) async throws -> TLSError {
        var failures: [TLSError] = []
        for version in TLSOptions.Version.allCases {
            var pair = try HandshakePair(
                Authority.trusting {
                    $0.maximumVersion = version
                    change(&$0)
                }, server)
            pair.host = host
            let outcome = try await pair.run()
            failures.append(try #require(outcome.clientFailure))
        }
        #expect(failures[0] == failures[1])
        return failures[0]
    }

    private func serving(_ change: (inout TestCertificateOptions) -> Void) throws -> TLSServerContext.Configuration {
        var options = TestCertificateOptions()
        change(&options)
        return Authority.serving(try Authority.root.issue(options))
    }

    @Test("an expired certificate is refused, and the message says since when")
    func expired() async throws {
        let failure = try await refuse(serving { $0.validUntil = .seconds(-60) })
        #expect(failure.reason == .certificateExpired)
        #expect(failure.message.contains("'CN=localhost' (issued by 'CN=Sockeye test root') expired on 2"))
        #expect(failure.message.hasSuffix("UTC"))
        #expect(failure.verifyCode == 10)
    }

    @Test("a certificate that is not yet valid is refused, and the message says from when")
    func notYetValid() async throws {
        let failure = try await refuse(serving { $0.validFrom = .seconds(3600) })
        #expect(failure.reason == .certificateNotYetValid)
        #expect(failure.message.contains("is not valid before 2"))
    }

    @Test("a self-signed certificate is refused")
    func selfSigned() async throws {
        let failure = try await refuse(Authority.serving(TestCertificateAuthority.selfSigned()))
        #expect(failure.reason == .selfSigned)
    }

    @Test("a certificate of an untrusted root is refused, whether the root is sent or not")
    func untrustedRoot() async throws {
        let leaf = try Authority.untrusted.issue()
        #expect(try await refuse(Authority.serving(leaf)).reason == .untrustedRoot)
        let withRoot = TLSServerContext.Configuration(
            identity: .pem(
                certificateChain: .text(leaf.pem + Authority.untrusted.pem), privateKey: .text(leaf.key.pem)))
        let failure = try await refuse(withRoot)
        #expect(failure.reason == .untrustedRoot)
        #expect(failure.message.contains("(at depth 1 of the peer's chain)"))
    }

    @Test("a missing intermediate is reported, and a sent one is accepted")
    func missingIntermediate() async throws {
        let leaf = try Authority.root.intermediate().intermediate(commonName: "Second").issue()
        let forgotten = TLSServerContext.Configuration(identity: leaf.identityWithoutIntermediates)
        let failure = try await refuse(forgotten)
        #expect(failure.reason == .missingIntermediate)
        #expect(failure.message.contains("issued by 'CN=Second'"))
        let (client, _) = try await HandshakePair(Authority.trusting(), Authority.serving(leaf)).connect()
        #expect(client.info?.peerCertificates == [leaf.der] + leaf.intermediates)
    }

    @Test("an intermediate that may not sign, or that has expired, is refused")
    func notAnAuthority() async throws {
        var options = TestCertificateOptions()
        options.isAuthority = false
        let leaf = try Authority.root.intermediate(options: options).issue()
        #expect(try await refuse(Authority.serving(leaf)).reason == .certificateInvalid)
        // An authority that may sign, but has expired.
        let expiredIntermediate = try Authority.root.intermediate(
            options: {
                var options = TestCertificateOptions()
                options.validUntil = .seconds(-1)
                return options
            }())
        let failure = try await refuse(Authority.serving(expiredIntermediate.issue()))
        #expect(failure.reason == .certificateExpired)
        #expect(failure.message.contains("Sockeye test intermediate"))
    }

    @Test("a certificate for another host is refused, and the message lists its names")
    func wrongHost() async throws {
        let names = TestCertificateOptions(dnsNames: ["a.example.com", "*.b.example.com"], ipAddresses: ["192.0.2.1"])
        let failure = try await refuse(Authority.serving(Authority.root.issue(names)))
        #expect(failure.reason == .hostNameMismatch)
        #expect(failure.message.hasSuffix("is for a.example.com, *.b.example.com, 192.0.2.1, not for localhost"))
    }

    @Test(
        "the common name is ignored, and names and addresses do not substitute for each other",
        arguments: [
            (TestCertificateOptions(dnsNames: []), "localhost"),
            (TestCertificateOptions(dnsNames: ["127.0.0.1"]), "127.0.0.1"),
            (TestCertificateOptions(dnsNames: ["localhost"], ipAddresses: ["127.0.0.2"]), "127.0.0.1"),
            (TestCertificateOptions(dnsNames: ["::1"], ipAddresses: ["127.0.0.1"]), "::1"),
            (TestCertificateOptions(dnsNames: ["localhost\0.example.com"]), "localhost"),
        ] as [(TestCertificateOptions, String)])
    func names(options: TestCertificateOptions, host: String) async throws {
        var options = options
        options.commonName = "localhost"
        let server = Authority.serving(try Authority.root.issue(options))
        #expect(try await refuse(server, host: host).reason == .hostNameMismatch)
    }

    @Test("addresses among the alternative names are accepted", arguments: ["127.0.0.1", "::1", "[::1]", "0:0::1"])
    func addresses(host: String) async throws {
        var pair = try HandshakePair()
        pair.host = host
        #expect(try await pair.run().clientFailure == nil)
    }

    @Test("a certificate for clients or another purpose is refused")
    func wrongPurpose() async throws {
        for purpose in [TestCertificateOptions.Purpose.client, .other] {
            #expect(try await refuse(serving { $0.purpose = purpose }).reason == .wrongPurpose)
        }
        var options = TestCertificateOptions()
        options.purpose = .unrestricted
        let unrestricted = Authority.serving(try Authority.root.issue(options))
        #expect(try await HandshakePair(Authority.trusting(), unrestricted).run().clientFailure == nil)
    }

    @Test(
        "a certificate with a short key or a broken digest is refused, also if only a pinned root anchors the chain",
        arguments: [TLSOptions.Verification.full, .hostNameOnly, .none])
    func weak(verification: TLSOptions.Verification) async throws {
        let pinning = try TLSOptions.Pinning.certificate([.certificate(Authority.root.certificate.der)])
        func refuse(_ server: TLSServerContext.Configuration) async throws -> TLSError {
            try await self.refuse(server) {
                $0.verification = verification
                $0.pinning = pinning
            }
        }
        var short = try serving { $0.algorithm = .rsa(bits: 512) }
        short.securityLevel = 0
        // 512 bits are too few for the signatures of TLS 1.3, so only 1.2 reaches the certificate.
        short.maximumVersion = .v1_2
        #expect(try await refuse(short).reason == .weakCertificate)
        var broken = try serving { $0.digest = .sha1 }
        broken.securityLevel = 0
        let failure = try await refuse(broken)
        #expect(failure.reason == .weakCertificate)
        #expect(failure.message.contains("digest"))
    }

    @Test("an alert tells the server that it was refused")
    func serverSide() async throws {
        let pair = try HandshakePair(TLSOptions(roots: Authority.untrusted.roots))
        let outcome = try await pair.run()
        #expect(outcome.clientFailure?.reason == .untrustedRoot)
        // In TLS 1.3 the server waits for the client's Finished and gets the alert instead.
        #expect(outcome.serverFailure?.message.contains("unknown_ca") == true)
    }

    @Test("each weaker verification drops its own part and no other")
    func verificationModes() async throws {
        let wrongHost = Authority.serving(try Authority.root.issue(TestCertificateOptions(dnsNames: ["elsewhere"])))
        let untrusted = Authority.serving(try TestCertificateAuthority.selfSigned())
        let table: [(TLSOptions.Verification, TLSServerContext.Configuration, TLSError.Reason?)] = [
            (.full, wrongHost, .hostNameMismatch), (.full, untrusted, .selfSigned),
            (.chainOnly, wrongHost, nil), (.chainOnly, untrusted, .selfSigned),
            (.hostNameOnly, wrongHost, .hostNameMismatch), (.hostNameOnly, untrusted, nil),
            (.none, wrongHost, nil), (.none, untrusted, nil),
        ]
        for (verification, server, reason) in table {
            let client = Authority.trusting {
                $0.verification = verification
                // `hostNameOnly` requires an evaluation closure or pins, because it verifies no issuer.
                if verification == .hostNameOnly { $0.evaluate = { _ in .standard } }
            }
            let outcome = try await HandshakePair(client, server).run()
            #expect(outcome.clientFailure?.reason == reason)
        }
    }

    @Test("a certificate that is a trust anchor itself needs no root")
    func explicitTrust() async throws {
        let selfSigned = try TestCertificateAuthority.selfSigned()
        let trust = TLSOptions(roots: .pem(selfSigned.pem))
        #expect(try await HandshakePair(trust, Authority.serving(selfSigned)).run().clientFailure == nil)
        let intermediate = try Authority.root.intermediate()
        let anchored = TLSOptions(roots: intermediate.roots)
        #expect(try await HandshakePair(anchored, Authority.serving(intermediate.issue())).run().clientFailure == nil)
        #expect(try await HandshakePair(TLSOptions()).run().clientFailure?.reason == .untrustedRoot)
    }

    @Test(
        "wildcards in real certificates match as the conformance data says",
        arguments: HostNameVector.all.filter { !$0.host.isEmpty })
    func vectors(_ vector: HostNameVector) async throws {
        guard case .dns = PeerName(vector.host) else { return }
        var pair = try HandshakePair(
            Authority.trusting(),
            Authority.serving(Authority.root.issue(TestCertificateOptions(dnsNames: [vector.san]))))
        pair.host = vector.host
        #expect((try await pair.run().clientFailure == nil) == vector.match)
    }
}
