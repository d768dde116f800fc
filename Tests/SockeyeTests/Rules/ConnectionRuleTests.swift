import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Reuse and sharing of connections (RFC 9112 9.3). Tests/RULES.md lists the tests in other files.
@Suite("Reuse and sharing of connections", .timeLimit(.minutes(1)))
struct ConnectionRuleTests {
    private static let plain = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"

    /// RFC 9112 9.3.
    @Test(
        "a connection is reused only after a complete response without a reason to close",
        arguments: [
            (plain + "\r\nok", true), (plain + "Connection: close\r\n\r\nok", false),
            (plain + "Connection: x, CLOSE\r\n\r\nok", false), (plain + "Keep-Alive: max=0\r\n\r\nok", false),
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n", false),
            (plain + "\r\nok!", false),
        ])
    func reuse(answer: String, isReused: Bool) async throws {
        let server = try await RawServer.start(script: [.loop([.readRequest, .send(answer)])])
        let client = HTTPClient()
        for _ in 0..<3 { #expect(try await client.get(server.url()).text() == "ok") }
        #expect(server.connectionCount == (isReused ? 1 : 3))
    }

    /// RFC 9110 7.8 and 15.2.
    @Test("a 101 response that was not requested, or comes before the body was sent, closes the connection")
    func unexpectedUpgrade() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
            .readToEnd,
        ])
        let client = HTTPClient()
        let unasked = await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
        #expect(unasked?.code == .malformedResponse)
        try await server.wait { $0.openConnections == 0 }
        var request = try OutgoingRequest(method: .post, url: server.url(), body: "held back")
        request.options.expectContinue = .seconds(20)
        let early = await #expect(throws: SockeyeError.self) { try await client.upgrade(request, to: "x") }
        #expect(early?.code == .malformedResponse)
        try await server.wait { $0.connections == 2 && $0.openConnections == 0 }
    }

    /// RFC 9112 9.8.
    @Test("a TLS connection may end without close_notify after a complete body, but not to end the body")
    func closeNotify() async throws {
        let authority = try TestCertificateAuthority()
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        let whole: [(String, Bool)] = [
            ("Content-Length: 2\r\n\r\nok", true), ("Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true),
            ("Connection: close\r\n\r\nok", false), ("Content-Length: 3\r\n\r\nok", false),
        ]
        for (answer, isWhole) in whole {
            let server = try await RawServer.start(
                tls: TestTLS(authority),
                script: [.readRequest, .send("HTTP/1.1 200 OK\r\n" + answer), .closeWithoutNotify])
            if isWhole {
                #expect(try await client.get(server.url()).text() == "ok", "\(answer)")
            } else {
                let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url()).text() }
                #expect(error?.code == .connectionClosed, "\(answer)")
            }
        }
    }

    /// The unread rest of a body. `comes` is true if the server sends the rest.
    struct Rest: Sendable {
        let length: Int
        let comes: Bool
        let isReused: Bool
    }

    /// Like Go's net/http: the client reads the rest of a body up to a bound, or closes the connection.
    @Test(
        "the connection of a dropped response is reused if the rest is short and arrives soon, or else closed",
        arguments: [
            Rest(length: 64 << 10, comes: true, isReused: true),
            Rest(length: (64 << 10) + 1, comes: true, isReused: false),
            Rest(length: 10, comes: false, isReused: false),
        ])
    func drained(rest: Rest) async throws {
        let dropped = TestSignal()
        let body = String(repeating: "x", count: rest.length)
        let server = try await RawServer.start(scriptFor: { index in
            guard index == 0 else { return [.readRequest, .send(Self.plain + "\r\nok"), .readToEnd] }
            let first: [RawStep] = [
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(rest.length)\r\n\r\n"), .waitUntil(dropped),
            ]
            return first + (rest.comes ? [.send(body)] : []) + [.loop([.readRequest, .send(Self.plain + "\r\nok")])]
        })
        let client = HTTPClient()
        do {
            let response = try await client.get(server.url())
            #expect(response.status == .ok)
        }
        dropped.fire()
        if rest.isReused {
            await eventually("the return of the connection") { client.pool?.statistics.idle == 1 }
        } else {
            try await server.wait { $0.openConnections == 0 }
        }
        #expect(try await client.get(server.url()).text() == "ok")
        #expect(server.connectionCount == (rest.isReused ? 1 : 2))
    }

    /// The causes of curl's CVE-2026-1965 and CVE-2026-5545 were connections shared under incomplete keys.
    @Test("only requests of one client with equal scheme, host, port and unix path share a connection")
    func keys() async throws {
        let authority = try TestCertificateAuthority()
        let first = try await TestServer.start(on: .temporaryUnixSocket) { .ok("first \($0.connection)") }
        let second = try await TestServer.start(on: .temporaryUnixSocket) { .ok("second \($0.connection)") }
        let network = try await TestServer.start { .ok("network \($0.connection)") }
        let secure = try await TestServer.start(tls: TestTLS(authority)) { .ok("secure \($0.connection)") }
        var configuration = HTTPClient.Configuration()
        configuration.tls = TLSOptions(roots: authority.roots, verification: .chainOnly)
        configuration.hostOverrides = [
            "api.test:\(network.port)": [network.address], "other.test:\(network.port)": [network.address],
            "api.test:\(secure.port)": [secure.address],
        ]
        let client = HTTPClient(configuration: configuration)
        func get(_ url: String, _ socket: TestServer? = nil) async throws -> String {
            var options = OutgoingRequest.Options()
            options.unixSocketPath = socket.map { String($0.address.description.dropFirst("unix:".count)) }
            return try await client.get(url, options: options).text()
        }
        let url = "http://api.test:\(network.port)/"
        for _ in 0..<2 {
            #expect(try await get(url) == "network 0")
            #expect(try await get(url, first) == "first 0")
            #expect(try await get(url, second) == "second 0")
            #expect(try await get("http://other.test:\(network.port)/") == "network 1")
            #expect(try await get("https://api.test:\(secure.port)/") == "secure 0")
        }
        let otherClient = HTTPClient(configuration: configuration)
        #expect(try await otherClient.get(url).text() == "network 2")
        // The trust of another client is not reused, neither by its connection nor by its TLS session.
        configuration.tls = TLSOptions(roots: authority.roots)
        let strict = HTTPClient(configuration: configuration)
        let error = await #expect(throws: SockeyeError.self) {
            try await strict.get("https://api.test:\(secure.port)/")
        }
        #expect(error?.code == .tlsFailed)
    }

    /// Protection against server-side request forgery (CWE-918).
    @Test("no connection is made to a denied address, however the address was found")
    func policy() async throws {
        let server = try await RawServer.start(script: [.readToEnd])
        let socket = try await RawServer.start(on: .temporaryUnixSocket, script: [.readToEnd])
        var configuration = HTTPClient.Configuration()
        configuration.addressPolicy = .publicOnly
        configuration.hostOverrides = ["public.test:\(server.port)": [server.address]]
        let client = HTTPClient(configuration: configuration)
        var overSocket = OutgoingRequest.Options()
        overSocket.unixSocketPath = String(socket.address.description.dropFirst("unix:".count))
        let ways: [(String, OutgoingRequest.Options)] = [
            (server.url(), OutgoingRequest.Options()), (server.url(host: "localhost"), OutgoingRequest.Options()),
            (server.url(host: "public.test"), OutgoingRequest.Options()),
            (server.url(host: "2130706433"), OutgoingRequest.Options()),
            (server.url(host: "[::ffff:127.0.0.1]"), OutgoingRequest.Options()), ("http://public.example/", overSocket),
        ]
        for (url, options) in ways {
            let error = await #expect(throws: SockeyeError.self) { try await client.get(url, options: options) }
            #expect(error?.code == .connectFailed && error?.blame == .policy, "\(url): \(String(describing: error))")
        }
        #expect(server.connectionCount == 0)
        #expect(socket.connectionCount == 0)
    }

    /// RFC 9110 8.4.
    @Test("a response without a body keeps Content-Encoding; decoding removes it and Content-Length")
    func codings() async throws {
        let fields = "Content-Encoding: gzip\r\nContent-Length: 24\r\n\r\n"
        // "ok" as a gzip member without compression.
        let member: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [1, 2, 0, 0xFD, 0xFF, 0x6F, 0x6B]
            + [0x47, 0xDD, 0xDC, 0x79] + [2, 0, 0, 0]
        let client = HTTPClient()
        for (method, head) in [("HEAD", "200 OK"), ("GET", "204 No Content"), ("GET", "304 Not Modified")] {
            let server = try await RawServer.start(script: [.readRequest, .send("HTTP/1.1 \(head)\r\n" + fields)])
            let response = try await client.request(try #require(HTTPRequest.Method(method)), server.url())
            #expect(try await response.bytes().isEmpty)
            #expect(response.headers[.contentEncoding] == "gzip")
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(member.count)\r\n\r\n"
        let server = try await RawServer.start(script: [.loop([.readRequest, .send(head), .send(.init(member))])])
        let response = try await client.get(server.url())
        #expect(try await response.text() == "ok")
        #expect(response.headers[.contentEncoding] == nil && response.headers[.contentLength] == nil)
        let raw = try await client.get(server.url(), headers: [.acceptEncoding: "gzip"])
        #expect(try await Array(raw.bytes()) == member)
        #expect(raw.headers[.contentEncoding] == "gzip")
    }
}
