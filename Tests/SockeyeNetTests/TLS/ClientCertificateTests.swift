import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Client certificates", .timeLimit(.minutes(1)))
struct ClientCertificateTests {
    private func server(
        _ mode: TLSServerContext.Configuration.ClientCertificates, version: TLSOptions.Version = .v1_3
    ) -> TLSServerContext.Configuration {
        Authority.serving {
            $0.clientCertificates = mode
            $0.clientRoots = .text(Authority.root.pem)
            $0.maximumVersion = version
        }
    }

    @Test("a client certificate is sent if the server requests it", arguments: TLSOptions.Version.allCases)
    func given(version: TLSOptions.Version) async throws {
        let pair = try HandshakePair(
            Authority.trusting { $0.identity = Authority.client.identity }, server(.required, version: version))
        let (_, accepted) = try await pair.connect()
        #expect(accepted.info?.peerCertificates == [Authority.client.der])
    }

    @Test("a client certificate comes with its intermediates, also from files")
    func chain() async throws {
        var options = TestCertificateOptions(dnsNames: ["client"])
        options.purpose = .client
        let certificate = try Authority.root.intermediate().issue(options)
        let folder = try TemporaryFolder()
        let identity = TLSOptions.Identity.pem(
            certificateChain: .file(try folder.write(certificate.chainPEM, to: "client.pem")),
            privateKey: .file(try folder.write(try certificate.key.pem(passphrase: "open sesame"), to: "client.key")),
            passphrase: "open sesame")
        let pair = try HandshakePair(Authority.trusting { $0.identity = identity }, server(.required))
        let (_, accepted) = try await pair.connect()
        #expect(accepted.info?.peerCertificates == [certificate.der] + certificate.intermediates)
    }

    @Test("a client certificate is not sent unless requested, and may be missing if optional")
    func notAsked() async throws {
        let unasked = try HandshakePair(Authority.trusting { $0.identity = Authority.client.identity })
        #expect(try await unasked.connect().server.info?.peerCertificates == [])
        let optional = try HandshakePair(Authority.trusting(), server(.optional))
        #expect(try await optional.connect().server.info?.peerCertificates == [])
    }

    @Test("in TLS 1.3 the first read after the handshake reports a missing client certificate")
    func missingIn13() async throws {
        let outcome = try await HandshakePair(Authority.trusting(), server(.required)).run()
        #expect(outcome.serverFailure?.reason == .noCertificate)
        let client = try outcome.client.get()
        let failure = TLSError(
            reason: .alert,
            message: "the peer refused the connection with the TLS alert certificate_required (116)")
        await #expect(throws: TransportError.tls(failure)) { try await client.receive(1) }
    }

    @Test("in TLS 1.2 a missing client certificate fails the handshake")
    func missingIn12() async throws {
        let outcome = try await HandshakePair(Authority.trusting(), server(.required, version: .v1_2)).run()
        #expect(outcome.clientFailure?.reason == .alert)
        #expect(outcome.clientFailure?.message.contains("handshake_failure (40)") == true)
    }

    @Test("a client certificate from an unknown authority, or for servers, is refused with the server's alert")
    func wrong() async throws {
        var options = TestCertificateOptions(dnsNames: ["client"])
        options.purpose = .client
        let untrusted = try Authority.untrusted.issue(options)
        for (identity, alert) in [(untrusted.identity, "unknown_ca"), (Authority.server.identity, "certificate")] {
            let pair = try HandshakePair(Authority.trusting { $0.identity = identity }, server(.required))
            let client = try await pair.run().client.get()
            let error = await #expect(throws: TransportError.self) { try await client.receive(1) }
            #expect(error?.tlsMessage.contains(alert) == true)
        }
    }

    @Test("a client certificate is sent to a TLS 1.3 server that requests it after the handshake")
    func afterHandshake() async throws {
        let pair = try HandshakePair(
            Authority.trusting { $0.identity = Authority.client.identity }, server(.afterHandshake))
        let (client, accepted) = try await pair.connect()
        #expect(accepted.info?.peerCertificates == [])
        try await client.sendAll([1])
        #expect(try await accepted.receive(1) == [1])
        guard case .bytes = accepted.askForCertificate() else { throw TransportError.closed }
        try await accepted.sendAll([2])
        #expect(try await client.receive(1) == [2])
        try await client.sendAll([3])
        #expect(try await accepted.receive(1) == [3])
        #expect(accepted.info?.peerCertificates == [Authority.client.der])
    }

    @Test("a client without a certificate does not offer authentication after the handshake")
    func noneAfterHandshake() async throws {
        let (_, accepted) = try await HandshakePair(Authority.trusting(), server(.afterHandshake)).connect()
        guard case .failed(.tls(let failure)) = accepted.askForCertificate() else { throw TransportError.closed }
        #expect(failure.message.contains("extension not received"))
    }

    private enum Ending: CaseIterable { case alert, closeNotify, cut }

    @Test(
        "the error says that a TLS 1.2 server wanted to renegotiate, however it ends the connection",
        arguments: Ending.allCases)
    private func renegotiation(ending: Ending) async throws {
        let pair = try HandshakePair(
            Authority.trusting { $0.identity = Authority.client.identity }, server(.optional, version: .v1_2))
        let outcome = try await pair.run()
        let (client, accepted) = (try outcome.client.get(), try outcome.server.get())
        guard case .bytes = accepted.askToRenegotiate() else { throw TransportError.closed }
        #expect(client.readOnce().isWouldBlock)
        switch ending {
        // The refusal makes OpenSSL end the connection with an alert.
        case .alert: #expect(accepted.readOnce().failure != nil)
        case .closeNotify: _ = accepted.closeWrite()
        case .cut: outcome.serverPipe.close()
        }
        let error = await #expect(throws: TransportError.self) { try await client.receive(1) }
        guard case .tls(let failure)? = error else { throw TransportError.closed }
        #expect(failure.reason == .renegotiation)
        #expect(failure.message.contains("wanted to renegotiate"))
    }

    @Test("content before a refused renegotiation arrives, even if close_notify comes with it")
    func contentBeforeRenegotiation() async throws {
        let (client, accepted) = try await HandshakePair(Authority.trusting { $0.maximumVersion = .v1_2 }).connect()
        try await accepted.sendAll([7])
        guard case .bytes = accepted.askToRenegotiate() else { throw TransportError.closed }
        _ = accepted.closeWrite()
        #expect(client.readOnce().isBytes(1))
        guard case .tls(let failure)? = client.readOnce().failure else { throw TransportError.closed }
        #expect(failure.reason == .renegotiation)
    }

    @Test("a refused renegotiation is forgotten if the server continues without it")
    func toleratedRefusal() async throws {
        let outcome = try await HandshakePair(Authority.trusting { $0.maximumVersion = .v1_2 }).run()
        let (client, accepted) = (try outcome.client.get(), try outcome.server.get())
        guard case .bytes = accepted.askToRenegotiate() else { throw TransportError.closed }
        try await accepted.sendAll([7])
        #expect(try await client.receive(1) == [7])
        outcome.serverPipe.close()
        await #expect(throws: TransportError.truncated) { try await client.receive(1) }
    }
}
