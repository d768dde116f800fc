#if Service
import Configuration
import Foundation
import Sockeye
import SockeyeNet
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeService

@Suite("Settings from swift-configuration", .timeLimit(.minutes(1))) struct ConfigurationTests {
    private func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values))
    }

    private func environment(_ values: [String: String]) -> ConfigReader {
        ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
    }

    @Test("the defaults apply where a value is missing")
    func defaults() throws {
        let configuration = try ClientConfiguration(config: reader([:]))
        let usual = ClientConfiguration()
        #expect(configuration.timeouts == usual.timeouts)
        #expect(configuration.limits == usual.limits)
        #expect(configuration.pool == usual.pool)
        #expect(configuration.tls == usual.tls)
        #expect(configuration.userAgent == usual.userAgent)
    }

    @Test("settings are read from environment variables, within a scope")
    func variables() throws {
        let config = environment([
            "HTTP_TIMEOUTS_TOTAL": "5s", "HTTP_TIMEOUTS_CONNECT": "250ms", "HTTP_TIMEOUTS_STALL": "none",
            "HTTP_TIMEOUTS_HEAD": "1.5", "HTTP_LIMITS_BODY_BYTES": "1048576", "HTTP_POOL_CONNECTIONS_PER_ORIGIN": "4",
            "HTTP_POOL_IDLE_TIMEOUT": "1m", "HTTP_POOL_MAXIMUM_AGE": "none", "HTTP_TLS_MINIMUM_VERSION": "1.3",
            "HTTP_USER_AGENT": "", "HTTP_DECOMPRESSES": "false", "HTTP_RUNNING_TASKS": "3",
        ])
        let configuration = try ClientConfiguration(config: config.scoped(to: "http"))
        #expect(configuration.timeouts.total == .seconds(5))
        #expect(configuration.timeouts.connect == .milliseconds(250))
        #expect(configuration.timeouts.stall == .unlimited && configuration.timeouts.tls == nil)
        #expect(configuration.timeouts.head == .milliseconds(1500))
        #expect(configuration.limits.bodyBytes == 1 << 20)
        #expect(configuration.pool.connectionsPerOrigin == 4)
        #expect(configuration.pool.idleTimeout == .seconds(60))
        #expect(configuration.pool.maximumAge == nil)
        #expect(configuration.tls.minimumVersion == .v1_3)
        #expect(configuration.userAgent == nil)
        #expect(!configuration.decompresses)
        #expect(configuration.runningTasks == 3)
    }

    @Test("any number for a setting is accepted, or the error names its key")
    func extremes() throws {
        let keys = [
            "timeouts.total", "timeouts.connect", "timeouts.tls", "timeouts.head", "timeouts.stall", "timeouts.pool",
            "timeouts.resolve", "limits.headBytes", "limits.fieldCount", "limits.interimBytes", "limits.bodyBytes",
            "limits.decodedBytes", "pool.connectionsPerOrigin", "pool.connections", "pool.waiters", "pool.maximumUses",
            "pool.idleTimeout", "pool.maximumAge", "runningTasks",
        ]
        let texts = [
            "", "0", "-0", "1", "-1", "1e308", "-1e308", "1e400", "nan", "inf", "-inf", "infinity", ".", "1.", ".5",
            "1.2.3", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
            String(repeating: "9", count: 40), String(repeating: "9", count: 400), "9223372036854775807h",
            "9223372036854775807ns", "99999999999h", "0.0000000000000000001ns", "1\u{0}", "\u{0661}s",
        ]
        let numbers: [ConfigValue] = [
            .init(.int(.min), isSecret: false), .init(.int(.max), isSecret: false),
            .init(.double(.nan), isSecret: false), .init(.double(.infinity), isSecret: false),
            .init(.double(-.greatestFiniteMagnitude), isSecret: false),
        ]
        for key in keys {
            let name = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
            for value in texts.map({ ConfigValue(.string($0), isSecret: false) }) + numbers {
                do {
                    let configuration = try ClientConfiguration(config: reader([name: value]))
                    #expect(configuration.pool.idleTimeout >= .zero)
                } catch {
                    #expect(error.code == .badConfiguration && error.message.contains(key), "\(key): \(error)")
                }
            }
        }
    }

    @Test("a provider may give numbers and flags instead of text")
    func kinds() throws {
        let configuration = try ClientConfiguration(
            config: reader([
                "timeouts.total": 5, "timeouts.connect": 0.25, "pool.connections": 9, "decompresses": false,
            ]))
        #expect(configuration.timeouts.total == .seconds(5))
        #expect(configuration.timeouts.connect == .milliseconds(250))
        #expect(configuration.pool.connections == 9)
        #expect(!configuration.decompresses)
    }

    @Test(
        "an error about a wrong value names the key and the value",
        arguments: [
            ("timeouts.total", "soon"), ("timeouts.total", "-1s"), ("timeouts.total", "5 s"),
            ("pool.idleTimeout", "none"),
            ("pool.connections", "0"), ("pool.connections", "many"), ("pool.connections", "1.5"),
            ("limits.headBytes", "-5"), ("decompresses", "maybe"), ("tls.minimumVersion", "1.1"),
            ("tls.roots", "/nonexistent/roots.pem"), ("tls.roots", "/"), ("runningTasks", "99999999999999999999"),
        ])
    func wrong(key: String, value: String) throws {
        let components = key.split(separator: ".").map(String.init)
        let config = reader([AbsoluteConfigKey(components): ConfigValue(.string(value), isSecret: false)])
        let error = try #require(throws: SockeyeError.self) { try ClientConfiguration(config: config) }
        #expect(error.code == .badConfiguration)
        #expect(error.message.contains(key))
        #expect(error.message.contains(value))
        #expect(key != "pool.idleTimeout" || !error.message.contains("or none"), "an idle connection needs a limit")
    }

    @Test(
        "a value of a type that no setting has is an error, which names the key but no secret",
        arguments: ["tls.roots", "tls.passphrase", "proxy", "userAgent", "timeouts.total", "decompresses"],
        [
            .stringArray(["/s3cret"]), .stringArray([]), .intArray([1]), .doubleArray([0.5]), .boolArray([true]),
            .bytes([1]), .byteChunkArray([[1]]),
        ] as [ConfigContent])
    func wrongType(key: String, content: ConfigContent) throws {
        let name = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
        var values: [AbsoluteConfigKey: ConfigValue] = [name: ConfigValue(content, isSecret: false)]
        if key == "tls.passphrase" {
            // The passphrase is read only with a certificate and its key.
            values["tls.certificate"] = ConfigValue(.string(#filePath), isSecret: false)
            values["tls.privateKey"] = ConfigValue(.string(#filePath), isSecret: false)
        }
        let error = try #require(throws: SockeyeError.self) { try ClientConfiguration(config: reader(values)) }
        #expect(error.code == .badConfiguration)
        #expect(error.message.contains(key) && !error.message.contains("s3cret"))
    }

    @Test("settings cannot both replace the system's roots and add to them")
    func bothRoots() throws {
        // Any file: certificates are parsed later.
        let (replacing, adding): (AbsoluteConfigKey, AbsoluteConfigKey) = ("tls.roots", "tls.additionalRoots")
        let file = ConfigValue(.string(#filePath), isSecret: false)
        #expect(try ClientConfiguration(config: reader([replacing: file])).tls.roots == .file(#filePath))
        #expect(try ClientConfiguration(config: reader([adding: file])).tls.roots == .systemAnd(.file(#filePath)))
        let both = reader([replacing: file, adding: file])
        let error = try #require(throws: SockeyeError.self) { try ClientConfiguration(config: both) }
        #expect(error.code == .badConfiguration)
        #expect(error.message.contains("tls.additionalRoots") && error.message.contains("tls.roots"))
    }

    @Test("secret settings are marked as secret, and no error contains them")
    func secrets() throws {
        final class Accesses: AccessReporter {
            let secret = Mutex<[String: Bool]>([:])
            func report(_ event: AccessEvent) {
                guard case .success(let value?) = event.result else { return }
                secret.withLock { $0[event.metadata.key.description] = value.isSecret }
            }
        }
        let accesses = Accesses()
        let good = ConfigReader(
            provider: InMemoryProvider(values: ["proxy": "socks5://me:t0psecret@127.0.0.1:1080", "userAgent": "me"]),
            accessReporter: accesses)
        let configuration = try ClientConfiguration(config: good)
        #expect(accesses.secret.withLock { $0["proxy"] } == true)
        #expect(accesses.secret.withLock { $0["userAgent"] } == false)
        #expect(!"\(configuration)".contains("t0psecret"))
        let bad = reader(["proxy": "gopher://me:t0psecret@127.0.0.1"])
        let error = try #require(throws: SockeyeError.self) { try ClientConfiguration(config: bad) }
        #expect(error.message.contains("proxy"))
        #expect(!"\(error)".contains("t0psecret"))
    }

    @Test("a client trusts the roots in the file that a setting names, and a certificate without its key is an error")
    func files() async throws {
        let authority = try TestCertificateAuthority()
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let roots = folder.appending(path: "roots.pem")
        try authority.pem.write(to: roots, atomically: true, encoding: .utf8)
        try await withTestServer(tls: TestTLS(authority)) { _ in
            .ok("trusted")
        } run: { server in
            let client = try HTTPClient(config: environment(["TLS_ROOTS": roots.path]))
            #expect(try await client.get(server.url(host: "localhost")).text() == "trusted")
        }
        let half = environment(["TLS_CERTIFICATE": roots.path])
        let error = try #require(throws: SockeyeError.self) { try ClientConfiguration(config: half) }
        #expect(error.message.contains("tls.privateKey"))
    }
}
#endif
