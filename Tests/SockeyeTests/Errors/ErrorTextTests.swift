import Sockeye
import SockeyeNet
import SockeyeTesting
import Testing

/// Error texts that once described something other than the actual failure.
@Suite("Texts of errors", .timeLimit(.minutes(1))) struct ErrorTextTests {
    private struct Ignorant: NameResolver {
        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] { [] }
    }

    private func error(_ provoke: () async throws -> Void) async throws -> SockeyeError {
        try #require(await #expect(throws: SockeyeError.self) { try await provoke() })
    }

    @Test("the error about an empty or invalid Host field calls its value malformed", arguments: ["", "a/b", "u@a"])
    func host(value: String) async throws {
        try await withTestServer { _ in
            .ok("")
        } run: { server in
            let error = try await error { _ = try await HTTPClient().get(server.url(), headers: [.host: value]) }
            #expect(
                error.code == .invalidRequest && error.message == "the value of the field Host is malformed or empty")
            #expect(server.activity.requests == 0)
        }
    }

    @Test("an invalid upgrade protocol is called malformed, and the error of a bad subtype names no control character")
    func others() async throws {
        try await withTestServer { _ in
            .ok("")
        } run: { server in
            let upgrade = try await error {
                _ = try await HTTPClient().upgrade(OutgoingRequest(url: server.url()), to: "a;b")
            }
            #expect(upgrade.message == "the value of the field Upgrade is malformed or empty")
        }
        let form = try await error {
            var form = MultipartForm(MultipartForm.Subtype("form data"))
            form.field("a", "b")
            _ = try form.body()
        }
        #expect(!form.message.contains("control character") && !"\(form.underlying as Any)".contains("control"))
    }

    @Test("the error about an unreachable proxy names the proxy")
    func proxy() async throws {
        let port = try ClosedPort()
        var configuration = ClientConfiguration(proxy: .http("http://me:s3cret@127.0.0.1:\(port.port)"))
        let refused = HTTPClient(configuration: configuration)
        for url in ["http://a.example/", "https://a.example/"] {
            let error = try await error { _ = try await refused.get(url) }
            #expect(error.code == .connectFailed && error.phase == .connect)
            #expect(error.message.hasPrefix("the proxy http://127.0.0.1:\(port.port): "), "\(error)")
            #expect(!"\(error)".contains("s3cret"))
        }
        configuration.proxy = .http("http://proxy.test:1")
        configuration.resolver = Ignorant()
        let unknown = try await error {
            _ = try await HTTPClient(configuration: configuration).get("http://a.example/")
        }
        #expect(unknown.code == .resolutionFailed && unknown.message.hasPrefix("the proxy http://proxy.test:1: "))
    }

    @Test("the error about a refused CONNECT says that the server opened no tunnel")
    func tunnel() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), .readToEnd,
        ])
        let error = try await error { _ = try await HTTPClient().connect(server.url()) }
        #expect(error.code == .upgradeRefused && error.message == "the server opened no tunnel")
    }

    @Test(
        "the error about the path of a unix-domain socket states the limits of the path",
        arguments: ["", "/a\u{0}b", String(repeating: "a", count: 108)])
    func socket(path: String) async throws {
        let client = HTTPClient().scoped(unixSocketPath: path)
        let error = try await error { _ = try await client.get("http://a.example/") }
        #expect(error.code == .invalidRequest && error.message.hasSuffix("or is longer than 107 bytes"))
    }
}
