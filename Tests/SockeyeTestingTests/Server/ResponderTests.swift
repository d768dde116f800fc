import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeTesting

@Suite("The responder of a test server", .timeLimit(.minutes(1)))
struct ResponderTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("the responder sends interim responses before the final one")
    func interim() async throws {
        try await withTestServer { _, responder in
            try await responder.sendInterim(.init(code: 103, reasonPhrase: "Early Hints"), headers: [.link: "</a>"])
            try await responder.sendInterim(.init(code: 102))
            try await responder.send(.ok("x"))
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.get)
            #expect(try await client.response().head == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            #expect(try await client.response().head == "HTTP/1.1 102 \r\n\r\n")
            #expect(try await client.response().body == "x")
        }
    }

    @Test("the responder sends each piece immediately")
    func pieces() async throws {
        let seen = TestSignal()
        try await withTestServer { _, responder in
            try await responder.sendHead(length: 4)
            try await responder.write("ab")
            try await seen.wait()
            try await responder.write("cd")
            try await responder.finish()
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.get)
            _ = try await client.connection.read(through: "\r\n\r\n")
            #expect(try await client.connection.read(exactly: 2) == Bytes("ab"))
            seen.fire()
            #expect(try await client.connection.read(exactly: 2) == Bytes("cd"))
        }
    }

    @Test("the responder closes or resets the connection within a response", arguments: [false, true])
    func breakingOff(reset: Bool) async throws {
        try await withTestServer { _, responder in
            try await responder.sendHead(length: 10)
            if reset { responder.reset() } else { responder.close() }
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.get)
            if reset {
                await #expect(throws: TestServerError.self) { try await client.rest() }
            } else {
                #expect(try await client.rest().hasSuffix("Content-Length: 10\r\n\r\n"))
            }
        }
    }

    @Test("a read that is about to send 100 does not send it after the final head")
    func lateContinue() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        try await withTestServer { request, responder in
            let poller = try EventPoller()
            let isWriting = TestSignal()
            // This task holds the writer's lock until the handler reads, and begins the final response before the
            // handler can write. It has a thread of its own, because it blocks.
            let writing = Task(executorPreference: poller) {
                try await responder.connection.writer.send { buffer in
                    isWriting.fire()
                    while !responder.content.isReading {}
                    responder.content.finalHeadBegins()
                    buffer.append(contentsOf: head.utf8)
                }
            }
            try await isWriting.wait()
            #expect(try await request.body.collect() == Bytes("body"))
            try await writing.value
            withExtendedLifetime(poller) {}
            responder.close()
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")
            #expect(try await client.rest() == head)
        }
    }

    @Test("the responder hands the connection over after an upgrade")
    func upgrade() async throws {
        try await withTestServer { _, responder in
            let connection = try await responder.upgrade(to: "echo")
            while let bytes = try await connection.read() { try await connection.write(bytes) }
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nearly")
            let head = try await client.response().head
            #expect(head == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
            #expect(try await client.connection.read(exactly: 5) == Bytes("early"))
            try await client.send("late")
            #expect(try await client.connection.read(exactly: 4) == Bytes("late"))
            try await client.connection.closeWrite()
            #expect(try await client.rest() == "")
        }
    }

    @Test("the responder answers CONNECT with a tunnel")
    func tunnel() async throws {
        try await withTestServer { request, responder in
            #expect(request.target == "example.com:443")
            let connection = try await responder.tunnel()
            try await connection.write("inside")
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n")
            #expect(try await client.rest() == "HTTP/1.1 200 OK\r\n\r\ninside")
        }
    }

    @Test("the responder detects that the client went away")
    func disconnect() async throws {
        let noticed = TestSignal()
        try await withTestServer { _, responder in
            try await responder.waitForDisconnect()
            noticed.fire()
            responder.close()
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.get)
            try await server.wait { $0.requests == 1 }
            client.connection.close()
            try await noticed.wait()
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("a handler that calls the responder in an invalid order, or not at all, fails", arguments: 0..<6)
    func misuse(_ kind: Int) async throws {
        let server = try await TestServer.start { _, responder in
            switch kind {
            case 0: break
            case 1: try await responder.write("x")
            case 2: try await responder.finish()
            case 3:
                try await responder.send(.ok())
                try await responder.send(.ok())
            case 4:
                try await responder.sendHead(length: 1)
                try await responder.write("xy")
            default:
                try await responder.sendHead(length: 2)
                try await responder.write("x")
                try await responder.finish()
            }
        }
        let client = try await RawClient(server.address)
        try await client.send(Self.get)
        _ = try? await client.rest()
        #expect((server.failures.first?.error as? TestServerError)?.code == .misuse)
    }

    @Test("errors of handlers are collected and thrown at the end of the test")
    func failures() async throws {
        struct Oops: Error {}
        let failures = await #expect(throws: TestServerFailures.self) {
            try await withTestServer { _ -> TestServerResponse in
                throw Oops()
            } run: { server in
                let response = try await RawClient(server.address).get("/boom")
                #expect(response.head.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
            }
        }
        #expect(failures?.failures.count == 1)
        #expect(failures?.failures.first?.error is Oops)
        #expect("\(try #require(failures))".contains("GET /boom on connection 0"))
    }

    @Test("if the handler and the test fail, both errors are reported")
    func bothFailures() async throws {
        struct Oops: Error {}
        struct Consequence: Error {}
        let failures = await #expect(throws: TestServerFailures.self) {
            try await withTestServer { _ -> TestServerResponse in
                throw Oops()
            } run: { server in
                _ = try await RawClient(server.address).get()
                throw Consequence()
            }
        }
        #expect(failures?.testError is Consequence)
    }

    @Test("a client that went away is not a handler's failure")
    func clientGone() async throws {
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n123")
            try await server.wait { $0.requests == 1 }
            client.connection.reset()
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(
        "while a task reads the body, the handler cannot wait for the disconnection, and may end the exchange",
        arguments: ["disconnection", "silence", "cut", "raw"])
    func secondReader(way: String) async throws {
        let server = try await TestServer.start { request, responder in
            Task { try? await request.body.discard() }
            await eventually("a reading task") { responder.connection.reader.isFilling }
            switch way {
            case "disconnection": try await responder.waitForDisconnect()
            case "silence": try await responder.send(.never)
            case "cut": try await responder.send(.ok("abc").cut(after: 1, by: .silence))
            default: try await responder.sendRaw("raw")
            }
        }
        let client = try await RawClient(server.address)
        try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
        #expect(try await client.connection.read() != nil)
        client.connection.close()
        try await server.wait { $0.openConnections == 0 }
        let code = (server.takeFailures().first?.error as? TestServerError)?.code
        #expect(code == (way == "raw" ? nil : .misuse))
    }
}
