import HTTPTypes
import Hummingbird
import SockeyeTesting
import Testing

@testable import Gateway

@Suite("Gateway", .serialized, .timeLimit(.minutes(2)))
struct GatewayTests {
    @Test("the gateway forwards method, target, content and fields of a request, and those of the response")
    func smallBodies() async throws {
        try await withGateway { request in
            #expect(request.target == "/a%2Fb/c?q=1&q=%20")
            #expect(request["X-Token"] == "t")
            #expect(request["Via"] == "1.1 gateway")
            #expect(request["Content-Length"] == "5")
            let text = try await request.text()
            return .text(
                "\(request.method) \(text)", status: 201, headers: ["X-Answer": "a", "Content-Language": "en"])
        } run: { url, upstream in
            let client = HTTPClient()
            for _ in 1...3 {
                let answer = try await client.put(url + "/a%2Fb/c?q=1&q=%20", .text("hello"), headers: ["X-Token": "t"])
                #expect(answer.status == .created)
                #expect(answer.headers[.contentLanguage] == "en")
                #expect(try await answer.text() == "PUT hello")
            }
            #expect(upstream.activity.connections == 1)
        }
    }

    @Test("the gateway forwards responses without content", arguments: [204, 304])
    func noContent(status: Int) async throws {
        try await withGateway { request in
            #expect(request["Content-Length"] == nil && request["Transfer-Encoding"] == nil)
            return request.method == .head ? .text("12345") : .status(status)
        } run: { url, _ in
            let client = HTTPClient()
            let answer = try await client.get(url)
            #expect(answer.status.code == status)
            #expect(try await answer.bytes().isEmpty)
            #expect(try await client.head(url).headers[.contentLength] == "5")
        }
    }

    // RFC 9110 7.6.1. The client never sends such fields, so a part of the test has no client.
    @Test("the gateway does not forward hop-by-hop fields")
    func hopByHop() async throws {
        let fields: Headers = [
            .connection: "X-Hop ,te", .te: "gzip", .connection: "keep-alive", .transferEncoding: "chunked",
            "x-hop": "1", "Keep-Alive": "5", .accept: "*/*", .accept: "a/b",
        ]
        #expect(fields.endToEnd == [.accept: "*/*", .accept: "a/b"])

        try await withGateway { request in
            #expect(request["Keep-Alive"] == nil && request["TE"] == nil)
            return .ok("content", headers: ["Connection": "x-hop", "X-Hop": "1", "Keep-Alive": "5", "X-End": "yes"])
        } run: { url, _ in
            let answer = try await HTTPClient().get(url, headers: ["Keep-Alive": "9", "TE": "gzip"])
            #expect(answer["X-Hop"] == nil && answer["Keep-Alive"] == nil)
            #expect(answer["X-End"] == "yes")
            #expect(try await answer.text() == "content")
        }
    }

    @Test("the gateway streams 64 MiB in both directions with little memory")
    func large() async throws {
        try await withGateway { request in
            .stream(request.body)
        } run: { url, _ in
            let source = PatternSource(length: 64 << 20)
            let before = HeapUsage.current()
            var received = 0
            var peak = 0
            let answer = try await HTTPClient().post(url, .stream(source.chunks))
            for try await chunk in answer.body {
                #expect(TestPattern.matches(chunk, at: received))
                received += chunk.count
                peak = max(peak, HeapUsage.current() - before)
            }
            #expect(received == source.length)
            #expect(peak < 16 << 20)
        }
    }

    @Test("the gateway reads from the client only as much as the upstream server receives")
    func uploadBackpressure() async throws {
        let mayRead = TestSignal()
        try await withGateway { request in
            try await mayRead.wait(timeout: .seconds(100))
            return .text("\(try await request.body.discard())")
        } run: { url, _ in
            let source = PatternSource(length: 96 << 20)
            async let answer = HTTPClient().post(url, .stream(source.chunks, length: source.length))
            let sent = try await settled { source.sent }
            #expect(sent < Self.mostInBuffers)
            mayRead.fire()
            #expect(try await answer.text() == "\(source.length)")
        }
    }

    @Test("the gateway reads from the upstream server only as much as the client receives")
    func downloadBackpressure() async throws {
        let source = PatternSource(length: 96 << 20)
        try await withGateway { _ in
            .stream(source.chunks, length: source.length)
        } run: { url, _ in
            let answer = try await HTTPClient().get(url)
            let sent = try await settled { source.sent }
            #expect(sent < Self.mostInBuffers)
            var received = 0
            for try await chunk in answer.body { received += chunk.count }
            #expect(received == source.length)
        }
    }

    @Test("the gateway answers 502 if the upstream server is unreachable, closes the connection early or sends no HTTP")
    func upstreamErrors() async throws {
        let servers = [
            try await RawServer.start(script: [.readRequestHead, .close]),
            try await RawServer.start(script: [.readRequestHead, .send("nonsense\r\n\r\n"), .close]),
        ]
        let closed = try ClosedPort()
        for upstream in servers.map(\.port) + [closed.port] {
            try await withGateway(to: upstream) { url in
                let answer = try await HTTPClient().get(url)
                #expect(answer.status == .badGateway)
            }
        }
    }

    @Test("the gateway does not present a truncated response as complete")
    func truncated() async throws {
        let upstream = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"), .close,
        ])
        try await withGateway(to: upstream.port) { url in
            let answer = try await HTTPClient().get(url)
            let error = await #expect(throws: SockeyeError.self) { try await answer.bytes() }
            #expect(error?.code == .connectionClosed)
        }
    }

    @Test("the gateway forwards a response that arrives before the content was sent")
    func earlyAnswer() async throws {
        try await withGateway { _ in
            .text("too much", status: 413)
        } run: { url, _ in
            let client = HTTPClient()
            for _ in 1...20 {
                let source = PatternSource(length: 8 << 20)
                let answer = try await client.post(url, .stream(source.chunks, length: source.length))
                #expect(answer.status == .contentTooLarge)
                #expect(try await answer.text() == "too much")
            }
            #expect(try await client.get(url).status == .contentTooLarge)
        }
    }

    // Two tasks then read the client's content: the one that forwards it, and the server, which looks for the next
    // request.
    @Test("the gateway forwards a response that arrives while the client withholds its content")
    func earlyAnswerToSlowClient() async throws {
        try await withGateway { _ in
            .text("too much", status: 413)
        } run: { url, _ in
            let client = HTTPClient()
            for _ in 1...100 {
                let (content, more) = AsyncStream<Bytes>.makeStream()
                more.yield(Bytes("start"))
                let answer = try await client.post(url, .stream(content))
                #expect(try await answer.text() == "too much")
                more.finish()
            }
        }
    }

    @Test("the gateway closes the upstream connection when the client leaves", arguments: [false, true])
    func clientLeaves(amidContent: Bool) async throws {
        let hasHead = TestSignal()
        try await withGateway { request, responder in
            if amidContent {
                try await responder.sendHead()
                try await responder.write("first")
            }
            try await responder.waitForDisconnect()
            responder.close()
        } run: { url, upstream in
            let call = Task {
                let answer = try await HTTPClient().get(url)
                for try await _ in answer.body { hasHead.fire() }
            }
            try await upstream.wait { $0.requests == 1 }
            if amidContent { try await hasHead.wait() }
            #expect(upstream.activity.openConnections == 1)
            call.cancel()
            try await upstream.wait { $0.openConnections == 0 }
        }
    }

    /// The maximum of bytes in the socket buffers of two connections and in the memory of the programs.
    private static let mostInBuffers = 48 << 20
}

/// Runs a test against a gateway in front of a server.
private func withGateway(
    handler: @escaping @Sendable (TestRequest) async throws -> TestServerResponse,
    run body: (_ url: String, _ upstream: TestServer) async throws -> Void
) async throws {
    try await withTestServer(handler: handler) { upstream in
        try await withGateway(to: upstream.port) { try await body($0, upstream) }
    }
}

/// Runs a test against a gateway in front of a server that answers step by step.
private func withGateway(
    handler: @escaping @Sendable (TestRequest, TestResponder) async throws -> Void,
    run body: (_ url: String, _ upstream: TestServer) async throws -> Void
) async throws {
    try await withTestServer(handler: handler) { upstream in
        try await withGateway(to: upstream.port) { try await body($0, upstream) }
    }
}

/// Runs a test against a gateway in front of a port.
private func withGateway(to upstream: Int, _ body: (String) async throws -> Void) async throws {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let gateway = Gateway(to: "http://127.0.0.1:\(upstream)")
        .application(address: .hostname("127.0.0.1", port: 0)) { port.yield($0) }
    let server = Task {
        defer { port.finish() }
        try await gateway.run()
    }
    defer { server.cancel() }
    let first = await ports.first { _ in true }
    try await body("http://127.0.0.1:\(try #require(first))")
}

/// Waits until a number has grown and then stayed the same for a second.
private func settled(_ value: () -> Int) async throws -> Int {
    var last = 0
    var quiet = 0
    while quiet < 10 {
        try await Task.sleep(for: .milliseconds(100))
        let now = value()
        quiet = now > 0 && now == last ? quiet + 1 : 0
        last = now
    }
    return last
}
