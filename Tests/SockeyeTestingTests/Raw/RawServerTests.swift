import SockeyeNet
import SockeyePlatform
import Testing

@testable import SockeyeTesting

@Suite("Raw server", .timeLimit(.minutes(1)))
struct RawServerTests {
    @Test("the server reads a head, sends exactly the script's bytes and ends properly")
    func script() async throws {
        let server = try await RawServer.start(script: [.readRequestHead, .send("HTTP/9 nonsense\n")])
        let client = try await RawClient(server.address)
        try await client.send("GET / HTTP/1.1\r\n\r\nmore")
        #expect(try await client.rest() == "HTTP/9 nonsense\n")
        client.connection.close()
        #expect(try await server.waitForEnd() == Bytes("GET / HTTP/1.1\r\n\r\nmore"))
        #expect(server.activity.finishedScripts == 1)
    }

    @Test("the server sends slowly, byte by byte, and pauses")
    func slowly() async throws {
        let server = try await RawServer.start(script: [
            .sendSlowly("abc", pause: .milliseconds(1)), .pause(.milliseconds(1)), .sendSlowly("defg", chunk: 3),
            .close,
        ])
        #expect(try await RawClient(server.address).rest() == "abcdefg")
    }

    @Test("the script waits for the test and signals its progress")
    func signals() async throws {
        let go = TestSignal()
        let reached = TestSignal()
        let server = try await RawServer.start(script: [.fire(reached), .waitUntil(go), .send("x"), .close])
        let client = try await RawClient(server.address)
        try await reached.wait()
        go.fire()
        #expect(try await client.rest() == "x")
    }

    @Test("each connection follows the next script")
    func scripts() async throws {
        let server = try await RawServer.start(scripts: [[.send("1"), .close], [.send("2"), .close]])
        for expected in ["1", "2", "2"] {
            #expect(try await RawClient(server.address).rest() == expected)
        }
        try await server.waitForConnections(3)
        #expect(server.connectionCount == 3)
    }

    @Test("the server repeatedly reads whole requests in both framings")
    func requests() async throws {
        let server = try await RawServer.start(script: [.loop([.readRequest, .send("ok")])])
        let client = try await RawClient(server.address)
        let head = "POST / HTTP/1.1\r\nHost: x\r\n"
        for request in [
            "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", "\r\n",
        ] {
            try await client.send(head + request)
            #expect(try await client.connection.read(exactly: 2) == Bytes("ok"))
        }
        client.connection.close()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test("the server reads a number of bytes and lets the test wait for them")
    func bytes() async throws {
        let server = try await RawServer.start(script: [.readBytes(4), .send("done"), .hang])
        let client = try await RawClient(server.address)
        try await client.send("ab")
        #expect(try await server.waitForBytes(2) == Bytes("ab"))
        try await client.send("cd")
        #expect(try await client.connection.read(exactly: 4) == Bytes("done"))
        #expect(server.receivedText() == "abcd")
        #expect(server.received(7) == Bytes())
        await server.stop()
        #expect(try await client.connection.read() == nil)
    }

    @Test("the server resets connections")
    func reset() async throws {
        let server = try await RawServer.start(script: [.readBytes(1), .reset])
        let client = try await RawClient(server.address)
        try await client.send("x")
        let error = await #expect(throws: TestServerError.self) { try await client.connection.read() }
        #expect(error?.code == .disconnected)
    }

    @Test("the server ends its direction and continues to read")
    func halfClose() async throws {
        let server = try await RawServer.start(script: [.send("bye"), .closeWrite, .readToEnd])
        let client = try await RawClient(server.address)
        #expect(try await client.rest() == "bye")
        try await client.send("last words")
        try await client.connection.closeWrite()
        #expect(try await server.waitForEnd() == Bytes("last words"))
    }

    @Test("a script runs any other step on the connection")
    func custom() async throws {
        let server = try await RawServer.start { index in
            [.run { connection in try await connection.write("\(connection.index) \(index)") }]
        }
        #expect(try await RawClient(server.address).rest() == "0 0")
    }

    @Test("a loop without steps does nothing")
    func emptyLoop() async throws {
        let server = try await RawServer.start(script: [.loop([]), .send("x"), .close])
        #expect(try await RawClient(server.address).rest() == "x")
    }

    @Test("a read of at most 0 bytes takes no byte")
    func emptyRead() async throws {
        let server = try await RawServer.start(script: [.send("ab")])
        let client = try await RawClient(server.address)
        #expect(try await client.connection.read(upTo: 0) == Bytes())
        #expect(try await client.rest() == "ab")
    }

    @Test("a delimiter is found only within the limit, and an empty one before the first byte")
    func delimiters() async throws {
        let server = try await RawServer.start(script: [.send("abc\nd")])
        let client = try await RawClient(server.address)
        let error = await #expect(throws: TestServerError.self) {
            try await client.connection.read(through: "\n", upTo: 3)
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(try await client.connection.read(through: "") == Bytes())
        #expect(try await client.connection.read(through: "\n", upTo: 4) == Bytes("abc\n"))
        #expect(try await client.rest() == "d")
    }

    @Test("a wait ends after its timeout")
    func timeout() async throws {
        let server = try await RawServer.start(script: [])
        let error = await #expect(throws: TestServerError.self) {
            try await server.waitForConnections(1, timeout: .milliseconds(1))
        }
        #expect(error?.code == .timedOut)
    }

    @Test("a black hole never accepts a connection")
    func blackHole() async throws {
        let server = try await BlackholeServer.start()
        let poller = try EventPoller.shared()
        let deadline = poller.time.now.advanced(by: .milliseconds(100))
        await #expect(throws: TransportError.timedOut) {
            _ = try await SocketStream.connect(to: server.address, poller: poller, until: deadline)
        }
    }

    @Test("a port whose backlog is not full after many connections is no black hole")
    func largeBacklog() async throws {
        let error = await #expect(throws: TestServerError.self) { try await BlackholeServer.start(backlog: 1024) }
        #expect(error?.code == .cannotStart)
        #expect(error?.message.contains("completed 64 connections") == true)
    }

    @Test("a closed port refuses connections")
    func closedPort() async throws {
        let port = try ClosedPort()
        #expect(port.url("/x") == "http://127.0.0.1:\(port.port)/x")
        await #expect(throws: TransportError.system(call: .connect, error: .connectionRefused)) {
            try await RawClient(port.address)
        }
    }
}
