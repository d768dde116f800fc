import Foundation
import Sockeye
import SockeyeHTTP
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

@Suite("Reports of trust decisions", .timeLimit(.minutes(1)))
struct TrustReportTests {
    @Test("a response over TLS has its session and certificates; a response over plain http has neither")
    func response() async throws {
        let authority = try TestCertificateAuthority()
        let certificate = try authority.issue()
        let server = try await TestServer.start(tls: TestTLS(certificate)) { _ in .ok("x") }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        for isReused in [false, true] {
            let response = try await client.get(server.url())
            let tls = try #require(response.tls)
            #expect(tls.version == .v1_3 && tls.cipher.hasPrefix("TLS_AES") && tls.applicationProtocol == "http/1.1")
            #expect(tls.trust.host == "127.0.0.1" && tls.trust.failure == nil, "\(isReused)")
            #expect(tls.trust.certificates.map(\.der) == [certificate.der])
            #expect(tls.trust.chain.last?.der == authority.certificate.der)
            _ = try await response.text()
            // The report outlives the connection.
            await client.pool?.closeIdle()
            #expect(tls.trust.chain.count == 2)
        }
        let plain = try await TestServer.start { _ in .ok() }
        #expect(try await client.get(plain.url()).tls == nil)
    }

    @Test("a trust error has the certificates and the verification result, and its description does not show them")
    func error() async throws {
        let authority = try TestCertificateAuthority()
        var options = TestCertificateOptions()
        options.validUntil = .seconds(-60)
        let certificate = try authority.issue(options)
        let server = try await TestServer.start(tls: TestTLS(certificate)) { _ in .ok() }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        let error = try #require(await #expect(throws: SockeyeError.self) { try await client.get(server.url()) })
        let failure = try #require(error.tlsFailure)
        #expect(failure.reason == .certificateExpired && failure.verifyCode == 10)
        let trust = try #require(failure.trust)
        #expect(trust.certificates.map(\.der) == [certificate.der] && trust.chainCode == 10)
        #expect(trust.failure == failure && trust.failure?.trust == nil)
        #expect(!error.description.contains("BEGIN"))
        let other = await #expect(throws: SockeyeError.self) { try await HTTPClient().get("http://127.0.0.1:1/") }
        #expect(other != nil && other?.tlsFailure == nil)
    }

    @Test("an evaluation decides before any byte of a request is sent")
    func evaluation() async throws {
        let server = try await TestServer.start(tls: TestTLS(try TestCertificateAuthority.selfSigned())) { _ in .ok("x")
        }
        let hosts = Mutex<[String]>([])
        let serial = Mutex("")
        let tls = TLSOptions(evaluate: { trust in
            hosts.withLock { $0.append(trust.host) }
            let found = trust.certificates.first?.serialNumber ?? ""
            return serial.withLock { $0 == found } ? .accept : .reject("unknown serial number \(found)")
        })
        let client = HTTPClient(configuration: .init(tls: tls))
        let refused = await #expect(throws: SockeyeError.self) { try await client.post(server.url(), .body("secret")) }
        #expect(refused?.tlsFailure?.reason == .evaluationRefused && server.activity.requests == 0)
        #expect(refused?.isTransient == false)
        serial.withLock { $0 = refused?.tlsFailure?.trust?.certificates.first?.serialNumber ?? "" }
        let response = try await client.post(server.url(), .body("secret"))
        #expect(response.tls?.trust.isOverridden == true)
        #expect(hosts.withLock { $0 } == ["127.0.0.1", "127.0.0.1"])
    }

    @Test("the wait for an evaluation that does not return ends at the TLS deadline")
    func evaluationDeadline() async throws {
        let server = try await TestServer.start(tls: TestTLS(try TestCertificateAuthority.selfSigned())) { _ in .ok() }
        let release = TestSignal()
        defer { release.fire() }
        let tls = TLSOptions(evaluate: { _ in
            await Task { try? await release.wait() }.value
            return .accept
        })
        var timeouts = Timeouts()
        timeouts.tls = .milliseconds(100)
        let client = HTTPClient(configuration: .init(tls: tls, timeouts: timeouts))
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
        #expect(error?.code == .timeout && error?.phase == .tls)
        try await server.wait { $0.openConnections == 0 }
        #expect(server.activity.requests == 0)
    }

    @Test("a replaced revocation list is read again, and earlier sessions are not resumed")
    func replacedList() async throws {
        let authority = try TestCertificateAuthority()
        let certificate = try authority.issue()
        let server = try await TestServer.start(tls: TestTLS(certificate)) { _ in .ok() }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).crl").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try authority.revocationList().write(toFile: path, atomically: true, encoding: .utf8)
        let tls = TLSOptions(roots: authority.roots, revocation: .crl(file: path))
        let client = HTTPClient(configuration: .init(tls: tls))
        #expect(try await client.get(server.url()).tls?.trust.revocationLists == .good)
        await client.pool?.closeIdle()
        try authority.revocationList(revoking: [certificate]).write(toFile: path, atomically: true, encoding: .utf8)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
        #expect(error?.tlsFailure?.reason == .certificateRevoked)
    }

    @Test(
        "a certificate for *.co.uk, or a wildcard of another registry's suffix, is not accepted",
        arguments: [
            ("*.co.uk", "example.co.uk", false), ("*.com.au", "bank.com.au", false), ("*.test", "a.test", false),
            ("*.example.co.uk", "www.example.co.uk", true), ("example.co.uk", "example.co.uk", true),
            // A private suffix: its owner gives out names below it, and may have a certificate for all of them.
            ("*.github.io", "octocat.github.io", true), ("*.s3.amazonaws.com", "bucket.s3.amazonaws.com", true),
            // An exception in the list, and the rule that it is an exception to.
            ("*.kobe.jp", "foo.kobe.jp", true), ("*.city.kobe.jp", "www.city.kobe.jp", true),
            ("*.foo.kobe.jp", "bar.foo.kobe.jp", false),
        ])
    func publicSuffixes(pattern: String, host: String, isAccepted: Bool) async throws {
        let authority = try TestCertificateAuthority()
        let certificate = try authority.issue(TestCertificateOptions(dnsNames: [pattern]))
        let server = try await TestServer.start(tls: TestTLS(certificate)) { _ in .ok() }
        var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: authority.roots))
        configuration.hostOverrides = [host: [server.address]]
        let client = HTTPClient(configuration: configuration)
        let error: SockeyeError?
        do throws(SockeyeError) {
            _ = try await client.get(server.url(host: host))
            error = nil
        } catch let failure {
            error = failure
        }
        #expect(error?.tlsFailure?.reason == (isAccepted ? nil : .hostNameMismatch))
        #expect(
            PublicSuffixList.isRegistrySuffix(String(pattern.dropFirst(2))) != isAccepted || !pattern.hasPrefix("*"))
    }
}
