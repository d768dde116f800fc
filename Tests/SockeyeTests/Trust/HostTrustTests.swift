import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("TLS settings by host and by request", .timeLimit(.minutes(1)))
struct HostTrustTests {
    private let authority: TestCertificateAuthority
    private let identity: TLSOptions.Identity

    init() throws {
        authority = try TestCertificateAuthority()
        var options = TestCertificateOptions(dnsNames: ["client"])
        options.purpose = .client
        identity = try authority.issue(options).identity
    }

    /// Runs a server that answers with the number of certificates that the client has sent.
    private func server(_ redirect: String? = nil) async throws -> TestServer {
        let names = TestCertificateOptions(
            dnsNames: ["localhost", "*.internal.test", "other.test"], ipAddresses: ["127.0.0.1"])
        var tls = TestTLS(try authority.issue(names))
        tls.clientCertificates = .optional(authority)
        return try await TestServer.start(tls: tls) { request in
            if let redirect, request.path == "/away" { return .redirect(to: redirect) }
            return .ok(
                "\(request.tls?.clientCertificates.count ?? 0) \(request.tls?.isResumed == true) \(request.connection)")
        }
    }

    private func client(_ server: TestServer, _ change: (inout HTTPClient.Configuration) -> Void) -> HTTPClient {
        var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: authority.roots))
        for host in ["a.internal.test", "b.a.internal.test", "internal.test", "other.test"] {
            configuration.hostOverrides[host] = [server.address]
        }
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    @Test(
        "a pattern matches the host with its name, or all hosts below its wildcard",
        arguments: [
            ("a.test", "a.test", true), ("A.Test", "a.test", true), ("a.test.", "a.test", true),
            ("a.test", "a.test.", true), ("a.test", "b.a.test", false), ("*.a.test", "b.a.test", true),
            ("*.a.test", "c.b.a.test", true), ("*.a.test", "a.test", false), ("*.a.test", "ba.test", false),
            ("*.a.test", "b.a.test.", true), ("*.bücher.test", "x.xn--bcher-kva.test", true),
            ("192.0.2.1", "192.0.2.1", true), ("2001:db8::1", "2001:db8::1", true),
            ("[2001:db8::1]", "2001:db8::1", true),
        ])
    func patterns(pattern: String, host: String, isMatch: Bool) {
        var patterns = HostPatterns<Int>()
        let isPattern = patterns.add(1, for: pattern)
        #expect(isPattern)
        #expect((patterns[host] == 1) == isMatch)
    }

    @Test("an exact name overrides patterns, and the longest pattern overrides others")
    func precedence() {
        var patterns = HostPatterns<Int>()
        for (index, pattern) in ["*.test", "*.a.test", "b.a.test"].enumerated() {
            _ = patterns.add(index, for: pattern)
        }
        #expect(patterns["b.a.test"] == 2 && patterns["c.a.test"] == 1 && patterns["c.test"] == 0)
        #expect(patterns["test"] == nil && patterns["test.example"] == nil)
    }

    @Test(
        "an invalid pattern fails every request",
        arguments: [
            "", "*", "*.", "*.*.test", "a.*.test", "*a.test", "a.test:443", "a.test:80", "https://a.test", "a.test/x",
            "user@a.test",
            "*.192.0.2.1", "a b.test", "a.test:", "*.a.test:443",
        ])
    func malformed(pattern: String) async {
        var patterns = HostPatterns<Int>()
        let isPattern = patterns.add(1, for: pattern)
        #expect(!isPattern)
        var configuration = HTTPClient.Configuration()
        configuration.tlsOverrides = [pattern: TLSOptions()]
        let client = HTTPClient(configuration: configuration)
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://127.0.0.1:1/") }
        #expect(error?.code == .badConfiguration && error?.message.contains("'\(pattern)'") == true)
    }

    @Test("a client certificate is sent only to the hosts it is set for")
    func identityByHost() async throws {
        let server = try await server()
        let client = client(server) {
            $0.tlsOverrides = ["*.internal.test": TLSOptions(roots: authority.roots, identity: identity)]
        }
        for (host, count) in [
            ("a.internal.test", "1"), ("A.Internal.TEST", "1"), ("other.test", "0"), ("localhost", "0"),
        ] {
            #expect(try await client.get(server.url(host: host)).text().hasPrefix(count), "\(host)")
        }
    }

    @Test("neither a client certificate nor a request's own TLS follows a redirect to another origin")
    func redirects() async throws {
        let target = try await server()
        let server = try await server(target.url())
        var options = OutgoingRequest.Options()
        options.tls = TLSOptions(roots: authority.roots, identity: identity)
        let own = client(server) { $0.tls.identity = identity }
        let none = client(server) { _ in }
        for (client, options, isOwn) in [(own, OutgoingRequest.Options(), true), (none, options, false)] {
            #expect(try await client.get(server.url(), options: options).text().hasPrefix("1"))
            // A direct request sends the certificate; after the redirect it is not sent.
            if isOwn { #expect(try await client.get(target.url()).text().hasPrefix("1")) }
            let led = try await client.get(server.url("/away"), options: options)
            #expect(led.url.port == target.port)
            #expect(try await led.text().hasPrefix("0"))
        }
        // A certificate set for the host is sent, even after a redirect.
        let meant = client(server) {
            $0.tlsOverrides = ["127.0.0.1": TLSOptions(roots: authority.roots, identity: identity)]
        }
        #expect(try await meant.get(server.url("/away")).text().hasPrefix("1"))
    }

    @Test("a client certificate is not sent outside the scope's origins, nor after a redirect back")
    func scopes() async throws {
        let target = try await server()
        let server = try await server(target.url())
        let client = client(server) { $0.tls.identity = identity }
        let api = client.scoped(baseURL: server.url())
        #expect(try await api.get("x").text().hasPrefix("1"))
        for _ in 1...2 { #expect(try await api.get(target.url()).text().hasPrefix("0")) }
        await client.pool?.closeIdle()
        try await api.pool?.prewarm(target.url(), as: api)
        await eventually("a connection") { api.pool?.statistics.idle == 1 }
        #expect(try await api.get(target.url()).text().hasPrefix("0"))
        #expect(api.pool?.statistics.idle == 1, "the prewarmed connection was used")
        #expect(try await client.scoped(baseURL: target.url()).get(server.url("/away")).text().hasPrefix("0"))
        // The scope, the setting for the host or the call can allow the certificate.
        #expect(try await api.scoped(trusting: [target.url()]).get(target.url()).text().hasPrefix("1"))
        var options = OutgoingRequest.Options()
        options.tls = TLSOptions(roots: authority.roots, identity: identity)
        #expect(try await api.get(target.url(), options: options).text().hasPrefix("1"))
        // An inner scope of another origin does not use the certificate.
        #expect(try await api.scoped(baseURL: target.url()).get("x").text().hasPrefix("0"))
    }

    @Test("requests with different TLS share no connections or sessions; requests with equal TLS share both")
    func separation() async throws {
        let server = try await server()
        let client = client(server) { _ in }
        var options = OutgoingRequest.Options()
        options.tls = TLSOptions(roots: authority.roots, identity: identity)
        var texts: [String] = []
        for options in [OutgoingRequest.Options(), options, OutgoingRequest.Options(), options] {
            texts.append(try await client.get(server.url(), options: options).text())
        }
        #expect(texts[0] == texts[2] && texts[1] == texts[3])
        #expect(texts[0].hasPrefix("0") && texts[1].hasPrefix("1"))
        options.closesConnection = true
        await client.pool?.closeIdle()
        options.tls = TLSOptions(roots: authority.roots, verification: .chainOnly)
        #expect(try await client.get(server.url(), options: options).text().hasPrefix("0 false"))
        #expect(try await client.get(server.url(), options: options).text().hasPrefix("0 true"))
    }

    @Test("a request with pins never gets an unpinned connection")
    func pinnedRequest() async throws {
        let server = try await server()
        let client = client(server) { _ in }
        _ = try await client.get(server.url()).text()
        var options = OutgoingRequest.Options()
        options.tls = try TLSOptions(
            roots: authority.roots, pinning: .publicKey([.certificate(TestCertificateAuthority().certificate.der)]))
        let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url(), options: options) }
        #expect(error?.tlsFailure?.reason == .pinMismatch && server.activity.requests == 1)
    }

    @Test("the oldest TLS settings of requests are forgotten, and no two settings share an identifier")
    func interning() throws {
        let settings = TLSSettings(TLSOptions())
        let url = try HTTPURL("https://a.test/")
        func identity(_ name: String) -> Int {
            var options = OutgoingRequest.Options()
            options.tls = TLSOptions()
            options.tls?.serverName = name
            return settings.setting(for: url, options).id
        }
        let first = (0..<200).map { identity("host-\($0)") }
        #expect(Set(first).count == 200 && !first.contains(0))
        #expect(identity("host-199") == first[199])
        #expect(!first.contains(identity("host-0")))
    }
}
