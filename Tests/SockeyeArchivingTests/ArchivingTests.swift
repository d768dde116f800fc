import Foundation
import SockeyeArchiving
import SockeyeCore
import SockeyePlatform
import SockeyePropertyLists
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Archives of settings")
struct ArchivingTests {
    @Test("an empty archive is the default configuration")
    func defaults() throws {
        let read = try JSONDecoder().decode(ClientConfiguration.self, from: Data("{}".utf8))
        #expect(try text(read) == text(ClientConfiguration()))
        #expect(read.timeouts == Timeouts())
    }

    @Test("a configuration file has only settings other than the defaults, durations in seconds and null for no limit")
    func file() throws {
        let json = """
            {"timeouts": {"connect": 2.5, "stall": null}, "pool": {"connections": 8, "maximumAge": null},
             "limits": {"bodyBytes": 1024}, "userAgent": null, "addressPolicy": "publicOnly",
             "tls": {"roots": [{"system": true}, {"pem": {"file": "/ca.pem"}}], "minimumVersion": "TLS 1.3"},
             "hostOverrides": {"example.com": ["192.0.2.1:443"]}, "socket": {"keepAlive": null}}
            """
        let read = try JSONDecoder().decode(ClientConfiguration.self, from: Data(json.utf8))
        #expect(read.timeouts.connect == .seconds(2.5))
        #expect(read.timeouts.stall == .unlimited)
        #expect(read.timeouts.head == nil)
        #expect(read.pool.connections == 8)
        #expect(read.pool.maximumAge == nil)
        #expect(read.pool.waiters == .max)
        #expect(read.limits.bodyBytes == 1024)
        #expect(read.userAgent == nil)
        #expect(read.socket.keepAlive == nil)
        #expect(read.tls.roots == .systemAnd(.file("/ca.pem")))
        #expect(read.tls.minimumVersion == .v1_3)
        #expect(read.hostOverrides["example.com"]?.map(\.description) == ["192.0.2.1:443"])
        let loopback = try #require(EndpointAddress(literal: "127.0.0.1", port: 80))
        #expect(!read.addressPolicy.allows(loopback))
    }

    @Test("every setting that can be archived is read back")
    func configuration() throws {
        var configuration = ClientConfiguration()
        configuration.tls = TLSOptions(roots: .pem("PEM"), verification: .chainOnly)
        configuration.tls.identity = .pem("client.pem", "client.key")
        configuration.tls.pinning = try TLSOptions.Pinning.publicKey([
            .spki(String(repeating: "0F", count: 32)), .certificate(TestCertificateAuthority().certificate.der),
        ])
        configuration.tls.revocation = .crl(folder: "/crls", .soft, coversChain: true)
        configuration.tls.revocation.stapling = .hard
        configuration.tlsOverrides = ["*.example.test": TLSOptions(verification: .chainOnly)]
        configuration.timeouts = Timeouts(total: .milliseconds(1500), connect: .unlimited)
        configuration.pool.waiters = 3
        configuration.pool.maximumUses = 7
        configuration.socket.localAddress = EndpointAddress(literal: "::1", port: 0)
        configuration.socket.userTimeout = .seconds(3)
        configuration.limits.decodedRatio = 5
        configuration.decompresses = false
        configuration.resolverCacheLifetime = nil
        configuration.pollerThreads = 2
        configuration.tolerances = [.bareLineFeeds, .missingCloseNotify]
        let read = try roundTripped(configuration)
        #expect(try text(read) == text(configuration))
        #expect(read.tls == configuration.tls)
        #expect(read.tlsOverrides == configuration.tlsOverrides)
        #expect(read.timeouts == configuration.timeouts)
        #expect(read.pool == configuration.pool)
        #expect(read.socket == configuration.socket)
        #expect(read.resolverCacheLifetime == nil)
        #expect(read.tolerances == configuration.tolerances)
    }

    @Test("pinned certificates are read back")
    func certificates() throws {
        let pinning = try TLSOptions.Pinning.certificate([
            .certificate(TestCertificateAuthority().certificate.der), .sha256(String(repeating: "0F", count: 32)),
        ])
        #expect(try roundTripped(pinning) == pinning)
    }

    @Test(
        "addresses are read back",
        arguments: [
            EndpointAddress(literal: "192.0.2.1", port: 80), EndpointAddress(literal: "2001:db8::1", port: 443),
            EndpointAddress(unixPath: "/run/a:b.sock"),
        ])
    func addresses(address: EndpointAddress?) throws {
        let address = try #require(address)
        #expect(try roundTripped([address]) == [address])
    }

    @Test("a relative path of a socket that begins with @ is read back as the same file")
    func relativeAddress() throws {
        let address = try #require(EndpointAddress(unixPath: "@sock"))
        #expect(try roundTripped([address]) == [EndpointAddress(unixPath: "./@sock")])
    }

    @Test("an address in the abstract name space is read back", .needs(.abstractNames))
    func abstractAddress() throws { try addresses(address: EndpointAddress(unixPath: "\0abstract")) }

    @Test("archiving settings with a closure or a secret is an error, so that neither is lost silently")
    func unarchivable() {
        var closure = ClientConfiguration()
        closure.addressPolicy = EndpointAddress.Policy { _ in true }
        var key = ClientConfiguration()
        key.tls.identity = .pem(certificateChain: .file("a"), privateKey: .text("secret"))
        var passphrase = ClientConfiguration()
        passphrase.tls.identity = .pem("a", "b", passphrase: "secret")
        var options = OutgoingRequest.Options()
        options.onInterim = { _ in }
        var evaluated = ClientConfiguration()
        evaluated.tls.evaluate = { _ in .standard }
        for configuration in [closure, key, passphrase, evaluated] {
            #expect(throws: EncodingError.self) { try text(configuration) }
        }
        #expect(throws: EncodingError.self) { try text(options) }
        #expect(throws: EncodingError.self) {
            try text(BodySerializer<String>.text.preprocessed(.custom { body, _ in body }))
        }
        #expect(throws: EncodingError.self) {
            try text(ParameterSerializer.form(.custom { _ in "" }))
        }
    }

    @Test("an unknown name or a value of the wrong kind in a configuration file is an error")
    func unknown() {
        for json in [
            "{\"addressPolicy\": \"some\"}", "{\"tls\": {\"minimumVersion\": \"TLS 9\"}}",
            "{\"timeouts\": {\"connect\": \"soon\"}}", "{\"timeouts\": {\"connect\": true}}",
            "{\"socket\": {\"localAddress\": \"nowhere\"}}", "{\"tls\": {\"verification\": \"maybe\"}}",
            "{\"tolerances\": [\"everything\"]}",
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(ClientConfiguration.self, from: Data(json.utf8))
            }
        }
    }
}
