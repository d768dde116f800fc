import Foundation
import Sockeye
import SockeyeCore
import SockeyeDiagnostics
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The text of curl commands, without running them.
@Suite("Requests as curl commands")
struct CurlCommandTests {
    @Test("a command has method, fields and content on lines of their own")
    func shape() throws {
        let request = try OutgoingRequest(
            method: .put, url: "http://h.test/a?b=c&d=[e]#f",
            headers: ["Content-Type": "text/plain", "X-A": "it's", "X-B": ""],
            body: "one\ntwo")
        #expect(
            request.curlCommand().description == """
                curl --globoff --path-as-is --http1.1 \\
                  --request PUT \\
                  --header 'Content-Type: text/plain' \\
                  --header 'X-A: it'\\''s' \\
                  --header 'X-B;' \\
                  --data-raw 'one
                two' \\
                  'http://h.test/a?b=c&d=[e]'
                """)
        #expect(request.curlCommand().isComplete)
        #expect(request.curlCommand().arguments.last == "http://h.test/a?b=c&d=[e]")
    }

    @Test("a command has no credentials that the call itself would withhold or refuse")
    func loopbackElsewhere() async throws {
        let jar = CookiePolicy.Jar()
        jar.set(try ClientCookie(name: "secure", value: "1", domain: "localhost", isHostOnly: true, isSecure: true))
        jar.set(try ClientCookie(name: "plain", value: "1", domain: "localhost", isHostOnly: true))
        var configuration = ClientConfiguration()
        let here = HTTPClient(configuration: configuration).adding(.cookies(jar))
        let text = try await here.curlCommand(.get, "http://localhost/", showingSecrets: true).description
        #expect(text.contains("secure=1") && text.contains("plain=1"))
        configuration.hostOverrides = ["localhost": [try #require(EndpointAddress(literal: "192.0.2.1", port: 80))]]
        let elsewhere = HTTPClient(configuration: configuration).adding(.cookies(jar))
        let bare = try await elsewhere.curlCommand(.get, "http://localhost/", showingSecrets: true).description
        #expect(!bare.contains("secure=1") && bare.contains("plain=1"))
        let error = await #expect(throws: SockeyeError.self) {
            try await elsewhere.adding(.bearer("t")).curlCommand(.get, "http://localhost/")
        }
        #expect(error?.code == .insecureCredentials)
    }

    @Test("a command masks secrets unless they are requested", arguments: [false, true])
    func secrets(shown: Bool) throws {
        let request = try OutgoingRequest(
            url: "http://ada:pass%20word@127.0.0.1/?X-Amz-Signature=s1&page=2&%74oken=s2&sig=s3&flag",
            headers: [
                "Cookie": "a=s4", "X-API-Key": "s5", "X-My-Secret-Thing": "s6", "Proxy-Authorization": "s7",
                "Accept": "a/b",
            ])
        let command = request.curlCommand(showingSecrets: shown)
        let text = command.description
        #expect(command.isComplete == shown)
        #expect(text.contains("page=2") && text.contains("Accept: a/b") && text.contains("flag"))
        #expect(text.contains("Authorization: ***") != shown)
        for secret in ["s1", "s2", "s3", "s4", "s5", "s6", "YWRhOnBhc3Mgd29yZA=="] {
            #expect(text.contains(secret) == shown, "\(secret)")
        }
        // `Proxy-Authorization` is for a proxy only, and the command names no proxy.
        #expect(!text.contains("s7") && !text.contains("pass%20word"))
    }

    @Test(
        "URLs inside fields are masked like the URL of the request",
        arguments: [
            ("Referer", "https://ada:s@h.test/p?token=s&page=2", "https://h.test/p?token=***&page=2"),
            ("Referer", "/p?token=s 1", "/p?token=***"),
            ("Link", #"<https://h.test/p?sig=s>; rel="prev""#, #"<https://h.test/p?sig=***>; rel="prev""#),
            ("X-Callback", "https://h.test/hook#access_token=s", "https://h.test/hook#access_token=***"),
            ("Referer", "https://h.test/p?page=2", "https://h.test/p?page=2"),
        ])
    func urlsInFields(name: String, value: String, expected: String) throws {
        let request = try OutgoingRequest(url: "http://h.test/", headers: [Headers.Name(name): value])
        let command = request.curlCommand()
        #expect(command.arguments.contains("\(name): \(expected)"), "\(command)")
        #expect(command.isComplete == (value == expected))
        #expect(request.curlCommand(showingSecrets: true).arguments.contains("\(name): \(value)"))
    }

    @Test(
        "a text on which a terminal would act is replaced, so that the shell runs the command that the user sees",
        arguments: ["\u{9B}31m", "a\r\nEvil: 1", "\u{1B}[2J", "a\u{202E}b", "a\u{2028}b"], [false, true])
    func steering(value: String, showsSecrets: Bool) throws {
        var request = try OutgoingRequest(url: "http://h.test/", headers: ["If-Match": value, "X-A": "é\tß"])
        request.headers.append(Headers.Name("X-\(value)"), "1")
        request.options.unixSocketPath = "/run/\(value)"
        let command = request.curlCommand(showingSecrets: showsSecrets)
        #expect(!command.isComplete && !command.description.contains(value))
        #expect(command.arguments.contains("If-Match: ***") && command.arguments.contains("X-A: é\tß"))
        #expect(!command.description.contains("Evil") && !command.description.contains("X-\(value)"))
        let content = try OutgoingRequest(method: .post, url: "http://h.test/", body: .string("a\u{202E}b"))
        #expect(content.curlCommand().description.hasPrefix("printf ") && content.curlCommand().isComplete)
    }

    @Test("binary content is piped by printf; long content and streams make a command incomplete")
    func content() throws {
        func command(_ body: OutgoingRequest.Body, limit: Int = 16 << 10) throws -> OutgoingRequest.CurlCommand {
            try OutgoingRequest(method: .post, url: "http://h.test/", body: body).curlCommand(inlining: limit)
        }
        let binary = try command(.bytes([0, 39, 92, 37, 255, 10, 27, 65]))
        #expect(binary.description.hasPrefix("printf %b '\\0000\\0047\\\\%\\0377\\n\\0033A' | curl "))
        #expect(binary.isComplete && binary.arguments.suffix(3).first == "--data-binary")
        let long = try command(.bytes([UInt8](repeating: 65, count: 100)), limit: 99)
        #expect(!long.isComplete && long.description.hasPrefix("curl ") && long.arguments.contains("@-"))
        let stream = try command(.stream(Elements([[1] as [UInt8]])))
        #expect(!stream.isComplete && stream.description.contains("--header 'Transfer-Encoding: chunked'"))
        #expect(try !command(OutgoingRequest.Body.string("x").throttled(bytesPerSecond: 5).trailers { [:] }).isComplete)
        #expect(try command(OutgoingRequest.Body.string("x").throttled(bytesPerSecond: 5)).isComplete)
        #expect(try command(.none).arguments.contains("--data-raw"))
    }

    @Test("a command reads the body from the file's path, which is quoted for the shell")
    func files() throws {
        let path = FileManager.default.temporaryDirectory.path + "/it's \(UUID().uuidString)"
        try Data("content".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = try OutgoingRequest(method: .put, url: "http://h.test/", body: .file(path))
        #expect(request.curlCommand().arguments.contains("@" + path))
        #expect(request.curlCommand().description.contains("it'\\''s"))
    }

    @Test("a client's command has its base URL, fields, cookies, credentials and codings")
    func client() async throws {
        let jar = CookiePolicy.Jar()
        _ = jar.set(try ClientCookie(name: "c", value: "1", domain: "h.test"))
        let client = HTTPClient().scoped(baseURL: "http://h.test/v1", headers: ["X-A": "1"])
            .adding(.cookies(jar)).adding(.setting("X-B", to: "2")).adding(.bearer("token", allowsPlaintext: true))
        let command = try await client.curlCommand(
            .post, "items", .json(["a": 1]), query: ["q": "é"], showingSecrets: true)
        let text = command.description
        for part in [
            "'X-A: 1'", "'X-B: 2'", "'Cookie: c=1'", "'Authorization: Bearer token'", "'User-Agent: sockeye'",
            "'Accept-Encoding: \(ContentCoding.accepted)'", "--compressed", "--data-raw '{\"a\":1}'",
            "'Content-Type: application/json'",
            "http://h.test/v1/items?q=%C3%A9",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let bare = try await client.curlCommand(.get, "/", options: .skipping(.cookies, .authentication)).description
        #expect(!bare.contains("Cookie") && !bare.contains("Authorization"))
    }

    @Test("a command for another origin omits the scope's credentials")
    func otherOrigin() async throws {
        let client = HTTPClient().scoped(baseURL: "http://h.test/", headers: ["Authorization": "s1", "X-A": "1"])
        let text = try await client.curlCommand(.get, "http://other.test/", showingSecrets: true).description
        #expect(text.contains("X-A") && !text.contains("s1"))
    }

    @Test("a request that an interceptor answers has no command")
    func answered() async throws {
        struct Answering: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                IncomingResponse(status: .ok, url: request.url)
            }
        }
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient().adding(Answering()).curlCommand(.get, "http://h.test/")
        }
        #expect(error?.code == .invalidRequest)
    }
}
