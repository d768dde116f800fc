import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The request head on the wire (RFC 9112 3, RFC 9110 5).
@Suite("Requests on the wire", .timeLimit(.minutes(1)))
struct RequestRuleTests {
    /// Runs a server that answers with the head as received.
    private func withHeads(_ body: (TestServer) async throws -> Void) async throws {
        try await withTestServer(
            handler: { request in .ok(String(decoding: request.headBytes, as: UTF8.self)) }, run: body)
    }

    /// Returns the lines of a head as the server received it.
    private func lines(_ response: IncomingResponse) async throws -> [String] {
        try await response.text().split(separator: "\r\n").map(String.init)
    }

    /// A setting that becomes part of a head or an address.
    enum Setting: String, CaseIterable, Sendable {
        case host, userAgent, upgrade, scopeField, trailer, unixSocketPath
    }

    /// RFC 9110 5.5; undici's CVE-2023-23936.
    @Test(
        "no setting can inject a line or a NUL into a request", arguments: Setting.allCases,
        ["a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rb", "a\0b"])
    func injection(setting: Setting, value: String) async throws {
        let server = try await RawServer.start(script: [.readToEnd])
        var configuration = HTTPClient.Configuration()
        var options = OutgoingRequest.Options()
        var headers: Headers = [:]
        var body = OutgoingRequest.Body.none
        switch setting {
        case .host: headers[.host] = value
        case .userAgent: configuration.userAgent = value
        // Without a NUL the path would be valid, and the socket would be missing.
        case .unixSocketPath: options.unixSocketPath = "/a\0" + value
        case .trailer: body = OutgoingRequest.Body.string("x").trailers { ["X-Trailer": value] }
        case .upgrade, .scopeField: break
        }
        let plain = HTTPClient(configuration: configuration)
        let client = setting == .scopeField ? plain.scoped(headers: ["X-Scope": value]) : plain
        let request = try OutgoingRequest(
            method: .post, url: server.url(), headers: headers, body: body, options: options)
        let error = await #expect(throws: SockeyeError.self) {
            if setting == .upgrade {
                _ = try await client.upgrade(request, to: value)
            } else {
                _ = try await client.send(request)
            }
        }
        #expect(error?.code == .invalidRequest, "\(String(describing: error))")
        #expect(error?.blame == .caller)
        #expect(!"\(String(describing: error))".contains("Injected"))
        await plain.shutDown()
        #expect(!server.receivedText().contains("Injected"))
    }

    /// RFC 9110 9.3.6 and 9.3.8.
    @Test("CONNECT or TRACE with content is an error before anything is sent", arguments: ["CONNECT", "TRACE"])
    func noContent(method: String) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let content = Elements(["x".bytes])
        try await withHeads { server in
            let bodies: [OutgoingRequest.Body] = ["x", .stream(content), .stream(content, length: 1)]
            for body in bodies {
                let error = await #expect(throws: SockeyeError.self) {
                    try await HTTPClient().request(method, server.url(), .body(body))
                }
                #expect(error?.code == .invalidRequest)
                #expect(error?.blame == .caller)
            }
            #expect(server.activity.requests == 0)
        }
    }

    /// RFC 9112 3.2.
    @Test("the caller's Host field is sent first, alone and unchanged, and does not select the connection")
    func hostOverride() async throws {
        try await withHeads { server in
            let client = HTTPClient()
            for headers in [["X-A": "1", "hOST": "virtual.example:81"], [:]] as [Headers] {
                let lines = try await lines(client.get(server.url("/x"), headers: headers))
                #expect(lines[0] == "GET /x HTTP/1.1")
                #expect(lines[1] == (headers.isEmpty ? "Host: 127.0.0.1:\(server.port)" : "Host: virtual.example:81"))
                #expect(lines.count { $0.lowercased().hasPrefix("host:") } == 1)
            }
            #expect(server.activity.connections == 1)
            let twice: Headers = [.host: "a.example", "HOST": "b.example"]
            let error = await #expect(throws: SockeyeError.self) { try await client.get(server.url(), headers: twice) }
            #expect(error?.code == .invalidRequest)
        }
    }

    /// RFC 9110 7.6.1, RFC 9112 6.
    @Test("connection-specific fields are not sent even if the caller sets them")
    func connectionFields() async throws {
        try await withHeads { server in
            let names: [Headers.Name] = [
                "Connection", "Keep-Alive", "TE", "Upgrade", "Proxy-Connection", "Transfer-Encoding", "Content-Length",
            ]
            var headers: Headers = ["X-Kept": "1"]
            for name in names { headers.append(name, "upgrade, HTTP2-Settings") }
            let text = try await HTTPClient().get(server.url(), headers: headers).text().lowercased()
            #expect(text.contains("\r\nx-kept: 1\r\n"))
            for name in names { #expect(!text.contains("\r\n\(name):".lowercased())) }
        }
    }

    /// RFC 9110 6.5.1.
    @Test(
        "a trailer that affects the framing or meaning of the message fails the request",
        arguments: ["Transfer-Encoding", "Content-Length", "Trailer", "Host", "Authorization", "Set-Cookie"])
    func trailers(name: String) async throws {
        let server = try await RawServer.start(script: [.readToEnd])
        let body = OutgoingRequest.Body.string("x").trailers { [Headers.Name(name): "1"] }
        let error = await #expect(throws: SockeyeError.self) { try await HTTPClient().post(server.url(), .body(body)) }
        #expect(error?.code == .invalidRequest, "\(String(describing: error))")
        // The body has already begun, so its end must be missing.
        let received = try await server.waitForEnd()
        #expect(!String(decoding: received, as: UTF8.self).contains("0\r\n"))
    }

    /// RFC 9110 4.2.4 and 7.1.
    @Test("user information and fragment are not sent; the final URL keeps the fragment")
    func secrets() async throws {
        try await withHeads { server in
            let url = "http://quentin:s3cret@127.0.0.1:\(server.port)/a?b#part"
            let response = try await HTTPClient().get(url)
            #expect(response.url.description == "http://127.0.0.1:\(server.port)/a?b#part")
            let text = try await response.text()
            #expect(text.hasPrefix("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
            for secret in ["quentin", "s3cret", "part", "@"] { #expect(!text.contains(secret)) }
            #expect(!text.lowercased().contains("referer"))
        }
    }

    /// RFC 9110 4.2.4.
    @Test("neither a description nor a dump shows a secret of a request or an error")
    func printedSecrets() async throws {
        let closed = try ClosedPort()
        let url = "http://quentin:s3cret@127.0.0.1:\(closed.port)/"
        let request = try OutgoingRequest(url: url, headers: [.authorization: "Bearer t0ken", .cookie: "id=t0ken"])
        let refused = await #expect(throws: SockeyeError.self) { try await HTTPClient().send(request) }
        let malformed = await #expect(throws: SockeyeError.self) { try await HTTPClient().get(url + "\0x") }
        #expect(malformed?.code == .invalidURL)
        #expect(refused?.url == closed.url())
        for value in [request, refused as Any, malformed as Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for secret in ["quentin", "s3cret", "t0ken"] { #expect(!text.contains(secret), "\(text)") }
            }
        }
    }

    /// RFC 9112 3.2, RFC 3986 3.2.2, RFC 6874.
    @Test(
        "Host has the normal form of each kind of host, and the zone is not sent",
        arguments: [
            ("[FE80::1%25lo]", "fe80::1%lo", "[fe80::1]"), ("[::FFFF:1.2.3.4]", "::ffff:102:304", "[::ffff:102:304]"),
            ("0x7f.1", "127.0.0.1", "127.0.0.1"), ("B\u{FC}cher.Test", "xn--bcher-kva.test", "xn--bcher-kva.test"),
            ("b%C3%BCcher.test", "xn--bcher-kva.test", "xn--bcher-kva.test"), ("a.test.", "a.test.", "a.test."),
        ])
    func hosts(host: String, connected: String, sent: String) async throws {
        let authority = try TestCertificateAuthority()
        let handler: @Sendable (TestRequest) async throws -> TestServerResponse = { request in
            .ok(String(decoding: request.headBytes, as: UTF8.self))
        }
        let plain = try await TestServer.start(handler: handler)
        let secure = try await TestServer.start(tls: TestTLS(authority)) { request in
            .ok("\(request["Host"] ?? "-") \(request.tls?.serverName ?? "none")")
        }
        var configuration = HTTPClient.Configuration()
        configuration.hostOverrides = [
            "\(connected.contains(":") ? "[\(connected)]" : connected):\(plain.port)": [plain.address],
            "\(connected.contains(":") ? "[\(connected)]" : connected):\(secure.port)": [secure.address],
        ]
        configuration.tls = TLSOptions(roots: authority.roots, verification: .chainOnly)
        let client = HTTPClient(configuration: configuration)
        let head = try await lines(client.get("http://\(host):\(plain.port)/"))
        #expect(head[1] == "Host: \(sent):\(plain.port)")
        #expect(!head.joined().contains("%"))
        // RFC 6066 3: SNI contains no addresses and no final dot.
        let isAddress = sent.hasPrefix("[") || sent.hasPrefix("127.")
        let name = isAddress ? "none" : sent.hasSuffix(".") ? String(sent.dropLast()) : sent
        #expect(try await client.get("https://\(host):\(secure.port)/").text() == "\(sent):\(secure.port) \(name)")
    }
}
