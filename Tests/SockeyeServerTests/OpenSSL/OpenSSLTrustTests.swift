import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "openssl s_server: trust", .enabled(if: Program.openssl != nil, "openssl is not installed"), .timeLimit(.minutes(2))
)
struct OpenSSLTrustTests {
    let authority: TestCertificateAuthority

    init() throws {
        authority = try TestCertificateAuthority()
    }

    private func failure(_ server: OpenSSLServer, _ tls: TLSOptions) async -> TLSError.Reason? {
        do throws(SockeyeError) {
            _ = try await HTTPClient(configuration: .init(tls: tls)).get(server.url()).text()
            return nil
        } catch {
            return error.tlsFailure?.reason ?? .other
        }
    }

    @Test("the client checks the OCSP response that s_server staples", arguments: [nil, "-tls1_2"] as [String?])
    func stapled(option: String?) async throws {
        let certificate = try authority.issue()
        let options = option.map { [$0] } ?? []
        let good = try OpenSSLServer(
            certificate, stapled: authority.ocspResponse(for: certificate), arguments: options)
        let revoked = try OpenSSLServer(
            certificate, stapled: authority.ocspResponse(for: certificate, .revoked), arguments: options)
        let missing = try OpenSSLServer(certificate, arguments: options)
        for (policy, reason) in [
            (TLSOptions.Revocation.Policy.soft, nil), (.hard, TLSError.Reason.revocationUnknown),
        ] {
            let tls = TLSOptions(roots: authority.roots, revocation: .stapling(policy))
            #expect(await failure(good, tls) == nil)
            #expect(await failure(revoked, tls) == .certificateRevoked)
            #expect(await failure(missing, tls) == reason)
        }
    }

    @Test(
        "the client refuses an invalid certificate of s_server, and can pin a valid one",
        arguments: [nil, "-tls1_2"] as [String?])
    func certificates(option: String?) async throws {
        let options = option.map { [$0] } ?? []
        let certificate = try authority.issue()
        var wrong = TestCertificateOptions()
        wrong.purpose = .client
        let server = try OpenSSLServer(certificate, arguments: options)
        let purpose = try OpenSSLServer(try authority.issue(wrong), arguments: options)
        let own = try OpenSSLServer(try TestCertificateAuthority.selfSigned(), arguments: options)
        let tls = TLSOptions(roots: authority.roots)
        #expect(await failure(server, tls) == nil)
        #expect(await failure(purpose, tls) == .wrongPurpose)
        #expect(await failure(own, tls) == .selfSigned)
        var pinned = tls
        pinned.pinning = try .publicKey([.certificate(certificate.der)])
        #expect(await failure(server, pinned) == nil)
        pinned.allowInvalidCertificates = true
        #expect(await failure(purpose, pinned) == .pinMismatch)
        let evaluated = TLSOptions(evaluate: { trust in
            trust.certificates.first?.der == certificate.der ? .accept : .reject("another")
        })
        #expect(await failure(server, evaluated) == nil)
        #expect(await failure(own, evaluated) == .evaluationRefused)
    }
}
