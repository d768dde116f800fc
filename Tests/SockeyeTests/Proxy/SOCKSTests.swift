import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Requests through SOCKS")
struct SOCKSTests {
    private static let granted = Bytes([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("the proxy resolves the name, and the origin sees nothing of the proxy", .timeLimit(.minutes(1)))
    func anonymous() async throws {
        let proxy = try await RawServer.start(script: [
            .readBytes(3), .send(Bytes([5, 0])), .readBytes(4 + 1 + 12 + 2), .send(Self.granted), .readRequestHead,
            .send(Self.answer), .readRequestHead, .send(Self.answer),
        ])
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        for _ in 0..<2 { #expect(try await client.get("http://nowhere.test:81/a").text() == "ok") }
        let greetings: [UInt8] = [5, 1, 0, 5, 1, 0, 3, 12] + Array("nowhere.test".utf8) + [0, 81]
        let received = proxy.received()
        #expect(Array(received.prefix(greetings.count)) == greetings)
        let request = String(decoding: received.dropFirst(greetings.count), as: UTF8.self)
        #expect(request.hasPrefix("GET /a HTTP/1.1\r\nHost: nowhere.test:81\r\n"))
        #expect(proxy.connectionCount == 1)
        await proxy.stop()
    }

    @Test("user name and password go to the proxy only", .timeLimit(.minutes(1)))
    func password() async throws {
        let proxy = try await RawServer.start(script: [
            .readBytes(4), .send(Bytes([5, 2])), .readBytes(3 + 2 + 6), .send(Bytes([1, 0])), .readBytes(10),
            .send(Self.granted), .readRequestHead, .send(Self.answer),
        ])
        let client = HTTPClient(configuration: .init(proxy: .socks5("socks5://me:s3cret@127.0.0.1:\(proxy.port)")))
        #expect(try await client.get("http://10.0.0.1/").text() == "ok")
        let login: [UInt8] = [1, 2] + Array("me".utf8) + [6] + Array("s3cret".utf8)
        #expect(Array(proxy.received().dropFirst(4).prefix(login.count)) == login)
        #expect(proxy.receivedText().components(of: "s3cret") == 1)
        await proxy.stop()
    }

    static let refusals: [(String, [[UInt8]], String)] = [
        ("the proxy requires a password", [[5, 0xFF]], "refuses access without credentials"),
        ("another protocol", [[0x48, 0x54]], "this version of SOCKS"),
        ("the host is unreachable", [[5, 0], [5, 4, 0, 1, 0, 0, 0, 0, 0, 0]], "unreachable"),
        ("closed at once", [], "closed"), ("closed amid", [[5, 0], [5]], "closed"),
    ]

    @Test("a refusal by the proxy is an error with the reason", .timeLimit(.minutes(1)), arguments: refusals)
    func refusal(what: String, replies: [[UInt8]], text: String) async throws {
        let steps = zip([RawStep.readBytes(3), .readBytes(19)], replies).flatMap { [$0, .send(Bytes($1))] }
        let proxy = try await RawServer.start(script: replies.isEmpty ? [.readBytes(3)] : steps)
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test/") }
        #expect(error?.code == .proxyFailed && error?.phase == .connect, "\(what): \(error as Any)")
        #expect(error?.message.contains(text) == true, "\(what): \(error as Any)")
        #expect(error?.proxyFailure?.step == (text == "unreachable" ? .target : .tunnel))
        await proxy.stop()
    }

    static let replies: [(UInt8, SockeyeError.ProxyFailure.Step, String)] = [
        (1, .tunnel, "general failure"), (2, .tunnel, "forbidden"), (3, .target, "network is unreachable"),
        (4, .target, "host is unreachable"), (5, .target, "refused"), (6, .target, "time to live"),
        (7, .tunnel, "command"), (8, .tunnel, "type of address"), (99, .tunnel, "code 99"),
    ]

    @Test("each reply code of the proxy has its own error", .timeLimit(.minutes(1)), arguments: replies)
    func reply(code: UInt8, step: SockeyeError.ProxyFailure.Step, text: String) async throws {
        let proxy = try await RawServer.start(script: [
            .readBytes(3), .send(Bytes([5, 0])), .readBytes(19), .send(Bytes([5, code, 0, 1, 0, 0, 0, 0, 0, 0])),
        ])
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test/") }
        #expect(error?.proxyFailure?.reply == Int(code) && error?.proxyFailure?.step == step)
        #expect(error?.message.contains(text) == true, "\(error as Any)")
        await proxy.stop()
    }

    @Test(
        "with the scheme socks5 the client resolves the name and checks it by the address policy",
        .timeLimit(.minutes(1)))
    func local() async throws {
        let proxy = try await RawServer.start(script: [
            .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(Self.granted), .readRequestHead,
            .send(Self.answer),
        ])
        var configuration = ClientConfiguration(proxy: .socks5("socks5://127.0.0.1:\(proxy.port)"))
        configuration.hostOverrides = ["nowhere.test": [try #require(EndpointAddress(literal: "10.1.2.3", port: 0))]]
        #expect(try await HTTPClient(configuration: configuration).get("http://nowhere.test:81/").text() == "ok")
        #expect(proxy.received().dropFirst(3).starts(with: [5, 1, 0, 1, 10, 1, 2, 3, 0, 81]))
        configuration.addressPolicy = EndpointAddress.Policy { $0.scope == .loopback }
        let client = HTTPClient(configuration: configuration)
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test:81/") }
        #expect(error?.code == .connectFailed && error?.blame == .policy && error?.proxyFailure == nil)
        #expect(proxy.connectionCount == 1)
        await proxy.stop()
    }

    @Test(
        "if the proxy cannot reach one address of a locally resolved name, the client requests the next",
        .timeLimit(.minutes(1)))
    func addresses() async throws {
        let refused = Bytes([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])
        let proxy = try await RawServer.start(scripts: [
            [.readBytes(3), .send(Bytes([5, 0])), .readBytes(22), .send(refused)],
            [
                .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(Self.granted), .readRequestHead,
                .send(Self.answer),
            ],
            [.readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(refused)],
        ])
        var configuration = ClientConfiguration(proxy: .socks5("socks5://127.0.0.1:\(proxy.port)"))
        let addresses = ["2001:db8::1", "10.0.0.2"].compactMap { EndpointAddress(literal: $0, port: 0) }
        configuration.hostOverrides = ["both.test": addresses, "one.test": [addresses[1]]]
        let client = HTTPClient(configuration: configuration)
        #expect(try await client.get("http://both.test/").text() == "ok")
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://one.test/") }
        #expect(error?.proxyFailure?.reply == 4 && proxy.connectionCount == 3)
        await proxy.stop()
    }

    @Test("a proxy is asked for at most four addresses of a name", .timeLimit(.minutes(1)))
    func mostAddresses() async throws {
        let refusing: [RawStep] = [
            .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(Bytes([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])),
        ]
        let proxy = try await RawServer.start(scripts: Array(repeating: refusing, count: 8))
        var configuration = ClientConfiguration(proxy: .socks5("socks5://127.0.0.1:\(proxy.port)"))
        configuration.hostOverrides = [
            "many.test": (1...8).compactMap { EndpointAddress(literal: "10.0.0.\($0)", port: 0) }
        ]
        let client = HTTPClient(configuration: configuration)
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://many.test/") }
        #expect(error?.proxyFailure?.reply == 4 && error?.proxyFailure?.step == .target)
        #expect(proxy.connectionCount == 4)
        // The last byte of each address: after the greeting of three bytes and the first seven bytes of the request.
        #expect((0..<4).map { proxy.received($0).dropFirst(10).first } == [1, 2, 3, 4])
        await proxy.stop()
    }

    @Test(
        "a SOCKS 4 proxy gets the address of a host, and a SOCKS 4A proxy its name", .timeLimit(.minutes(1)),
        arguments: ["socks4", "socks4a"])
    func version4(kind: String) async throws {
        let address: [UInt8] = kind == "socks4" ? [10, 1, 2, 3] : [0, 0, 0, 1]
        let names = kind == "socks4" ? "me\0" : "me\0nowhere.test\0"
        let request: [UInt8] = [4, 1, 0, 81] + address + Array(names.utf8)
        let proxy = try await RawServer.start(scripts: [
            [
                .readBytes(request.count), .send(Bytes([0, 90, 0, 0, 0, 0, 0, 0])), .readRequestHead,
                .send(Self.answer),
            ],
            [.readBytes(request.count), .send(Bytes([0, 93, 0, 0, 0, 0, 0, 0]))],
        ])
        var configuration = ClientConfiguration(proxy: .socks5("\(kind)://me@127.0.0.1:\(proxy.port)"))
        configuration.hostOverrides = ["nowhere.test": [try #require(EndpointAddress(literal: "10.1.2.3", port: 0))]]
        let client = HTTPClient(configuration: configuration)
        #expect(try await client.get("http://nowhere.test:81/", headers: [.connection: "close"]).text() == "ok")
        #expect(proxy.received().starts(with: request))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test:81/") }
        #expect(error?.proxyFailure?.reply == 93 && error?.message.contains("another user") == true)
        await proxy.stop()
    }

    @Test(
        "a proxy that takes addresses gets the port of a host override, or the URL's port for port 0",
        .timeLimit(.minutes(1)), arguments: ["socks4", "socks5"], [8080, 0])
    func overridePort(kind: String, port: Int) async throws {
        let wanted: [UInt8] = port == 0 ? [0, 81] : [0x1F, 0x90]
        var request: [UInt8]
        let script: [RawStep]
        if kind == "socks4" {
            request = [4, 1] + wanted
            request += [10, 1, 2, 3, 0]
            script = [
                .readBytes(9), .send(Bytes([0, 90, 0, 0, 0, 0, 0, 0])), .readRequestHead, .send(Self.answer),
            ]
        } else {
            request = [5, 1, 0, 5, 1, 0, 1, 10, 1, 2, 3]
            request += wanted
            script = [
                .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(Self.granted), .readRequestHead,
                .send(Self.answer),
            ]
        }
        let proxy = try await RawServer.start(script: script)
        var configuration = ClientConfiguration(proxy: .socks5("\(kind)://127.0.0.1:\(proxy.port)"))
        configuration.hostOverrides = [
            "nowhere.test": [try #require(EndpointAddress(literal: "10.1.2.3", port: port))]
        ]
        #expect(try await HTTPClient(configuration: configuration).get("http://nowhere.test:81/").text() == "ok")
        #expect(proxy.received().starts(with: request))
        await proxy.stop()
    }

    /// Returns another address at each look-up.
    private struct MovingHost: NameResolver {
        let asked = Recorder<String>()

        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
            asked.append(host)
            return [EndpointAddress(literal: "10.0.0.\(asked.values.count)", port: port)].compactMap(\.self)
        }
    }

    @Test(
        "after the proxy could not reach a host, the next request resolves the host's name again",
        .timeLimit(.minutes(1)))
    func movedHost() async throws {
        let proxy = try await RawServer.start(scripts: [
            [
                .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(Bytes([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])),
            ],
            [
                .readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(Self.granted), .readRequestHead,
                .send(Self.answer),
            ],
        ])
        let resolver = MovingHost()
        var configuration = ClientConfiguration(proxy: .socks5("socks5://127.0.0.1:\(proxy.port)"))
        configuration.resolver = resolver
        configuration.resolverCacheLifetime = .seconds(600)
        let client = HTTPClient(configuration: configuration)
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://moved.test/") }
        #expect(error?.proxyFailure?.reply == 4 && proxy.received(0).dropFirst(7).starts(with: [10, 0, 0, 1]))
        #expect(try await client.get("http://moved.test/").text() == "ok")
        #expect(resolver.asked.values.count == 2 && proxy.received(1).dropFirst(7).starts(with: [10, 0, 0, 2]))
        await proxy.stop()
    }

    @Test("a request for an IPv6 address fails with a SOCKS 4A proxy", .timeLimit(.minutes(1)))
    func noIPv6() async throws {
        let proxy = try await RawServer.start(script: [.readBytes(1)])
        let client = HTTPClient(configuration: .init(proxy: .socks5("socks4a://127.0.0.1:\(proxy.port)")))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://[2001:db8::1]/") }
        #expect(error?.code == .proxyFailed && error?.message.contains("IPv6") == true)
        await proxy.stop()
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
