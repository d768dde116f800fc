import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

@Suite("AFSecurityPolicy", .timeLimit(.minutes(2)))
struct SecurityPolicyTests {
    @Test(
        "every policy has AFNetworking's outcome, or the stricter one for wrong names",
        arguments: SecurityPolicyScene.Server.allCases)
    func outcomes(server kind: SecurityPolicyScene.Server) async throws {
        let scene = try SecurityPolicyScene(kind)
        let server = try await TestServer.start(tls: TestTLS(scene.served)) { _ in .ok("trusted") }
        for policy in SecurityPolicyScene.Policy.all {
            let client = HTTPClient(configuration: .init(tls: try scene.configuration(policy)))
            let before = server.activity.requests
            do throws(SockeyeError) {
                _ = try await client.get(server.url(host: "localhost")).text()
                #expect(scene.isTrusted(policy), "\(kind) accepted: \(policy)")
            } catch {
                #expect(!scene.isTrusted(policy), "\(kind) refused: \(policy): \(error)")
                #expect(server.activity.requests == before)
                #expect(error.code == (error.tlsFailure?.reason == .badConfiguration ? .badConfiguration : .tlsFailed))
            }
        }
    }

    @Test("the defaults are AFNetworking's: validated names, no invalid certificates, no pins")
    func defaults() {
        let policy = TLSOptions.securityPolicy()
        #expect(policy == TLSOptions())
        #expect(policy.validatesDomainName && !policy.allowInvalidCertificates && policy.pinning == nil)
    }

    @Test("a policy that allows invalid certificates and validates names, but has no pins, is a bad configuration")
    func nothingToGoBy() async throws {
        let server = try await TestServer.start(tls: TestTLS(try TestCertificateAuthority.selfSigned())) { _ in .ok() }
        let tls = TLSOptions.securityPolicy(allowInvalidCertificates: true)
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient(configuration: .init(tls: tls)).get(server.url())
        }
        #expect(error?.code == .badConfiguration && error?.blame == .caller)
        #expect(error?.message.contains("requires pinning") == true)
    }

    @Test("with pins, plain http is refused before anything is sent")
    func plainHTTP() async throws {
        let server = try await TestServer.start { _ in .ok("plain") }
        let pins = try TLSOptions.Pinning.publicKey([.certificate(TestCertificateAuthority.selfSigned().der)])
        func refusal(_ client: HTTPClient, _ url: String, _ options: OutgoingRequest.Options = .init()) async
            -> SockeyeError?
        {
            do throws(SockeyeError) {
                _ = try await client.post(url, .body("secret"), options: options)
                return nil
            } catch {
                return error
            }
        }
        let pinned = HTTPClient(configuration: .init(tls: TLSOptions(pinning: pins)))
        var configuration = HTTPClient.Configuration()
        configuration.tlsOverrides = ["127.0.0.1": TLSOptions(pinning: pins)]
        let byHost = HTTPClient(configuration: configuration)
        var options = OutgoingRequest.Options()
        options.tls = TLSOptions(pinning: .certificate([]))
        let errors = [
            await refusal(pinned, server.url()), await refusal(pinned.scoped(baseURL: server.url()), "x"),
            await refusal(byHost, server.url()), await refusal(HTTPClient(), server.url(), options),
        ]
        for error in errors {
            #expect(error?.code == .badConfiguration && error?.phase == .prepare, "\(String(describing: error))")
        }
        #expect(server.activity.connections == 0)
        // A host without pins is not affected.
        #expect(await refusal(byHost, server.url(host: "localhost")) == nil)
    }

    @Test("a redirect to plain http does not bypass the pins")
    func redirect() async throws {
        let authority = try TestCertificateAuthority()
        let plain = try await TestServer.start { _ in .ok("plain") }
        let secure = try await TestServer.start(tls: TestTLS(authority)) { [url = plain.url()] _ in .redirect(to: url) }
        let tls = try TLSOptions(
            roots: authority.roots, pinning: .publicKey([.certificate(authority.certificate.der)]))
        var redirects = RedirectPolicy.following
        redirects.allowsDowngrade = true
        let client = HTTPClient(configuration: .init(tls: tls))
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get(secure.url(), options: .intercepting(.redirects(redirects)))
        }
        #expect(error?.code == .badConfiguration && plain.activity.connections == 0)
    }
}
