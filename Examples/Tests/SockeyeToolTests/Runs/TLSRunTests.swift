import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye and TLS", .timeLimit(.minutes(3)))
struct TLSRunTests {
    private let authority: TestCertificateAuthority
    private let served: TestCertificate
    private let folder: Tool.Folder

    init() throws {
        authority = try TestCertificateAuthority()
        served = try authority.issue()
        folder = try Tool.Folder()
        try folder.write(authority.pem, to: "ca.pem")
    }

    @Test
    func `the command trusts the given authority, and otherwise a hint names the option`() async throws {
        try await withTestServer(tls: TestTLS(served)) { _ in
            .text("secret")
        } run: { server in
            let refused = try await Tool.run([server.url()])
            #expect(refused.status == 60 && refused.error.contains("--cacert"))
            let trusted = try await Tool.run([server.url(), "--cacert", "ca.pem"], in: folder)
            #expect(trusted.output == "secret" && trusted.status == 0)
            let insecure = try await Tool.run([server.url(), "-k"])
            #expect(insecure.output == "secret")
            let missing = try await Tool.run([server.url(), "--cacert", "nothing.pem"], in: folder)
            #expect(missing.status == 58 && missing.error.contains("nothing.pem"))
        }
    }

    @Test
    func `a pin is checked with and without an authority`() async throws {
        let other = try authority.issue()
        try await withTestServer(tls: TestTLS(served)) { _ in
            .text("secret")
        } run: { server in
            let trust = [server.url(), "--cacert", "ca.pem"]
            let pinned = try await Tool.run(trust + ["--pin", served.publicKeyPin], in: folder)
            #expect(pinned.output == "secret")
            let curls = try await Tool.run(
                trust + ["--pinnedpubkey", "sha256//" + served.publicKeyPin.dropFirst(7)], in: folder)
            #expect(curls.output == "secret")
            let wrong = try await Tool.run(trust + ["--pin", other.publicKeyPin], in: folder)
            #expect(wrong.status == 90 && wrong.error.contains("another key"))
            let insecure = try await Tool.run([server.url(), "-k", "--pin", other.publicKeyPin])
            #expect(insecure.status == 90)
        }
    }

    @Test
    func `a client certificate is presented`() async throws {
        var options = TestCertificateOptions()
        options.purpose = .client
        let own = try authority.issue(options)
        try folder.write(own.chainPEM, to: "cert.pem")
        try folder.write(own.key.pem, to: "key.pem")
        try folder.write(try own.key.pem(passphrase: "pw"), to: "locked.pem")
        try folder.write(own.chainPEM + own.key.pem, to: "both.pem")
        var tls = TestTLS(served)
        tls.clientCertificates = .required(authority)
        try await withTestServer(tls: tls) { request in
            .text("\(request.tls?.clientCertificates.count ?? 0)")
        } run: { server in
            let trust = [server.url(), "--cacert", "ca.pem"]
            for arguments in [
                ["-E", "cert.pem", "--key", "key.pem"], ["--cert", "both.pem"],
                ["--cert", "cert.pem", "--key", "locked.pem", "--pass", "pw"],
            ] {
                #expect(try await Tool.run(trust + arguments, in: folder).output == "1")
            }
            let without = try await Tool.run(trust, in: folder)
            #expect([35, 52].contains(without.status), "\(without.status) \(without.error)")
            #expect(without.error.contains("--cert FILE"))
        }
    }

    @Test
    func `mixing up http and https leads to a hint`() async throws {
        try await withTestServer(tls: TestTLS(served)) { _ in
            .text("x")
        } run: { server in
            let url = "http" + server.url("/p").dropFirst(5)
            let run = try await Tool.run([url])
            #expect(run.status != 0 && run.error.contains("did you mean \(server.url("/p"))?"), "\(run.error)")
            _ = server.takeFailures()
        }
        let answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
        let server = try await RawServer.start(script: [.readBytes(16), .send(answer), .readToEnd])
        let run = try await Tool.run(["https" + server.url("/p").dropFirst(4)])
        #expect(run.status == 35 && run.error.contains("did you mean \(server.url("/p"))?"), "\(run.error)")
        await server.stop()
    }
}
