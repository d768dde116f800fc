import Foundation
import Sockeye
import SockeyeTesting

// snippet.show
func bank(authority: String, certificate: String, key: String, pin: String)
    throws -> HTTPClient
{
    var tls = TLSOptions(roots: .file(authority))
    tls.identity = .pem(
        certificateChain: .file(certificate), privateKey: .file(key))
    tls.pinning = try .publicKey([.spki(pin)])
    return HTTPClient(configuration: .init(tls: tls))
}
// snippet.hide

extension Job {
    static let clientCertificate = Job("Client certificate and pin") {
        let authority = try TestCertificateAuthority()
        var options = TestCertificateOptions()
        options.purpose = .client
        let (served, own) = (try authority.issue(), try authority.issue(options))
        var tls = TestTLS(served)
        tls.clientCertificates = .required(authority)
        return try await withFolder { folder in
            let paths = ["ca.pem", "client.pem", "client.key"].map { folder.appending(path: $0).path() }
            for (text, path) in zip([authority.pem, own.pem, own.key.pem], paths) {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            func client(_ pin: String) throws -> HTTPClient {
                try bank(authority: paths[0], certificate: paths[1], key: paths[2], pin: pin)
            }
            return try await withTestServer(tls: tls) { request in
                .text("\(request.tls?.clientCertificates.count ?? 0) client certificate")
            } run: { server in
                let text = try await client(served.publicKeyPin).get(server.url()).text()
                do {
                    _ = try await client(own.publicKeyPin).get(server.url())
                    throw Unexpected("another key was accepted")
                } catch let error as SockeyeError {
                    return "\(text); with another pin \(error.tlsFailure?.reason.rawValue ?? "\(error)")"
                }
            }
        }
    }
}
