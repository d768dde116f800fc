import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

/// Behind a proxy on another machine, `localhost` means that machine, and the proxy can read http.
@Suite("Credentials for localhost behind a proxy", .timeLimit(.minutes(1)))
struct LoopbackCredentialTests {
    private static let challenge =
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=a\r\nContent-Length: 0\r\n\r\n"

    /// Returns a configuration with a proxy that has the name of another machine.
    private func configuration(_ server: RawServer, _ make: (Proxy) -> Proxy.Selection) throws
        -> ClientConfiguration
    {
        var configuration = ClientConfiguration()
        configuration.hostOverrides = ["proxy.test": [server.address]]
        configuration.proxy = make(try Proxy("http://proxy.test:\(server.port)"))
        return configuration
    }

    private static let kinds: [@Sendable (Proxy) -> Proxy.Selection] = [
        { .through($0) }, { proxy in .choosing { _ in proxy } }, { .inOrder([$0]) },
    ]

    @Test(
        "a request with preemptive credentials or credentials in the URL fails before they are sent",
        arguments: 0..<3)
    func unasked(kind: Int) async throws {
        let server = try await RawServer.start(script: [.readRequest, .send(Self.challenge), .readToEnd])
        let client = HTTPClient(configuration: try configuration(server, Self.kinds[kind]))
        for policy in [
            AuthenticationPolicy.basic(user: "ada", password: "l"), .bearer("t"),
            .bearer { AuthenticationPolicy.Token("t") },
        ] {
            let error = await #expect(throws: SockeyeError.self) {
                try await client.adding(policy).get("http://localhost/")
            }
            #expect(error?.code == .insecureCredentials)
        }
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://ada:l@127.0.0.1/") }
        #expect(error?.code == .insecureCredentials)
        #expect(!server.receivedText().contains("Authorization"))
        await server.stop()
    }

    @Test("a challenge behind the proxy is not answered, and secure cookies are not sent", arguments: 0..<3)
    func challenged(kind: Int) async throws {
        let server = try await RawServer.start(script: [.readRequest, .send(Self.challenge), .readToEnd])
        let storage = Credential.Storage()
        try storage.set(.user("ada", password: "l"), for: "http://localhost")
        let jar = CookiePolicy.Jar()
        jar.set(try ClientCookie(name: "secure", value: "1", domain: "localhost", isHostOnly: true, isSecure: true))
        jar.set(try ClientCookie(name: "plain", value: "1", domain: "localhost", isHostOnly: true))
        let client = HTTPClient(configuration: try configuration(server, Self.kinds[kind]))
            .adding(.credentials(storage)).adding(.cookies(jar))
        #expect(try await client.get("http://localhost/").status == .unauthorized)
        let text = server.receivedText()
        #expect(text.contains("GET http://localhost/ HTTP/1.1\r\n") && text.contains("plain=1"))
        #expect(!text.contains("Authorization") && !text.contains("secure=1"))
        await server.stop()
    }

    @Test("only a proxy on this machine sets secure cookies for localhost", arguments: 0..<4)
    func cookiesSet(kind: Int) async throws {
        let cookies = "Set-Cookie: secure=1; Secure\r\nSet-Cookie: plain=1\r\n"
        let answer = "HTTP/1.1 200 OK\r\n\(cookies)Content-Length: 0\r\n\r\n"
        let server = try await RawServer.start(script: [.readRequest, .send(answer), .readToEnd])
        let isElsewhere = kind < Self.kinds.count
        var configuration = ClientConfiguration()
        configuration.proxy = .through(try Proxy("http://127.0.0.1:\(server.port)"))
        if isElsewhere { configuration = try self.configuration(server, Self.kinds[kind]) }
        let jar = CookiePolicy.Jar()
        let client = HTTPClient(configuration: configuration).adding(.cookies(jar))
        #expect(try await client.get("http://localhost/").status == .ok)
        #expect(jar.cookies.map(\.name) == (isElsewhere ? ["plain"] : ["secure", "plain"]))
        await server.stop()
    }

    /// An address of TEST-NET-1, which no machine has.
    private static func elsewhere() throws -> EndpointAddress {
        try #require(EndpointAddress(literal: "192.0.2.1", port: 80))
    }

    @Test(
        "an override that leads localhost to another machine prevents credentials in plain text",
        arguments: ["localhost", "auth.localhost", "127.0.0.1", "127.0.0.1:80"])
    func overridden(name: String) async throws {
        var configuration = ClientConfiguration()
        configuration.hostOverrides = [name: [try Self.elsewhere()]]
        let client = HTTPClient(configuration: configuration)
        let host = name.split(separator: ":")[0]
        for policy in [AuthenticationPolicy.basic(user: "ada", password: "l"), .bearer("t")] {
            let error = await #expect(throws: SockeyeError.self) {
                try await client.adding(policy).get("http://\(host)/")
            }
            #expect(error?.code == .insecureCredentials)
        }
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://ada:l@\(host)/") }
        #expect(error?.code == .insecureCredentials)
    }

    @Test("an override does not matter for other hosts of this machine, or if it leads to this machine")
    func otherOverrides() async throws {
        let server = try await TestServer.start { request in .ok(request["Authorization"] ?? "none") }
        var configuration = ClientConfiguration()
        configuration.hostOverrides = [
            "other.localhost": [try Self.elsewhere()], "service.test": [try Self.elsewhere()],
            "auth.localhost": [server.address],
        ]
        let client = HTTPClient(configuration: configuration).adding(.bearer("t"))
        #expect(try await client.get(server.url("/")).text() == "Bearer t")
        #expect(try await client.get("http://auth.localhost/").text() == "Bearer t")
        await server.stop()
    }

    @Test("credentials are sent to a proxy on this machine, or to any proxy if the policy allows plain text")
    func allowed() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let server = try await RawServer.start(script: [.loop([.readRequest, .send(ok)])])
        var configuration = ClientConfiguration()
        configuration.proxy = .through(try Proxy("http://127.0.0.1:\(server.port)"))
        let local = HTTPClient(configuration: configuration).adding(.basic(user: "ada", password: "l"))
        #expect(try await local.get("http://localhost/").status == .ok)
        let remote = HTTPClient(configuration: try self.configuration(server) { .through($0) })
            .adding(.basic(user: "ada", password: "l", allowsPlaintext: true))
        #expect(try await remote.get("http://localhost/").status == .ok)
        await server.stop()
    }
}
