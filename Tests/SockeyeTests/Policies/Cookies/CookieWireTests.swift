import Sockeye
import SockeyeTesting
import Testing

@Suite("Cookies over sockets", .timeLimit(.minutes(1))) struct CookieWireTests {
    private func server(_ steps: [RawStep]) async throws -> RawServer { try await RawServer.start(script: steps) }

    @Test("no cookie reaches another host, and no secure cookie reaches a host without TLS")
    func otherHosts() async throws {
        let other = try await server([.readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
        let target = "http://b.test:\(other.port)/"
        let first = try await server([
            .readRequestHead,
            .send(
                "HTTP/1.1 302 Found\r\nSet-Cookie: a=s3cret1\r\nSet-Cookie: b=s3cret2; Domain=b.test\r\nLocation: \(target)\r\n"
                    + "Content-Length: 0\r\n\r\n"),
        ])
        let jar = CookiePolicy.Jar()
        try jar.set("c=s3cret3; Secure", from: HTTPURL("https://b.test/"))
        try jar.set("d=s3cret4; Path=/private", from: HTTPURL("https://b.test/private"))
        try jar.set("e=public", from: HTTPURL("https://b.test/"))
        var configuration = HTTPClient.Configuration()
        configuration.hostOverrides = ["a.test": [first.address], "b.test": [other.address]]
        configuration.interceptors = [CookiePolicy(jar)]
        let client = HTTPClient(configuration: configuration)
        _ = try await client.get("http://a.test:\(first.port)/", headers: [.cookie: "own=s3cret5"])
        #expect(!other.receivedText().contains("s3cret"))
        #expect(other.receivedText().contains("\r\nCookie: e=public\r\n"))
        #expect(first.receivedText().contains("\r\nCookie: own=s3cret5\r\n"))
    }

    @Test("secure cookies of loopback addresses are sent over http, with their values unchanged")
    func loopback() async throws {
        let server = try await TestServer.start { request in
            guard request.path == "/set" else {
                return .ok(request.headers[values: .cookie].joined(separator: "|"))
            }
            var headers = Headers()
            headers.append(.setCookie, "a=\"ü %41\"; Path=/; Secure")
            headers.append(.setCookie, "b=2; Path=/; Max-Age=10")
            return TestServerResponse(headers: headers)
        }
        let clock = ManualClock()
        let client = HTTPClient(clock: clock).adding(.cookies(CookiePolicy.Jar(clock: clock)))
        _ = try await client.get(server.url("/set"))
        #expect(try await client.get(server.url("/")).text() == "a=\"ü %41\"; b=2")
        clock.advance(by: .seconds(10))
        #expect(try await client.get(server.url("/")).text() == "a=\"ü %41\"")
    }

    @Test("many tasks can use one jar at once")
    func concurrency() async throws {
        let server = try await TestServer.start { request in
            TestServerResponse(headers: [.setCookie: "n\(request.query ?? "")=1; Path=/"])
        }
        let jar = CookiePolicy.Jar()
        let client = HTTPClient().adding(.cookies(jar))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<10 { _ = try await client.get(server.url("/?\(task)-\(number)")).bytes() }
                }
            }
            try await group.waitForAll()
        }
        #expect(jar.count == 80)
    }
}
