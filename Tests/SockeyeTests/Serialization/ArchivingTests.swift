import Foundation
import SockeyeCore
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Archives of settings")
struct ArchivingTests {
    private func again<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("an empty archive is the default configuration")
    func defaults() throws {
        let read = try JSONDecoder().decode(ClientConfiguration.self, from: Data("{}".utf8))
        #expect(try text(read) == text(ClientConfiguration()))
        #expect(read.timeouts == Timeouts())
    }

    @Test("a configuration file names what differs, durations in seconds, null for none")
    func file() throws {
        let json = """
            {"timeouts": {"connect": 2.5, "stall": null}, "pool": {"connections": 8, "maximumAge": null},
             "limits": {"bodyBytes": 1024}, "userAgent": null, "addressPolicy": "publicOnly",
             "tls": {"roots": [{"system": true}, {"pem": {"file": "/ca.pem"}}], "minimumVersion": "TLS 1.3"},
             "hostOverrides": {"example.com": ["192.0.2.1:443"]}, "socket": {"keepAlive": null}}
            """
        let read = try JSONDecoder().decode(ClientConfiguration.self, from: Data(json.utf8))
        #expect(read.timeouts.connect == .seconds(2.5))
        #expect(read.timeouts.stall == nil)
        #expect(read.timeouts.head == .seconds(60))
        #expect(read.pool.connections == 8)
        #expect(read.pool.maximumAge == nil)
        #expect(read.pool.waiters == .max)
        #expect(read.limits.bodyBytes == 1024)
        #expect(read.userAgent == nil)
        #expect(read.socket.keepAlive == nil)
        #expect(read.tls.roots == .systemAnd(.file("/ca.pem")))
        #expect(read.tls.minimumVersion == .v1_3)
        #expect(read.hostOverrides["example.com"]?.map(\.description) == ["192.0.2.1:443"])
        let loopback = try #require(SocketAddress(literal: "127.0.0.1", port: 80))
        #expect(!read.addressPolicy.allows(loopback))
    }

    @Test("everything that can be archived comes back")
    func configuration() throws {
        var configuration = ClientConfiguration()
        configuration.tls = TLSConfiguration(roots: .pem("PEM"), verification: .chainOnly)
        configuration.tls.identity = .pem("client.pem", "client.key")
        configuration.tls.pinning = try TLSPinning.publicKey([
            .spki(String(repeating: "0F", count: 32)), .certificate(TestCertificateAuthority().certificate.der),
        ])
        configuration.tls.revocation = .crl(folder: "/crls", .soft, coversChain: true)
        configuration.tls.revocation.stapling = .hard
        configuration.tlsOverrides = ["*.example.test": TLSConfiguration(verification: .chainOnly)]
        configuration.timeouts = Timeouts(total: .milliseconds(1500), connect: nil)
        configuration.pool.waiters = 3
        configuration.pool.maximumUses = 7
        configuration.socket.localAddress = SocketAddress(literal: "::1", port: 0)
        configuration.socket.userTimeout = .seconds(3)
        configuration.limits.decodedRatio = 5
        configuration.decompresses = false
        configuration.resolverCacheLifetime = nil
        configuration.pollerThreads = 2
        configuration.tolerances = [.bareLineFeeds, .missingCloseNotify]
        let read = try again(configuration)
        #expect(try text(read) == text(configuration))
        #expect(read.tls == configuration.tls)
        #expect(read.tlsOverrides == configuration.tlsOverrides)
        #expect(read.timeouts == configuration.timeouts)
        #expect(read.pool == configuration.pool)
        #expect(read.socket == configuration.socket)
        #expect(read.resolverCacheLifetime == nil)
        #expect(read.tolerances == configuration.tolerances)
    }

    @Test("certificates that are pinned come back")
    func certificates() throws {
        let pinning = try TLSPinning.certificate([
            .certificate(TestCertificateAuthority().certificate.der), .sha256(String(repeating: "0F", count: 32)),
        ])
        #expect(try again(pinning) == pinning)
    }

    @Test(
        "addresses come back",
        arguments: [
            SocketAddress(literal: "192.0.2.1", port: 80), SocketAddress(literal: "2001:db8::1", port: 443),
            SocketAddress(unixPath: "/run/a:b.sock"), SocketAddress(unixPath: "\0abstract"),
        ])
    func addresses(address: SocketAddress?) throws {
        let address = try #require(address)
        #expect(try again([address]) == [address])
    }

    @Test("closures, secrets and what only this process has are errors, not lost")
    func unarchivable() {
        var closure = ClientConfiguration()
        closure.addressPolicy = AddressPolicy { _ in true }
        var key = ClientConfiguration()
        key.tls.identity = .pem(certificateChain: .file("a"), privateKey: .text("secret"))
        var passphrase = ClientConfiguration()
        passphrase.tls.identity = .pem("a", "b", passphrase: "secret")
        var options = RequestOptions()
        options.onInterim = { _ in }
        var evaluated = ClientConfiguration()
        evaluated.tls.evaluate = { _ in .standard }
        for configuration in [closure, key, passphrase, evaluated] {
            #expect(throws: EncodingError.self) { try text(configuration) }
        }
        #expect(throws: EncodingError.self) { try text(options) }
        #expect(throws: EncodingError.self) {
            try text(TextResponseSerializer().preprocessed(.custom { body, _ in body }))
        }
        #expect(throws: EncodingError.self) {
            try text(HTTPRequestSerializer(settings: .init(queryStyle: .custom { _ in "" })))
        }
    }

    @Test("names that nobody knows are errors")
    func unknown() {
        for json in [
            "{\"addressPolicy\": \"some\"}", "{\"tls\": {\"minimumVersion\": \"TLS 9\"}}",
            "{\"timeouts\": {\"connect\": \"soon\"}}", "{\"timeouts\": {\"connect\": 1e300}}",
            "{\"socket\": {\"localAddress\": \"nowhere\"}}", "{\"tls\": {\"verification\": \"maybe\"}}",
            "{\"tolerances\": [\"everything\"]}",
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(ClientConfiguration.self, from: Data(json.utf8))
            }
        }
    }

    @Test("request serializers come back")
    func requestSerializers() throws {
        var settings = RequestSettings(
            queryStyle: ParameterStyle(arrays: .repeated), placement: .uri(for: [.get]), headers: ["X": "1", "Y": "2"])
        settings.options = .timeout(total: .seconds(3))
        settings.options.compression = RequestCompression(.deflate, level: 9)
        settings.options.bodyLimit = 7
        let form = HTTPRequestSerializer(settings: settings, charset: .utf16)
        #expect(try text(again(form)) == text(form))
        #expect(try again(form).settings.headers == settings.headers)
        #expect(try again(form).settings.options.compression == settings.options.compression)
        #expect(try again(form).settings.options.bodyLimit == 7)
        #expect(RequestOptions().merging(settings.options).bodyLimit == 7)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        let json = JSONRequestSerializer(encoder: encoder)
        let read = try again(json)
        #expect(try text(read) == text(json))
        #expect(read.encoder.outputFormatting == [.sortedKeys])
        let list = PropertyListRequestSerializer(format: .binary)
        #expect(try again(list).format == .binary)
    }

    @Test("response serializers come back, and do the same")
    func responseSerializers() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let json = JSONResponseSerializer<[Date]>(decoder: .json(decoder)).limited(to: 100)
            .accepting(statusCodes: [201]).preprocessed(.removingPrefix("x"))
        let read = try again(json)
        #expect(try text(read) == text(json))
        let dates = try await Response.with("x[1000]", status: 201).value(as: read)
        #expect(dates == [Date(timeIntervalSince1970: 1)])
        let compound = CompoundResponseSerializer<User>([
            JSONResponseSerializer(decoder: .json), PropertyListResponseSerializer(decoder: .propertyList),
        ])
        let user = try await Response.with("{\"name\":\"Ada\",\"age\":36}").value(as: again(compound))
        #expect(user.name == "Ada")
        let values = CompoundResponseSerializer<String>([TextResponseSerializer()])
        #expect(try await Response.with("a").value(as: again(values)) == "a")
        let mapped = CompoundResponseSerializer<String>([TextResponseSerializer().map { $0 }])
        #expect(throws: EncodingError.self) { try text(mapped) }
    }

    private func read<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("an empty archive is a serializer with its defaults")
    func emptyArchives() throws {
        func check<Value: Codable>(_ value: Value) throws {
            #expect(try text(read("{}", as: Value.self)) == text(value))
        }
        try check(HTTPRequestSerializer())
        try check(JSONRequestSerializer())
        try check(PropertyListRequestSerializer())
        try check(TextResponseSerializer())
        try check(DataResponseSerializer())
        try check(BytesResponseSerializer())
        try check(JSONValueResponseSerializer())
        try check(ImageResponseSerializer())
        try check(ImageInfoResponseSerializer())
        try check(BodyHandling())
        let json = try read("{\"decoder\": {}}", as: JSONResponseSerializer<User>.self)
        #expect(try text(json) == text(JSONResponseSerializer<User>(decoder: .json)))
        #expect(try read("{\"coding\": \"gzip\"}") == RequestCompression.gzip)
        #expect(try read("{\"coding\": \"gzip\", \"level\": 99}") == RequestCompression(.gzip, level: 9))
    }

    @Test("what a handling's archive lacks is the default of the serializer that it is in")
    func partialArchives() throws {
        let limited = try read("{\"handling\": {\"limit\": 5}}", as: JSONValueResponseSerializer.self)
        #expect(limited.handling.limit == 5)
        #expect(limited.handling.validation == JSONValueResponseSerializer().handling.validation)
        #expect(limited.handling.emptyBody.countsLoneSpace)
        let json = """
            {"handling": {"validation": {"statusCodes": [[200, 200]]}, "emptyBody": {"acceptance": "never"}}}
            """
        let strict = try read(json, as: JSONValueResponseSerializer.self)
        #expect(strict.handling.validation.statusCodes == [200])
        #expect(strict.handling.validation.contentTypes == JSONResponseDecoder.contentTypes)
        #expect(strict.handling.emptyBody == EmptyBodyPolicy(.never, countsLoneSpace: true))
        let any = "{\"handling\": {\"validation\": {\"contentTypes\": null}}}"
        #expect(try read(any, as: ImageResponseSerializer.self).handling.validation.contentTypes == nil)
        let untyped = try again(JSONValueResponseSerializer().acceptingAnyContentType())
        #expect(untyped.handling.validation.contentTypes == nil)
    }

    @Test("sets of status codes are equal however they were written, and no range ends before it begins")
    func statusCodes() throws {
        #expect(try read("[[304, 304], [200, 250], [240, 299]]") == StatusCodeSet.successful.union([304]))
        #expect(try text(StatusCodeSet.successful.union([304])) == "[[200,299],[304,304]]")
        #expect(throws: DecodingError.self) { try read("[[299, 200]]", as: StatusCodeSet.self) }
    }
}
