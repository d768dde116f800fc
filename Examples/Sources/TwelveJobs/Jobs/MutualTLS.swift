import Sockeye
import SockeyeTesting

/// 9: a certificate authority of one's own, a client certificate, a pin.
struct MutualTLS: Job {
    let title = "own CA, client certificate and pin"

    func run(_ client: HTTPClient) async throws -> String {
        let authority = try TestCertificateAuthority()
        var options = TestCertificateOptions()
        options.purpose = .client
        let (served, own) = (try authority.issue(), try authority.issue(options))
        var tls = TestTLS(served)
        tls.clientCertificates = .required(authority)
        return try await withTestServer(tls: tls) { request in
            .text("\(request.tls?.clientCertificates.count ?? 0) client certificate")
        } run: { server in
            let trust = try TLSOptions(
                roots: authority.roots, identity: own.identity, pinning: .publicKey([.spki(served.publicKeyPin)]))
            return try await HTTPClient(configuration: .init(tls: trust)).get(server.url()).text()
        }
    }
}
