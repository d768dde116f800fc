import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

/// What a client trusts that nobody has configured (RFC 9110 4.3.4, RFC 9525).
@Suite("Trust by default", .timeLimit(.minutes(1)))
struct TrustRuleTests {
    /// Sends nothing that is not handshake to a server that must be refused.
    private func expectRefusal(
        by client: HTTPClient, of server: TestServer, host: String? = nil, _ reasons: Set<TLSError.Reason>
    ) async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await client.post(server.url(host: host), .body("secret"), headers: [.authorization: "Bearer t0ken"])
        }
        #expect(error?.code == .tlsFailed && error?.phase == .tls, "\(String(describing: error))")
        guard case .tls(let failure) = error?.underlying as? TransportError else {
            Issue.record("no TLS failure: \(String(describing: error))")
            return
        }
        #expect(reasons.contains(failure.reason), "\(failure.reason)")
        try await server.wait { $0.connections == 1 && $0.openConnections == 0 }
        #expect(server.activity.requests == 0)
    }

    @Test("nobody but the system's roots is trusted, whoever the certificate names")
    func unknownIssuer() async throws {
        let issued = try TestTLS(TestCertificateAuthority())
        let own = TestTLS(try TestCertificateAuthority.selfSigned())
        for tls in [issued, own] {
            let server = try await TestServer.start(tls: tls) { _ in .ok("secret") }
            try await expectRefusal(by: HTTPClient(), of: server, [.untrustedRoot, .selfSigned])
        }
    }

    @Test("a certificate of a trusted issuer is good for its own names only")
    func wrongHost() async throws {
        let authority = try TestCertificateAuthority()
        var options = TestCertificateOptions(dnsNames: ["other.test", "*.example.test"])
        options.commonName = "localhost"
        var configuration = HTTPClient.Configuration()
        configuration.tls.roots = authority.roots
        for host in ["localhost", "example.test", "a.b.example.test", "127.0.0.1"] {
            let server = try await TestServer.start(tls: TestTLS(try authority.issue(options))) { _ in .ok("secret") }
            configuration.hostOverrides = [host: [server.address]]
            let client = HTTPClient(configuration: configuration)
            try await expectRefusal(by: client, of: server, host: host, [.hostNameMismatch])
        }
    }

    @Test("a key that is not pinned is refused before a byte of the request")
    func pinned() async throws {
        let authority = try TestCertificateAuthority()
        var configuration = HTTPClient.Configuration()
        configuration.tls.roots = authority.roots
        let other = try TestCertificateAuthority.selfSigned()
        configuration.tls.pinning = try .publicKey([.spki(other.publicKeyPin)])
        let server = try await TestServer.start(tls: TestTLS(authority)) { _ in .ok("secret") }
        try await expectRefusal(by: HTTPClient(configuration: configuration), of: server, [.pinMismatch])
        // A pin is no replacement for the rest of the verification either.
        configuration.tls = try TLSOptions(pinning: .publicKey([.spki(other.publicKeyPin)]))
        let own = try await TestServer.start(tls: TestTLS(other)) { _ in .ok("secret") }
        try await expectRefusal(by: HTTPClient(configuration: configuration), of: own, [.selfSigned, .untrustedRoot])
    }

    @Test("nothing older than TLS 1.2 is spoken, with full verification")
    func defaults() {
        let tls = HTTPClient.Configuration().tls
        #expect(tls.minimumVersion == .v1_2 && tls.maximumVersion == .v1_3)
        #expect(tls.verification == .full && tls.roots == .system)
        #expect(tls.serverName == nil && tls.pinning == nil && tls.keyLogFile == nil)
        #expect(tls.revocation == .none && tls.evaluate == nil)
    }
}
