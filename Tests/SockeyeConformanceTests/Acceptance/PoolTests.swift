import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The choice of a request's connection.
@Suite struct PoolTests {
    private let client = HTTPClient()

    @Test("pool-01: sequential requests", .timeLimit(.minutes(1)))
    func sequential() async throws {
        try await withEchoServer { server, log in
            for _ in 0..<50 { _ = try await client.get(server.url()).bytes() }
            #expect(server.activity.connections == 1)
            #expect(log.all.count == 50)
        }
    }

    @Test("pool-04: request carries Connection: close", .timeLimit(.minutes(1)), arguments: [true, false])
    func close(byOption: Bool) async throws {
        // The server would keep the connection open, so the client closes it.
        let answer: [RawStep] = [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd]
        let server = try await RawServer.start(script: answer)
        var options = OutgoingRequest.Options()
        options.closesConnection = byOption
        let headers: Headers = byOption ? [:] : [.connection: "close"]
        for count in 1...2 {
            #expect(try await client.get(server.url(), headers: headers, options: options).text() == "ok")
            try await server.wait { $0.connections == count && $0.openConnections == 0 }
        }
        #expect(server.receivedText(0).lowercased().contains("\r\nconnection: close\r\n"))
    }

    @Test(
        "pool-06: server closes after reading the request without an answer: GET, then POST", .timeLimit(.minutes(1)))
    func closesWithoutAnswer() async throws {
        let answer: RawStep = .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let closing: [RawStep] = [.readRequest, answer, .readRequest, .close]
        // The server closes a reused connection after the GET. The client repeats the GET once, on a new connection.
        let first = try await RawServer.start(scripts: [closing, [.readRequest, answer, .readToEnd]])
        #expect(try await client.get(first.url()).text() == "ok")
        #expect(try await client.get(first.url()).text() == "ok")
        #expect(first.connectionCount == 2)
        // The POST is not repeated, because the client cannot know if the server has processed it.
        let second = try await RawServer.start(scripts: [closing, [.readRequest, answer, .readToEnd]])
        #expect(try await client.post(second.url(), .body("first")).text() == "ok")
        let error = await failure { try await client.post(second.url(), .body("second")) } as? SockeyeError
        #expect(error?.code == .connectionClosed)
        #expect(second.connectionCount == 1)
        // On a fresh connection neither request is repeated.
        let third = try await RawServer.start(script: [.readRequest, .close])
        #expect(await failure { try await client.get(third.url()) } != nil)
        #expect(await failure { try await client.post(third.url(), .body("third")) } != nil)
        #expect(third.connectionCount == 2)
    }

    @Test("pool-10: HEAD, 204, 304, empty chunked body, small unread bodies", .timeLimit(.minutes(1)))
    func reuse() async throws {
        try await withTestServer { request, responder in
            switch request.path {
            case "/204": try await responder.send(.status(204))
            case "/304": try await responder.send(.status(304, headers: [.contentLength: "1000"]))
            case "/chunked":
                try await responder.sendHead()
                try await responder.finish()
            default: try await responder.send(.ok("a small body"))
            }
        } run: { server in
            _ = try await client.head(server.url("/head"))
            for path in ["/204", "/304", "/chunked", "/unread", "/unread", "/last"] {
                // The client drains the rest of an unread body in the background.
                await eventually("an idle connection before \(path)") { client.pool?.statistics.idle == 1 }
                _ = try await client.get(server.url(path))
            }
            #expect(server.activity.connections == 1)
            #expect(server.activity.requests == 7)
        }
    }

    @Test("pool-11: response with surplus bytes after its end", .timeLimit(.minutes(1)))
    func surplus() async throws {
        let server = try await RawServer.start(scripts: [
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst, and more"), .readToEnd],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond"), .readToEnd],
        ])
        #expect(try await client.get(server.url()).text() == "first")
        #expect(try await client.get(server.url()).text() == "second")
        try await server.wait { $0.connections == 2 && $0.openConnections == 1 }
    }

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("pool-13: 10 000 requests on 4 tasks", .timeLimit(.minutes(1)))
    func many() async {
        // In a process of its own, where no other code opens descriptors or uses memory.
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(ManyRequests.run)
        }
    }
    #endif

    @Test("pool-14: Unix-domain socket server", .timeLimit(.minutes(1)))
    func unixSockets() async throws {
        let servers = [
            try await TestServer.start(on: .temporaryUnixSocket) { .ok("0 \($0["Host"] ?? "-")") },
            try await TestServer.start(on: .temporaryUnixSocket) { .ok("1 \($0["Host"] ?? "-")") },
        ]
        for index in [0, 1, 0, 1] {
            let path = String(servers[index].address.description.dropFirst("unix:".count))
            var options = OutgoingRequest.Options()
            options.unixSocketPath = path
            #expect(try await client.get("http://api.example/x", options: options).text() == "\(index) api.example")
            #expect(
                try await client.scoped(unixSocketPath: path).get("http://localhost/").text() == "\(index) localhost")
        }
        for server in servers {
            #expect(server.activity.requests == 4)
            // One connection for each authority: the path of the socket is the same, but the origin is not.
            #expect(server.activity.connections == 2)
        }
    }
}
