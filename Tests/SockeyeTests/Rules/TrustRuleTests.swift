import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

/// The default trust of a client without configuration (RFC 9110 4.3.4, RFC 9525).
@Suite("Default trust", .timeLimit(.minutes(1)))
struct TrustRuleTests {
    /// Checks that a client refuses the server and sends it nothing but the handshake.
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

    @Test("by default only the system's roots are trusted")
    func unknownIssuer() async throws {
        let issued = try TestTLS(TestCertificateAuthority())
        let own = TestTLS(try TestCertificateAuthority.selfSigned())
        for tls in [issued, own] {
            let server = try await TestServer.start(tls: tls) { _ in .ok("secret") }
            try await expectRefusal(by: HTTPClient(), of: server, [.untrustedRoot, .selfSigned])
        }
    }

    @Test("a certificate of a trusted issuer is valid only for its own names")
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

    @Test("a server without a pinned key is refused before any byte of the request")
    func pinned() async throws {
        let authority = try TestCertificateAuthority()
        var configuration = HTTPClient.Configuration()
        configuration.tls.roots = authority.roots
        let other = try TestCertificateAuthority.selfSigned()
        configuration.tls.pinning = try .publicKey([.spki(other.publicKeyPin)])
        let server = try await TestServer.start(tls: TestTLS(authority)) { _ in .ok("secret") }
        try await expectRefusal(by: HTTPClient(configuration: configuration), of: server, [.pinMismatch])
        // A matching pin does not replace the rest of the verification.
        configuration.tls = try TLSOptions(pinning: .publicKey([.spki(other.publicKeyPin)]))
        let own = try await TestServer.start(tls: TestTLS(other)) { _ in .ok("secret") }
        try await expectRefusal(by: HTTPClient(configuration: configuration), of: own, [.selfSigned, .untrustedRoot])
    }

    @Test("the defaults are TLS 1.2 or newer and full verification")
    func defaults() {
        let tls = HTTPClient.Configuration().tls
        #expect(tls.minimumVersion == .v1_2 && tls.maximumVersion == .v1_3)
        #expect(tls.verification == .full && tls.roots == .system)
        #expect(tls.serverName == nil && tls.pinning == nil && tls.keyLogFile == nil)
        #expect(tls.revocation == .none && tls.evaluate == nil)
    }
}
