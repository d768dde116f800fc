import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "nginx: TLS", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxTLSTests {
    let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared.get()
    }

    private func url(_ port: String, host: String = "127.0.0.1") -> String {
        "https://\(host):\(nginx.port(port))/"
    }

    @Test(
        "the client uses the TLS version that the server allows",
        arguments: [("TLS12", "TLSv1.2", "old"), ("TLS13", "TLSv1.3", "new")])
    func negotiates(port: String, version: String, text: String) async throws {
        let response = try await nginx.client().get(url(port))
        #expect(response["X-Protocol"] == version)
        #expect(try await response.text() == text)
    }

    @Test(
        "the handshake fails if client and server have no version in common",
        arguments: [("TLS12", TLSOptions.Version.v1_3), ("TLS13", .v1_2)])
    func refusesVersions(port: String, version: TLSOptions.Version) async throws {
        let client = nginx.client {
            $0.tls.minimumVersion = version
            $0.tls.maximumVersion = version
        }
        let url = url(port)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .tlsFailed)
        #expect(error?.phase == .tls)
    }

    @Test("the client resumes sessions on new connections", arguments: TLSOptions.Version.allCases)
    func resumes(version: TLSOptions.Version) async throws {
        let client = nginx.client { $0.tls.maximumVersion = version }
        var options = OutgoingRequest.Options()
        options.closesConnection = true
        var sessions: [String?] = []
        for _ in 0..<4 {
            let response = try await client.get(nginx.url("/small", over: .https), options: options)
            sessions.append(response["X-Session"])
            _ = try await response.bytes()
        }
        #expect(sessions == [".", "r", "r", "r"])
    }

    @Test("the client verifies the name and the issuer of the server's certificate")
    func verifies() async throws {
        #expect(try await nginx.client().get(url("HTTPS", host: "localhost") + "small").text() == "small")
        let wrongName = nginx.client {
            $0.hostOverrides = ["example.com": EndpointAddress(literal: "127.0.0.1", port: 0).map { [$0] } ?? []]
        }
        let strange = url("HTTPS", host: "example.com")
        let mismatch = await #expect(throws: SockeyeError.self) { try await wrongName.get(strange) }
        #expect(mismatch?.code == .tlsFailed)
        let unknown = url("HTTPS")
        let untrusted = await #expect(throws: SockeyeError.self) { try await HTTPClient().get(unknown) }
        #expect(untrusted?.code == .tlsFailed)
    }

    @Test("the client checks the stapled OCSP response", arguments: TLSOptions.Version.allCases)
    func stapled(version: TLSOptions.Version) async throws {
        func reason(_ port: String, _ policy: TLSOptions.Revocation.Policy) async -> TLSError.Reason? {
            let client = nginx.client {
                $0.tls.maximumVersion = version
                $0.tls.revocation = .stapling(policy)
            }
            do throws(SockeyeError) {
                let response = try await client.get(url(port))
                #expect((response.tls?.trust.stapledResponse == .good) == (port == "GOOD"))
                return nil
            } catch {
                return error.tlsFailure?.reason ?? .other
            }
        }
        for policy in [TLSOptions.Revocation.Policy.soft, .hard] {
            #expect(await reason("GOOD", policy) == nil)
            #expect(await reason("REVOKED", policy) == .certificateRevoked)
            #expect(await reason("HTTPS", policy) == (policy == .hard ? .revocationUnknown : nil))
        }
    }

    @Test("the client presents its certificate to a server that requests one")
    func presentsCertificate() async throws {
        var options = TestCertificateOptions()
        options.purpose = .client
        options.commonName = "ada"
        let identity = try nginx.authority.issue(options).identity
        let client = nginx.client { $0.tls.identity = identity }
        for _ in 0..<2 {
            #expect(try await client.get(url("MUTUAL")).text() == "SUCCESS CN=ada")
            await client.pool?.closeIdle()
        }
    }

    @Test("the server's refusal says that a certificate is missing or wrong")
    func lacksCertificate() async throws {
        let without = try await nginx.client().get(url("MUTUAL"))
        #expect(without.status == .badRequest)
        #expect(try await without.text().contains("No required SSL certificate"))
        var options = TestCertificateOptions()
        options.purpose = .client
        let untrusted = try TestCertificateAuthority(commonName: "another authority").issue(options).identity
        let wrong = try await nginx.client { $0.tls.identity = untrusted }.get(url("MUTUAL"))
        #expect(wrong.status == .badRequest)
        #expect(try await wrong.text().contains("SSL certificate error"))
    }

    @Test("the client never reuses a connection of another identity")
    func separatesIdentities() async throws {
        var names: [String] = []
        for name in ["ada", "grace", "ada"] {
            var options = TestCertificateOptions()
            options.purpose = .client
            options.commonName = name
            let identity = try nginx.authority.issue(options).identity
            let client = nginx.client { $0.tls.identity = identity }
            names.append(try await client.get(url("MUTUAL")).text())
        }
        #expect(names == ["SUCCESS CN=ada", "SUCCESS CN=grace", "SUCCESS CN=ada"])
    }
}
