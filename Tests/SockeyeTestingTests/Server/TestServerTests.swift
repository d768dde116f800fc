import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Testing

@Suite("Test server", .timeLimit(.minutes(1)))
struct TestServerTests {
    @Test("the server answers successive requests on one connection")
    func keepAlive() async throws {
        try await withTestServer { request in
            .ok("\(request.method) \(request.path) \(request.query ?? "-") \(request.connection) \(request.number)")
        } run: { server in
            let client = try await RawClient(server.address)
            #expect(try await client.get("/a?b=c").body == "GET /a b=c 0 0")
            #expect(try await client.get("/d").body == "GET /d - 0 1")
            let other = try await RawClient(server.address)
            #expect(try await other.get("/").body == "GET / - 1 0")
            #expect(server.activity.connections == 2)
            #expect(server.activity.requests == 3)
            try await server.wait { $0.responses == 3 }
        }
    }

    @Test("the server writes status line, fields and framing correctly")
    func wire() async throws {
        try await withTestServer { _ in
            .text("hi", status: 201, headers: [.eTag: "\"x\""])
        } run: { server in
            let (head, body) = try await RawClient(server.address).get()
            #expect(
                head == """
                    HTTP/1.1 201 Created\r
                    ETag: "x"\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Length: 2\r
                    \r

                    """)
            #expect(body == "hi")
        }
    }

    @Test("a request has its field lines as they were sent, and finds fields by name in any case")
    func fields() async throws {
        try await withTestServer { request in
            #expect(request.headers.map { "\($0.name)=\($0.value)" } == ["Host=x", "X-a=1", "x-A=two  words", "E="])
            #expect(request["x-a"] == "1")
            #expect(request["missing"] == nil)
            #expect(request.headers[values: "X-A"] == ["1", "two  words"])
            return .ok()
        } run: { server in
            let fields = "X-a: 1\r\nx-A:\ttwo  words \r\nE:\r\n"
            let (head, _) = try await RawClient(server.address).get(fields: fields)
            #expect(head.hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test("the server reads the same request however its bytes are cut")
    func cutting() async throws {
        let request =
            "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: v\r\n\r\n"
        try await withTestServer { request in
            let text = try await request.text()
            return .ok("\(text) \(request.trailers["T"] ?? "")")
        } run: { server in
            for cut in 1..<request.utf8.count {
                let client = try await RawClient(server.address)
                let bytes = Bytes(request)
                try await client.connection.write(bytes.slice(0..<cut))
                try await server.wait { $0.openConnections > 0 }
                try await client.connection.write(bytes.slice(cut..<bytes.count))
                #expect(try await client.response().body == "abc0123456789 v", "cut at \(cut)")
            }
        }
    }

    @Test("the server answers pipelined requests in order")
    func pipelining() async throws {
        try await withTestServer { request in
            .ok(request.path)
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send((1...20).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            for number in 1...20 { #expect(try await client.response().body == "/\(number)") }
        }
    }

    @Test(
        "the server sends no body if none is allowed",
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func bodyless(method: String, status: Int) async throws {
        try await withTestServer { _ in
            .text("body", status: status)
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send("\(method) / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let answer = try await client.rest()
            #expect(answer.hasSuffix("\r\n\r\n"))
            #expect(answer.contains("Content-Length: 4") == (method == "HEAD"))
        }
    }

    @Test("the server closes the connection after an HTTP/1.0 request unless it asks for keep-alive")
    func http10() async throws {
        try await withTestServer { request in
            request.path == "/stream" ? .stream(Pieces(["a", "b"])) : .ok("x")
        } run: { server in
            let first = try await RawClient(server.address)
            try await first.send("GET /stream HTTP/1.0\r\n\r\n")
            let answer = try await first.rest()
            #expect(answer.hasSuffix("\r\n\r\nab"))
            #expect(answer.contains("Connection: close"))
            let second = try await RawClient(server.address)
            for _ in 0..<2 {
                try await second.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                let response = try await second.response()
                #expect(response.head.contains("Connection: keep-alive"))
                #expect(response.body == "x")
            }
        }
    }

    @Test("the server streams in chunks, with a given length, and with trailers")
    func streaming() async throws {
        try await withTestServer { request in
            switch request.path {
            case "/length": .stream(Pieces(["ab", "", "c"]), length: 3)
            case "/trailers": TestServerResponse.ok("abc").trailers(["Sum": "6"])
            default: .stream(Pieces(["ab", "", "c"]))
            }
        } run: { server in
            let client = try await RawClient(server.address)
            #expect(try await client.get("/length").body == "abc")
            let close = "Host: x\r\nConnection: close\r\n\r\n"
            try await client.send("GET /trailers HTTP/1.1\r\n\(close)")
            #expect(try await client.rest().hasSuffix("\r\n\r\n3\r\nabc\r\n0\r\nSum: 6\r\n\r\n"))
            let other = try await RawClient(server.address)
            try await other.send("GET / HTTP/1.1\r\n\(close)")
            #expect(try await other.rest().hasSuffix("\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"))
        }
    }

    @Test("the server closes a connection after the configured number of requests")
    func requestsPerConnection() async throws {
        try await withTestServer(options: TestServerOptions(requestsPerConnection: 2)) { _ in
            .ok("x")
        } run: { server in
            let client = try await RawClient(server.address)
            let first = try await client.get()
            #expect(!first.head.contains("Connection"))
            #expect(try await client.get().head.contains("Connection: close"))
            #expect(try await client.rest() == "")
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(
        "the server closes the connection if the response's Connection field has the option close, but not for x-close",
        arguments: [
            ("close", true), ("keep-alive, Close", true), ("x-close", false), ("close-later,\tx", false),
            ("x,\tclose\t,y", true),
        ])
    func connectionOptions(value: String, closes: Bool) async throws {
        try await withTestServer { request in
            .ok("\(request.connection)").adding(.connection, value)
        } run: { server in
            let client = try await RawClient(server.address)
            _ = try await client.get()
            if closes { #expect(try await client.rest() == "") } else { #expect(try await client.get().body == "0") }
        }
    }

    @Test("the server listens on a unix-domain socket and removes it when it stops")
    func unixSocket() async throws {
        let address = try await withTestServer(on: .temporaryUnixSocket) { _ in
            .ok("local")
        } run: { server in
            #expect(server.url("x") == "http://localhost/x")
            let (_, body) = try await RawClient(server.address).get()
            #expect(body == "local")
            return server.address
        }
        await #expect(throws: TransportError.system(call: .connect, error: .notFound)) { try await RawClient(address) }
    }

    @Test("a stopped server refuses connections and closes the existing ones")
    func stopping() async throws {
        let server = try await TestServer.start { _ in .never }
        let client = try await RawClient(server.address)
        try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        try await server.wait { $0.requests == 1 }
        await server.stop()
        #expect(try await client.connection.read() == nil)
        #expect(server.activity.openConnections == 0)
        await #expect(throws: TransportError.system(call: .connect, error: .connectionRefused)) {
            try await RawClient(server.address)
        }
        try server.checkForFailures()
    }

    @Test("the server stops when its last reference is released")
    func dropping() async throws {
        var server: TestServer? = try await TestServer.start { _ in .ok() }
        let client = try await RawClient(#require(server).address)
        _ = try await client.get()
        server = nil
        #expect(try await client.connection.read() == nil)
    }

    @Test("the server serves many connections at once")
    func manyConnections() async throws {
        try await withTestServer { request in
            .ok(request.path)
        } run: { server in
            try await withThrowingTaskGroup { group in
                for number in 0..<64 {
                    group.addTask {
                        let client = try await RawClient(server.address)
                        for round in 0..<10 {
                            #expect(try await client.get("/\(number)/\(round)").body == "/\(number)/\(round)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.activity.connections == 64)
            #expect(server.activity.requests == 640)
        }
    }
}

/// A sequence of texts as bytes.
struct Pieces: AsyncSequence, Sendable {
    let texts: [String]

    init(_ texts: [String]) {
        self.texts = texts
    }

    func makeAsyncIterator() -> AsyncStream<[UInt8]>.Iterator {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }.makeAsyncIterator()
    }
}
