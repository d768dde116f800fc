import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Testing

/// The test vectors of names in certificates. A client connects to a loopback server, to which the host is mapped. The
/// server's certificate has the dNSName of the case. Hosts that cannot be in a URL are tried with the matcher alone.
@Suite struct NameWireTests {
    private static let authority = Result { try TestCertificateAuthority() }

    /// - `curl-13`: the host is an IP address, which the certificate has as a dNSName. RFC 6125 6.2.1 and RFC 9525 3:
    ///   an address is compared with an iPAddress only, so the client refuses the certificate. The matcher that the
    ///   case was taken from accepts it.
    private static let differences: Set = ["curl-13"]

    @Test(
        "the client accepts or refuses the certificate as the case says",
        .timeLimit(.minutes(1)), arguments: NameCase.all)
    func handshake(vector: NameCase) async throws {
        let certificate = try Self.authority.get().issue(TestCertificateOptions(dnsNames: [vector.san]))
        let server = try await TestServer.start(tls: TestTLS(certificate)) { _ in .ok("verified") }
        guard let url = vector.url(port: server.port) else {
            print(
                "tls-names: \(vector.id): '\(vector.host)' cannot be the host of a URL, so only the matcher is tested")
            return judgeMatcher(vector)
        }
        var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: try Self.authority.get().roots))
        var target = url
        if case .address = PeerName(vector.host) {
            // `hostOverrides` maps no IP addresses, so the address is set as the name to verify.
            configuration.tls.serverName = vector.host
            target = server.url()
        } else {
            configuration.hostOverrides = [try HTTPURL(url).host: [server.address]]
        }
        let client = HTTPClient(configuration: configuration)
        let isExpected = vector.match && !Self.differences.contains(vector.id)
        do throws(SockeyeError) {
            let text = try await client.get(target).text()
            #expect(isExpected && text == "verified")
        } catch {
            #expect(!isExpected, "\(error)")
            #expect(error.tlsFailure?.reason == .hostNameMismatch, "\(error)")
            #expect(server.activity.requests == 0)
        }
        judgeMatcher(vector)
    }

    private func judgeMatcher(_ vector: NameCase) {
        #expect(HostNameMatcher.matches(pattern: vector.san.utf8, host: vector.host.utf8) == vector.match)
    }
}
