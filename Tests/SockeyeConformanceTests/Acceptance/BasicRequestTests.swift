import Sockeye
import SockeyeTesting
import Testing

/// Sent requests: framing, fields, targets.
@Suite struct BasicRequestTests {
    private let client = HTTPClient()

    @Test("basic-02: POST or PUT with an empty body", .timeLimit(.minutes(1)))
    func emptyBodies() async throws {
        try await withEchoServer { server, log in
            _ = try await client.post(server.url())
            _ = try await client.put(server.url())
            _ = try await client.post(server.url(), .bytes([]))
            #expect(log.all.map { $0.values("content-length") } == [["0"], ["0"], ["0"]])
            #expect(log.all.allSatisfy { $0.values("transfer-encoding").isEmpty })
        }
    }

    @Test("basic-04: PUT of 200 bytes with a user-set Content-Length: 0", .timeLimit(.minutes(1)))
    func wrongLength() async throws {
        try await withEchoServer { server, log in
            let body = [UInt8](repeating: 7, count: 200)
            _ = try await client.put(server.url(), .bytes(body), headers: [.contentLength: "0"])
            #expect(log.all[0].values("content-length") == ["200"])
            #expect(log.all[0].body.elementsEqual(body))
        }
    }

    @Test("basic-05: POST of 12 bytes with a user-set Content-Length: 12", .timeLimit(.minutes(1)))
    func rightLength() async throws {
        try await withEchoServer { server, log in
            _ = try await client.post(server.url(), .body("twelve bytes"), headers: [.contentLength: "12"])
            #expect(log.all[0].values("content-length") == ["12"])
        }
    }

    @Test("basic-06: user sets both Content-Length and Transfer-Encoding", .timeLimit(.minutes(1)))
    func bothFramings() async throws {
        try await withEchoServer { server, log in
            let headers: Headers = [.contentLength: "3", .transferEncoding: "chunked"]
            _ = try await client.post(server.url(), .body("hello"), headers: headers)
            let chunks = AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array("hello".utf8))
                continuation.finish()
            }
            _ = try await client.post(server.url(), .stream(chunks), headers: headers)
            #expect(log.all.map { $0.values("content-length") } == [["5"], []])
            #expect(log.all.map { $0.values("transfer-encoding") } == [[], ["chunked"]])
            #expect(log.all.allSatisfy { $0.body == Bytes("hello") })
        }
    }

    @Test("basic-07: TRACE with a body", .timeLimit(.minutes(1)))
    func traceWithBody() async throws {
        try await withEchoServer { server, _ in
            let error = await failure { try await client.request(.trace, server.url(), .body("content")) }
            #expect((error as? SockeyeError)?.code == .invalidRequest)
            #expect(server.activity.connections == 0)
        }
    }

    @Test("basic-09: a field value with CR, LF or NUL", .timeLimit(.minutes(1)), arguments: ["\r", "\n", "\r\n", "\0"])
    func controlsInValues(control: String) async throws {
        try await withEchoServer { server, _ in
            let attempts: [Headers] = [
                ["X-A": "a\(control)X-Injected: 1"], [.host: "a\(control)b"], [.contentType: control],
            ]
            for headers in attempts {
                let error = await failure { try await client.get(server.url(), headers: headers) }
                #expect((error as? SockeyeError)?.code == .invalidRequest)
                #expect((error as? SockeyeError)?.blame == .caller)
            }
            #expect(server.activity.requests == 0)
        }
    }

    @Test("basic-10: field names made of every token character", .timeLimit(.minutes(1)))
    func tokenNames() async throws {
        let tokens = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let names = tokens.map { "\($0)" } + tokens.map { "x\($0)" } + [tokens]
        var headers = Headers()
        for name in names { headers.append(Headers.Name(name), "v") }
        try await withEchoServer { server, log in
            _ = try await client.get(server.url(), headers: headers)
            #expect(log.all[0].fields.map(\.name).filter(names.contains) == names)
        }
    }

    @Test(
        "basic-11: target with CR, LF, blank or a control byte in path or query", .timeLimit(.minutes(1)),
        arguments: ["\r", "\n", "\r\n", " ", "\t", "\0", "\u{1}", "\u{7F}"])
    func controlsInTargets(character: String) async throws {
        try await withEchoServer { server, log in
            for target in ["/a\(character)b HTTP/1.1\(character)X: y", "/a?b=\(character)c"] {
                // The target is refused, or sent percent-encoded; the server accepts no other request.
                _ = await failure { try await client.get(server.url() + String(target.dropFirst())) }
            }
            _ = try await client.get(server.url("/q"), query: ["a\(character)b": "c\(character)d"])
            for request in log.all {
                #expect(request.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
                #expect(request.values("x").isEmpty)
            }
            #expect(log.all.last?.target.contains("c%") == true)
        }
    }

    @Test(
        "basic-15: relative URL against a base URL, with and without a leading slash", .timeLimit(.minutes(1)),
        arguments: [
            ("users", "/v1/users"), ("/users", "/users"), ("../x", "/x"), ("./a/../b", "/v1/b"), ("", "/v1/"),
            ("?q=1", "/v1/?q=1"), ("#f", "/v1/"), ("a?b#c", "/v1/a?b"), (".", "/v1/"),
        ])
    func relativeURLs(reference: String, target: String) async throws {
        try await withEchoServer { server, log in
            _ = try await client.scoped(baseURL: server.url("/v1/")).get(reference)
            // As documented, a base is a directory whether or not it ends in a slash.
            _ = try await client.scoped(baseURL: server.url("/v1")).get(reference)
            #expect(log.all.map(\.target) == [target, target])
        }
    }

    @Test("basic-17: scheme and host in upper case", .timeLimit(.minutes(1)))
    func upperCase() async throws {
        try await withEchoServer { server, log in
            var configuration = HTTPClient.Configuration()
            configuration.hostOverrides = ["Example.Test": [server.address]]
            let client = HTTPClient(configuration: configuration)
            _ = try await client.get("HTTP://EXAMPLE.TEST:\(server.port)/Path").bytes()
            _ = try await client.get("http://example.test:\(server.port)/Path").bytes()
            #expect(log.all.map { $0.values("host") } == Array(repeating: ["example.test:\(server.port)"], count: 2))
            #expect(log.all.map(\.target) == ["/Path", "/Path"])
            #expect(server.activity.connections == 1)
        }
    }
}
