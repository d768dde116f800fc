import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Successful and failed handshakes.
@Suite struct TLSTests {
    /// A fault of a server and the reasons that the client may report for it.
    enum Fault: String, Sendable, CaseIterable {
        case selfSigned, expired, wrongHost, untrustedRoot, missingIntermediate, noCommonVersion

        var reasons: Set<TLSError.Reason> {
            switch self {
            case .selfSigned: [.selfSigned]
            case .expired: [.certificateExpired]
            case .wrongHost: [.hostNameMismatch]
            case .untrustedRoot: [.untrustedRoot, .selfSigned]
            case .missingIntermediate: [.missingIntermediate, .untrustedRoot]
            // If the server detects the fault first, it sends an alert.
            case .noCommonVersion: [.noCommonGround, .alert]
            }
        }

        func server(_ authority: TestCertificateAuthority) throws -> TestTLS {
            var options = TestCertificateOptions()
            switch self {
            case .selfSigned: return TestTLS(try TestCertificateAuthority.selfSigned())
            case .expired:
                options.validUntil = .seconds(-60)
                return TestTLS(try authority.issue(options))
            case .wrongHost: return TestTLS(try authority.issue(TestCertificateOptions(dnsNames: ["other.test"])))
            case .untrustedRoot: return try TestTLS(try TestCertificateAuthority(commonName: "another authority"))
            case .missingIntermediate:
                return TestTLS(identity: try authority.intermediate().issue().identityWithoutIntermediates)
            case .noCommonVersion:
                var tls = try TestTLS(authority)
                tls.maximumVersion = .v1_2
                return tls
            }
        }
    }

    @Test(
        """
        tls-01: self-signed, expired, wrong host, untrusted root, missing intermediate, no common ground in versions
        """, .timeLimit(.minutes(1)), arguments: Fault.allCases)
    func refused(fault: Fault) async throws {
        let authority = try TestCertificateAuthority()
        let server = try await TestServer.start(tls: fault.server(authority)) { _ in .ok("secret") }
        var tls = TLSOptions(roots: authority.roots)
        if fault == .noCommonVersion { tls.minimumVersion = .v1_3 }
        let client = HTTPClient(configuration: .init(tls: tls))
        let error = await failure { try await client.get(server.url()) } as? SockeyeError
        #expect(error?.code == .tlsFailed)
        #expect(error?.phase == .tls)
        let reason = error?.tlsFailure?.reason
        #expect(reason.map(fault.reasons.contains) == true, "\(String(describing: error))")
        // A refusal is final: there is one handshake, and no byte of a request is sent.
        try await server.wait { $0.connections == 1 && $0.openConnections == 0 }
        #expect(server.activity.requests == 0)
    }

    @Test("tls-02: SNI for a name; none for an IP literal; IP address in subjectAltName", .timeLimit(.minutes(1)))
    func serverName() async throws {
        let authority = try TestCertificateAuthority()
        let both = TestCertificateOptions(dnsNames: ["name.test"], ipAddresses: ["127.0.0.1"])
        let server = try await TestServer.start(tls: TestTLS(try authority.issue(both))) { request in
            .ok(request.tls?.serverName ?? "none")
        }
        let client = try client(authority, server)
        #expect(try await client.get("https://name.test:\(server.port)/").text() == "name.test")
        #expect(try await client.get("https://NAME.test.:\(server.port)/").text() == "name.test")
        #expect(try await client.get("https://127.0.0.1:\(server.port)/").text() == "none")
    }

    @Test(
        "tls-02: the client accepts a certificate for an IP address only if it has that iPAddress",
        .timeLimit(.minutes(1)))
    func addressAsName() async throws {
        let authority = try TestCertificateAuthority()
        var options = TestCertificateOptions(dnsNames: ["127.0.0.1"])
        options.commonName = "127.0.0.1"
        let server = try await TestServer.start(tls: TestTLS(try authority.issue(options))) { _ in .ok() }
        let error = await failure { try await client(authority, server).get(server.url()) } as? SockeyeError
        #expect(error?.tlsFailure?.reason == .hostNameMismatch)
    }

    @Test(
        "tls-04: minimum version 1.2 against a 1.1-only server; 1.3 only; session resumption", .timeLimit(.minutes(1)))
    func versions() async throws {
        let authority = try TestCertificateAuthority()
        let old = try await RawServer.start(script: [.readBytes(5), .send(Self.oldServerHello), .readToEnd])
        let refused =
            await failure {
                try await client(authority, nil).get("https://127.0.0.1:\(old.port)/")
            } as? SockeyeError
        #expect(refused?.tlsFailure?.reason == .noCommonGround)
        for version in [TLSOptions.Version.v1_2, .v1_3] {
            var tls = try TestTLS(authority)
            (tls.minimumVersion, tls.maximumVersion) = (version, version)
            let server = try await TestServer.start(tls: tls) { request in
                .ok("\(request.tls?.version == version) \(request.tls?.isResumed == true)")
            }
            let client = try client(authority, server)
            var options = OutgoingRequest.Options()
            options.closesConnection = true
            #expect(try await client.get(server.url(), options: options).text() == "true false")
            #expect(try await client.get(server.url(), options: options).text() == "true true")
        }
    }

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("tls-07: handshake fails for 1000 parallel requests", .timeLimit(.minutes(1)))
    func manyFailures() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(ManyHandshakes.run)
        }
    }
    #endif

    private func client(_ authority: TestCertificateAuthority, _ server: TestServer?) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: authority.roots))
        if let server { configuration.hostOverrides = ["name.test": [server.address], "name.test.": [server.address]] }
        return HTTPClient(configuration: configuration)
    }

    /// A ServerHello that selects TLS 1.1, as in RFC 4346 7.4.1.3.
    private static let oldServerHello: Bytes = {
        let hello: [UInt8] = [3, 2] + Array(repeating: 0x5A, count: 32) + [0, 0, 0x2F, 0]
        return Bytes([0x16, 3, 2, 0, UInt8(hello.count + 4), 2, 0, 0, UInt8(hello.count)] + hello)
    }()
}
