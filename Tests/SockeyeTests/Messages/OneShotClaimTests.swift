import Sockeye
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// One-shot streams that are given to more than one request.
@Suite("Bodies that can be sent once", .timeLimit(.minutes(1))) struct OneShotClaimTests {
    private static func stream(_ text: String = "content") -> OutgoingRequest.Body {
        .stream(
            AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array(text.utf8))
                continuation.finish()
            })
    }

    private static func form(_ parts: OutgoingRequest.Body...) throws -> OutgoingRequest.Body {
        var form = MultipartForm()
        for (index, part) in parts.enumerated() { form.part("\(index)", part) }
        return try form.body()
    }

    /// Every way to wrap a body in another one.
    private static let wrappings: [@Sendable (OutgoingRequest.Body) throws -> OutgoingRequest.Body] = [
        { $0 }, { $0.throttled(bytesPerSecond: 1 << 20) }, { $0.trailers { [:] } }, { try form($0) },
        { try form("first", $0, "last") }, { try form(form($0), stream("other")) },
    ]

    @Test("a second request with the same one-shot body fails before anything is sent", arguments: 0..<6)
    func twice(index: Int) async throws {
        try await withTestServer { request in
            .ok("\(try await request.text().utf8.count)")
        } run: { server in
            let client = HTTPClient()
            let body = try Self.wrappings[index](Self.stream())
            #expect(!body.isReplayable)
            #expect(try await client.post(server.url(), .body(body)).text() != "0")
            let error = await #expect(throws: SockeyeError.self) { try await client.post(server.url(), .body(body)) }
            #expect(error?.code == .bodyConsumed && error?.blame == .caller && error?.phase == .prepare)
            #expect(error?.url == server.url() && error?.method == "POST")
            #expect(server.activity.requests == 1)
        }
    }

    @Test("a request with a one-shot body cannot be sent twice, compressed or not")
    func request() async throws {
        try await withTestServer { request in
            .ok("\(try await request.text().utf8.count)")
        } run: { server in
            for options in [OutgoingRequest.Options(), .compressing(.gzip)] {
                let request = try OutgoingRequest(
                    method: .put, url: server.url(), body: Self.stream(), options: options)
                let client = HTTPClient()
                _ = try await client.send(request).text()
                let error = await #expect(throws: SockeyeError.self) { try await client.send(request) }
                #expect(error?.code == .bodyConsumed)
            }
            #expect(server.activity.requests == 2)
        }
    }

    @Test("of many concurrent requests with the same one-shot body, only one is sent")
    func concurrently() async throws {
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            let body = Self.stream()
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do throws(SockeyeError) {
                            return try await HTTPClient.shared.post(server.url(), .body(body)).text()
                        } catch {
                            return error.code.description
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == ["content": 1, "bodyConsumed": 19])
            #expect(server.activity.requests == 1)
        }
    }

    @Test("a one-shot body cannot be two parts of a form")
    func parts() async throws {
        let body = Self.stream()
        let form = try Self.form(body, body)
        try await withTestServer { _ in
            .ok("")
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(server.url(), .body(form))
            }
            #expect(error?.code == .bodyConsumed && server.activity.requests == 0)
            // The failed request has released the claim on the body.
            let response = try await HTTPClient().post(server.url(), .body(body))
            #expect(response.status == .ok)
        }
    }

    @Test("a refused claim on several streams does not end the claims of other requests on some of them")
    func claimsOfOthers() throws {
        let (held, free) = (OneShotClaim(), OneShotClaim())
        try held.claim()
        for parts in [[free, held], [held, free], [free, held, held]] {
            #expect(throws: SockeyeError.self) { try OneShotClaim(of: parts).claim() }
            #expect(throws: SockeyeError.self) { try held.claim() }
            // The refused claim does not keep the other streams either.
            try free.claim()
            free.release()
        }
        let both = OneShotClaim(of: [free, held])
        #expect(throws: SockeyeError.self) { try both.claim() }
        held.release()
        try both.claim()
    }

    @Test("a form that fails in its first stream does not use up its other streams")
    func unreachedParts() async throws {
        struct Broken: Error {}
        try await withTestServer { request in
            .ok((try? await request.text()) ?? "")
        } run: { server in
            let (other, inner) = (Self.stream(), Self.stream())
            let form = try Self.form(.writer { _ in throw Broken() }, other, Self.form(inner, Self.stream("last")))
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(server.url(), .body(form))
            }
            #expect(error?.underlying is Broken)
            for body in [other, inner] {
                #expect(try await HTTPClient().post(server.url(), .body(body)).text() == "content")
            }
            let again = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(server.url(), .body(form))
            }
            #expect(again?.code == .bodyConsumed)
            _ = server.takeFailures()
        }
    }

    @Test("a form whose only one-shot part is a form of two one-shot streams is sent", arguments: 1...3)
    func nestedForms(depth: Int) async throws {
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            var body = try Self.form(Self.stream("one"), Self.stream("two"))
            for _ in 0..<depth { body = try Self.form("before", body, "after") }
            let text = try await HTTPClient().post(server.url(), .body(body)).text()
            #expect(text.contains("\r\n\r\none\r\n") && text.contains("\r\n\r\ntwo\r\n"))
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(server.url(), .body(body))
            }
            #expect(error?.code == .bodyConsumed && server.activity.requests == 1)
        }
    }

    @Test("a request that fails before reading a one-shot body does not use it up")
    func unread() async throws {
        let refusing = try await TestServer.start { _ in .ok("") }
        let closed = refusing.url()
        await refusing.stop()
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            let body = Self.stream()
            await #expect(throws: SockeyeError.self) { try await HTTPClient().post(closed, .body(body)) }
            await #expect(throws: SockeyeError.self) {
                try await HTTPClient().post(closed, .body(body), headers: ["a b": "c"])
            }
            let text = try await HTTPClient().post(server.url(), .body(body)).text()
            #expect(text == "content")
        }
    }

    @Test("a request refused while its head is being sent does not use up a one-shot body")
    func refusedBeforeContent() async throws {
        let isRefused = TestSignal()
        let server = try await RawServer.start(scripts: [
            [
                .readBytes(1),
                .send("HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\n\r\n"),
                // The head is larger than the buffers of the connection, so the client does not begin to read the
                // content.
                .run { _ in try await isRefused.wait() }, .reset,
            ],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd],
        ])
        let (client, body) = (HTTPClient(), Self.stream())
        let refused = try await client.post(
            server.url(), .body(body), headers: ["X-Long": String(repeating: "a", count: 16 << 20)])
        #expect(refused.status.code == 431)
        isRefused.fire()
        #expect(try await client.post(server.url(), .body(body)).text() == "ok")
        #expect(server.receivedText(1).contains("content"))
        await server.stop()
    }

    @Test("a one-shot body that was written to a file can be neither written nor sent again")
    func elsewhere() async throws {
        let folder = try TemporaryFolder()
        let body = Self.stream()
        // The content is not read if the file cannot be created.
        await #expect(throws: SockeyeError.self) { try await body.write(toFile: folder("missing/a")) }
        #expect(try await body.write(toFile: folder("a")) == 7)
        let error = await #expect(throws: SockeyeError.self) { try await body.write(toFile: folder("b")) }
        #expect(error?.code == .bodyConsumed)
        let client = HTTPClient(transport: MockTransport { .ok($0.text) })
        let second = await #expect(throws: SockeyeError.self) {
            try await client.post("http://a.example/", .body(body))
        }
        #expect(second?.code == .bodyConsumed)
    }

    @Test("a one-shot body of a request that waits for a connection cannot be written to a file")
    func waiting() async throws {
        let mayAnswer = TestSignal()
        let folder = try TemporaryFolder()
        try await withTestServer { request in
            if request.method == .get { try await mayAnswer.wait() }
            return .ok(try await request.text())
        } run: { server in
            let pool = ConnectionPool(configuration: PoolOptions(connectionsPerOrigin: 1))
            let client = HTTPClient(pool: pool)
            let body = Self.stream()
            async let held = client.get(server.url())
            try await server.wait { $0.requests == 1 }
            async let sent = client.post(server.url(), .body(body)).text()
            await eventually("a waiting request") { pool.statistics.waiting == 1 }
            let error = await #expect(throws: SockeyeError.self) { try await body.write(toFile: folder("a")) }
            #expect(error?.code == .bodyConsumed && folder.names.isEmpty)
            mayAnswer.fire()
            _ = try await held
            #expect(try await sent == "content")
        }
    }

    @Test("an interceptor cannot send a one-shot body twice")
    func interceptor() async throws {
        struct Twice: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                _ = try await call.proceed(request)
                return try await call.proceed(request)
            }
        }
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            let client = HTTPClient().adding(Twice())
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(server.url(), .body(Self.stream()))
            }
            #expect(error?.code == .bodyConsumed && server.activity.requests == 1)
        }
    }
}
