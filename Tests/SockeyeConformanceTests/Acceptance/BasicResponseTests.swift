import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Received responses: fields, statuses, interim responses, unsolicited responses, limits.
@Suite struct BasicResponseTests {
    private let client = HTTPClient()

    @Test("basic-22: fields are read back with any letter case; several of one name", .timeLimit(.minutes(1)))
    func fields() async throws {
        let server = try await RawServer.start(script: [
            .readRequest,
            .send("HTTP/1.1 200 OK\r\nX-One: 1\r\nOther: o\r\nx-ONE: 2\r\nX-One: 3\r\nContent-Length: 0\r\n\r\n"),
        ])
        let response = try await client.get(server.url())
        let name: Headers.Name = "x-oNE"
        #expect(response.headers[values: name] == ["1", "2", "3"])
        #expect(response["X-ONE"] == "1")
        #expect(response.headers.map(\.value) == ["1", "o", "2", "3", "0"])
    }

    @Test("a Content-Type parameter with bytes beyond ASCII is not lost", .timeLimit(.minutes(1)))
    func latin1Parameter() async throws {
        let field = Bytes(Array("Content-Type: text/plain;x=".utf8) + [0xE9] + Array(";charset=gbk\r\n".utf8))
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.1 200 OK\r\n"), .send(field), .send("Content-Length: 0\r\n\r\n"),
        ])
        let type = try await client.get(server.url()).contentType
        #expect(type?["x"] == "\u{E9}")
        #expect(type?.charset == "gbk")
    }

    @Test(
        "basic-24: 200, 201, 204, 205, 299, 304, 400, 404, 500, 599", .timeLimit(.minutes(1)),
        arguments: [200, 201, 204, 205, 299, 304, 400, 404, 500, 599])
    func statuses(code: Int) async throws {
        try await withTestServer { _ in
            .status(code)
        } run: { server in
            let response = try await client.get(server.url())
            #expect(response.status.code == code)
            let error = await failure { try await client.get(server.url()).validated() as IncomingResponse }
            #expect((error as? SockeyeError)?.code == ((200..<300).contains(code) ? nil : .unacceptableStatus))
            #expect((error as? SockeyeError)?.response?.status.code == ((200..<300).contains(code) ? nil : code))
        }
    }

    @Test("basic-26: 100 Continue, 102, 103 before the final answer", .timeLimit(.minutes(1)))
    func interim() async throws {
        let server = try await RawServer.start(script: [
            .readRequest,
            .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"),
            .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfinal"),
        ])
        let seen = Mutex<[Int]>([])
        var options = OutgoingRequest.Options()
        options.onInterim = { interim in seen.withLock { $0.append(interim.status.code) } }
        let response = try await client.get(server.url(), options: options)
        #expect(response.status == .ok)
        #expect(try await response.text() == "final")
        // A 100 means nothing to a client that did not ask for it (RFC 9110 15.2.1).
        #expect(seen.withLock { $0 }.suffix(2) == [102, 103])
    }

    @Test(
        """
        basic-28: a second response line before the first request is answered, or bytes on an idle connection
        """, .timeLimit(.minutes(1)), arguments: [true, false])
    func unaskedBytes(atOnce: Bool) async throws {
        let (mayStray, hasStrayed) = (TestSignal(), TestSignal())
        let stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
        let quiet: [RawStep] = [.send(first), .waitUntil(mayStray), .send(stray)]
        let server = try await RawServer.start(scripts: [
            [.readRequest] + (atOnce ? [.send(first + stray)] : quiet) + [.fire(hasStrayed), .readToEnd],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown"), .readToEnd],
        ])
        #expect(try await client.get(server.url()).text() == "first")
        mayStray.fire()
        try await hasStrayed.wait()
        #expect(try await client.get(server.url()).text() == "own")
        try await server.wait { $0.connections == 2 && $0.openConnections == 1 }
    }

    @Test("basic-28: a response before any request", .timeLimit(.minutes(1)))
    func answerBeforeTheQuestion() async throws {
        let greeted = TestSignal()
        let server = try await RawServer.start(scripts: [
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"), .fire(greeted), .readToEnd],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown"), .readToEnd],
        ])
        try await client.pool?.prewarm(server.url(), as: client)
        try await greeted.wait()
        await eventually("an idle connection") { client.pool?.statistics.idle == 1 }
        #expect(try await client.get(server.url()).text() == "own")
    }

    @Test("basic-29: HTTP/1.0 response without length", .timeLimit(.minutes(1)))
    func untilClose() async throws {
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.0 200 OK\r\n\r\nuntil "), .send("close"),
        ])
        for _ in 0..<2 {
            let response = try await client.get(server.url())
            #expect(response.minorVersion == 0)
            #expect(try await response.text() == "until close")
        }
        #expect(server.connectionCount == 2)
    }

    @Test("basic-30: 100 fields; one field of 100 kB; 100 000 fields; a head that never ends", .timeLimit(.minutes(1)))
    func limits() async throws {
        func start(_ steps: [RawStep]) async throws -> RawServer {
            try await RawServer.start(
                script: [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")] + steps)
        }
        let some = try await start([.send((0..<99).map { "X-\($0): v\r\n" }.joined() + "\r\n")])
        #expect(try await client.get(some.url()).headers.count == 100)
        for steps: [RawStep] in [
            [.send("X: " + String(repeating: "v", count: 100_000) + "\r\n\r\n")],
            [.send(String(repeating: "X: v\r\n", count: 100_000) + "\r\n")],
            [.loop([.send(String(repeating: "X: v\r\n", count: 100))])],
            [.loop([.send(String(repeating: "v", count: 1000))])],
        ] {
            let server = try await start(steps)
            let error = await failure { try await client.get(server.url()) } as? SockeyeError
            #expect(error?.code == .limitExceeded)
            #expect(["headBytes", "fieldCount"].contains(error?.limit?.name))
            // The client reads no more than the limit: it closes the connection, which ends an endless head.
            try await server.wait { $0.openConnections == 0 }
        }
    }
}
