import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

@Suite(
    "Apache that asks for a client certificate for some resources",
    .enabled(if: ApacheTLSServer.isInstalled, "\(ApacheTLSServer.missing)"), .timeLimit(.minutes(1)))
struct ApacheClientCertificateTests {
    private let authority: TestCertificateAuthority
    private let identity: TLSOptions.Identity

    init() throws {
        authority = try TestCertificateAuthority()
        var options = TestCertificateOptions(dnsNames: ["client"])
        options.purpose = .client
        identity = try authority.issue(options).identity
    }

    private func client(_ identity: TLSOptions.Identity?) -> HTTPClient {
        HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots, identity: identity)))
    }

    @Test("over TLS 1.3 Apache gets the client's certificate when needed, and a client without one gets a 403")
    func afterHandshake() async throws {
        let server = try ApacheTLSServer("TLSv1.3", authority.issue(), clients: authority)
        let client = client(identity)
        for path in ["/hello", "/private/hello", "/private/hello", "/hello"] {
            let response = try await client.get(server.url(path))
            #expect(response.status == .ok)
            #expect(try await response.text() == (path == "/hello" ? "hello\n" : "hello, friend\n"))
        }
        let response = try await self.client(nil).get(server.url("/private/hello"))
        #expect(response.status == .forbidden)
    }

    @Test("over TLS 1.2 the request fails, and the error says that the server wanted to renegotiate")
    func renegotiation() async throws {
        let server = try ApacheTLSServer("TLSv1.2", authority.issue(), clients: authority)
        let client = client(identity)
        #expect(try await client.get(server.url("/hello"), as: .text) == "hello\n")
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url("/private/hello")) }
        #expect(error?.code == .tlsFailed)
        #expect(error?.tlsFailure?.reason == .renegotiation)
        #expect(error?.message.contains("wanted to renegotiate") == true, "\(String(describing: error))")
    }
}
