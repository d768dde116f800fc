import SockeyeNet
import SockeyeTesting
import Testing

@Suite("Request bodies that a test server receives", .timeLimit(.minutes(1)))
struct RequestBodyTests {
    private static let head = "POST / HTTP/1.1\r\nHost: x\r\n"

    @Test("a large upload is read in pieces, and every byte is counted", arguments: [true, false])
    func largeUpload(chunked: Bool) async throws {
        let length = 8 << 20
        try await withTestServer { request in
            var received = 0
            for try await piece in request.body {
                guard TestPattern.matches(piece, at: received) else { return .status(422) }
                received += piece.count
            }
            return .ok("\(received)")
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(
                Self.head + (chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(length)\r\n\r\n"))
            var sent = 0
            while sent < length {
                let piece = TestPattern.bytes(at: sent, upTo: min(100_003, length - sent))
                if chunked { try await client.send(String(piece.count, radix: 16) + "\r\n") }
                try await client.connection.write(piece)
                if chunked { try await client.send("\r\n") }
                sent += piece.count
            }
            if chunked { try await client.send("0\r\n\r\n") }
            #expect(try await client.response().body == "\(length)")
        }
    }

    @Test("a client that expects 100 gets it once, when the handler reads the body")
    func expectContinue() async throws {
        let mayRead = TestSignal()
        try await withTestServer { request in
            try await mayRead.wait()
            return .ok(try await request.text())
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            try await server.wait { $0.requests == 1 }
            mayRead.fire()
            #expect(try await client.response().head == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("body")
            let response = try await client.response()
            #expect(response.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(response.body == "body")
            #expect(!response.head.contains("Connection"))
        }
    }

    @Test("the connection closes if the handler refuses a request that expects 100")
    func refusedExpectation() async throws {
        try await withTestServer { _ in
            .status(417)
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.response().head.contains("Connection: close"))
            #expect(try await client.rest() == "")
        }
    }

    @Test("a body that is read after the final head has begun causes no 100 within the response")
    func lateRead() async throws {
        try await withTestServer { request, responder in
            try await responder.sendHead(length: 4)
            try await responder.write(try await request.body.collect())
            try await responder.finish()
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")
            let response = try await client.response()
            #expect(response.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(response.body == "body")
            #expect(try await client.rest() == "")
        }
    }

    @Test("the server does not answer 100 if the option answersExpectContinue is false")
    func silentExpectation() async throws {
        let options = TestServerOptions(answersExpectContinue: false)
        try await withTestServer(options: options) { request in
            .ok(try await request.text())
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")
            let response = try await client.response()
            #expect(response.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(response.body == "body")
        }
    }

    @Test("the connection stays open if a handler leaves a small body unread")
    func unreadBody() async throws {
        try await withTestServer { request in
            .ok("\(request.number)")
        } run: { server in
            let client = try await RawClient(server.address)
            for number in 0..<3 {
                try await client.send(Self.head + "Content-Length: 5\r\n\r\n12345")
                #expect(try await client.response().body == "\(number)")
            }
        }
    }

    @Test("the server answers while the upload continues, in both directions at once")
    func fullDuplex() async throws {
        try await withTestServer { request, responder in
            try await responder.sendHead()
            for try await piece in request.body { try await responder.write(piece) }
            try await responder.finish()
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 6\r\n\r\n")
            _ = try await client.connection.read(through: "\r\n\r\n")
            for text in ["ab", "cd", "ef"] {
                try await client.send(text)
                #expect(try await client.connection.read(exactly: 7) == Bytes("2\r\n\(text)\r\n"))
            }
            #expect(try await client.connection.read(exactly: 5) == Bytes("0\r\n\r\n"))
        }
    }

    @Test("an upload meets backpressure while the handler does not read")
    func backpressure() async throws {
        let mayRead = TestSignal()
        try await withTestServer { request in
            try await mayRead.wait()
            return .ok("\(try await request.body.discard())")
        } run: { server in
            let client = try await RawClient(server.address)
            let length = 32 << 20
            try await client.send(Self.head + "Content-Length: \(length)\r\n\r\n")
            let upload = Task {
                var sent = 0
                while sent < length {
                    let piece = TestPattern.bytes(at: sent, upTo: length - sent)
                    try await client.connection.write(piece)
                    sent += piece.count
                }
                return mayRead.isFired
            }
            try await server.wait { $0.requests == 1 }
            mayRead.fire()
            #expect(try await upload.value)
            #expect(try await client.response().body == "\(length)")
        }
    }

    @Test("collecting a body fails beyond the limit")
    func limit() async throws {
        let server = try await TestServer.start { request in
            .bytes(try await request.body.collect(upTo: 4))
        }
        let client = try await RawClient(server.address)
        try await client.send(Self.head + "Content-Length: 4\r\n\r\n1234")
        #expect(try await client.response().body == "1234")
        try await client.send(Self.head + "Content-Length: 5\r\n\r\n12345")
        #expect(try await client.response().head.hasPrefix("HTTP/1.1 500"))
        #expect((server.takeFailures().first?.error as? TestServerError)?.code == .bodyTooLarge)
        try server.checkForFailures()
    }

    @Test("a JSON body is decoded")
    func json() async throws {
        struct Item: Codable { var id: Int }
        try await withTestServer { request in
            .json(Item(id: try await request.json(Item.self).id + 1))
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 8\r\n\r\n{\"id\":1}")
            #expect(try await client.response().body == "{\"id\":2}")
        }
    }

    @Test("reading a body from two tasks at once is refused")
    func concurrentReads() async throws {
        let refused = TestSignal()
        try await withTestServer { request in
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            try await request.body.discard()
                        } catch let error as TestServerError {
                            #expect(error.code == .misuse)
                            refused.fire()
                        }
                    }
                }
                try await group.waitForAll()
            }
            return .ok("done")
        } run: { server in
            let client = try await RawClient(server.address)
            try await client.send(Self.head + "Content-Length: 1\r\n\r\n")
            try await refused.wait()
            try await client.send("x")
            #expect(try await client.response().body == "done")
        }
    }
}
