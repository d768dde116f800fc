import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Interceptors that read and replace bodies", .timeLimit(.minutes(1)))
struct ContentTests {
    /// Reverses the body of the request and of the response.
    private struct Reversing: Interceptor {
        var limit = 1 << 20

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            var request = request
            let content = try await request.collectBody(upTo: limit)
            request.body = .bytes(content.reversed())
            let response = try await call.proceed(request)
            return response.replacingBody(Bytes(try await response.bytes(upTo: limit).reversed()))
        }
    }

    /// Records both bodies and leaves them unchanged.
    private struct Reading: Interceptor {
        let seen = Recorder<String>()

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            var request = request
            seen.append(String(decoding: try await request.collectBody(), as: UTF8.self))
            var response = try await call.proceed(request)
            seen.append(String(decoding: try await response.collectBody(), as: UTF8.self))
            return response
        }
    }

    private static let url = "http://a.example/"

    /// Bodies of every kind with the content `1234`.
    private static func contents(_ folder: TemporaryFolder) throws -> [OutgoingRequest.Body] {
        try folder.write("1234", to: "file")
        return [
            .string("1234"), try .file(folder("file")), .stream(Elements(["12", "34"].map { Array($0.utf8) })),
            .stream(length: 4, makingEach: { Elements([Array("1234".utf8)]) }),
            .writer { body in
                try await body.write("123")
                try await body.write("4")
            },
        ]
    }

    @Test("an interceptor reads bodies of every kind, and its replacements arrive")
    func replacing() async throws {
        let folder = try TemporaryFolder()
        try await withTestServer { request in
            let body = try await request.body.collect()
            let pieces = AsyncStream<Bytes> { continuation in
                for byte in body { continuation.yield(Bytes([byte])) }
                continuation.yield(Bytes("!"))
                continuation.finish()
            }
            return .stream(pieces)
        } run: { server in
            let client = HTTPClient().adding(Reversing())
            for body in try Self.contents(folder) {
                let response = try await client.put(server.url(), .body(body))
                #expect(response.headers[.contentLength] == "5" && response.body.expectedLength == 5)
                #expect(response[.transferEncoding] == nil)
                let text = try await response.text()
                #expect(text == "!1234")
            }
            let text = try await client.get(server.url()).text()
            #expect(text == "!")
        }
    }

    @Test("a request whose body was read or replaced can be sent again", arguments: [true, false])
    func retries(isReplaced: Bool) async throws {
        let reading = Reading()
        let interceptor: any Interceptor = isReplaced ? Reversing() : reading
        let folder = try TemporaryFolder()
        for body in try Self.contents(folder) {
            let mock = MockTransport()
            mock.enqueue(.status(503), .redirect(to: "/next", status: 307), .ok("ok"))
            let client = HTTPClient(transport: mock).adding(.retry(.plain())).adding(interceptor)
            let text = try await client.put(Self.url, .body(body)).text()
            #expect(text == (isReplaced ? "ko" : "ok"))
            let sent = mock.requests.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(sent == Array(repeating: isReplaced ? "4321" : "1234", count: 3))
        }
        #expect(reading.seen.values == (isReplaced ? [] : Array(repeating: ["1234", "ok"], count: 5).flatMap { $0 }))
    }

    @Test("an interceptor accepts a request's body only up to its limit", arguments: [3, 4])
    func limitsOfRequests(limit: Int) async throws {
        let folder = try TemporaryFolder()
        for body in try Self.contents(folder) {
            let mock = MockTransport { _ in .ok() }
            let client = HTTPClient(transport: mock).adding(Reversing(limit: limit))
            guard limit == 3 else {
                _ = try await client.put(Self.url, .body(body))
                continue
            }
            let error = await #expect(throws: SockeyeError.self) { try await client.put(Self.url, .body(body)) }
            #expect(error?.code == .limitExceeded && error?.phase == .prepare, "\(String(describing: error))")
            #expect(error?.limit?.description == "limit collectBody(upTo:): 3 bytes, seen 4 bytes")
            #expect(error?.url == Self.url && mock.requests.isEmpty)
        }
    }

    @Test("an interceptor accepts a response's body only up to its limit")
    func limitsOfResponses() async throws {
        let client = HTTPClient(transport: MockTransport { _ in .ok("12345") }).adding(Reversing(limit: 4))
        let error = await #expect(throws: SockeyeError.self) { try await client.get(Self.url) }
        #expect(error?.code == .limitExceeded && error?.response?.status == .ok)
    }

    @Test("an interceptor that reads a one-shot stream uses it up")
    func oneShot() async throws {
        let body = OutgoingRequest.Body.stream(Elements([[1, 2] as [UInt8]]))
        let client = HTTPClient(transport: MockTransport { _ in .ok() }).adding(Reversing())
        _ = try await client.put(Self.url, .body(body))
        let error = await #expect(throws: SockeyeError.self) { try await client.put(Self.url, .body(body)) }
        #expect(error?.code == .bodyConsumed)
    }

    @Test("an interceptor gets the error of a body that fails or has another length than declared")
    func failures() async throws {
        struct Broken: Error {}
        let client = HTTPClient(transport: MockTransport { _ in .ok() }).adding(Reversing(limit: 10))
        let failing = OutgoingRequest.Body.writer { _ in throw Broken() }
        let error = await #expect(throws: SockeyeError.self) { try await client.put(Self.url, .body(failing)) }
        #expect(error?.code == .bodyFailed && error?.underlying is Broken)
        let short = OutgoingRequest.Body.writer(length: 3) { try await $0.write("12") }
        let mismatch = await #expect(throws: SockeyeError.self) { try await client.put(Self.url, .body(short)) }
        #expect(mismatch?.code == .bodyLengthMismatch)
        // This writer replaces the error of its write with another one.
        let hiding = OutgoingRequest.Body.writer { body in
            do { try await body.write("12345678901") } catch { throw Broken() }
        }
        let limited = await #expect(throws: SockeyeError.self) { try await client.put(Self.url, .body(hiding)) }
        #expect(limited?.code == .limitExceeded)
    }

    @Test("reading a request's body keeps its trailers")
    func trailers() async throws {
        try await withTestServer { request in
            let body = try await request.body.collect()
            return .ok("\(String(decoding: body, as: UTF8.self)) \(request.trailers["X-Sum"] ?? "-")")
        } run: { server in
            let body = OutgoingRequest.Body.stream(Elements([Array("1234".utf8)])).trailers { ["X-Sum": "10"] }
            let reading = Reading()
            let text = try await HTTPClient().adding(reading).put(server.url(), .body(body)).text()
            #expect(text == "1234 10" && reading.seen.values.first == "1234")
        }
    }

    @Test("replacing a response's body keeps the rest of the response")
    func responses() async throws {
        let mock = MockTransport()
        mock.enqueue(
            .redirect(to: "/next"),
            .text("12345", status: 201, headers: ["X-A": "b", "Repr-Digest": "sha-256=:AAAA:", "Set-Cookie": "a=b"]))
        let jar = CookiePolicy.Jar()
        let client = HTTPClient(transport: mock).adding(.cookies(jar)).adding(Reversing())
        let response = try await client.get(Self.url)
        #expect(response.status == .created && response.url.path == "/next")
        #expect(response["X-A"] == "b" && response["Repr-Digest"] == nil && response[.contentLength] == "5")
        #expect(response.history.map(\.reason) == [.redirected])
        #expect(try await response.text() == "54321")
    }

    @Test("after an interceptor has read a body, the caller still gets the response's fields, trailers and body")
    func reading() async throws {
        let head = "HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nX-Raw: \u{e9}\r\n\r\n"
        let server = try await RawServer.start(
            script: [.readRequest, .send(head), .send("3\r\nabc\r\n0\r\nX-T: t\r\n\r\n")])
        let reading = Reading()
        let response = try await HTTPClient().adding(reading).get(server.url())
        #expect(response.reason == "Fine" && response[.transferEncoding] == "chunked" && response["X-Raw"] == "\u{e9}")
        #expect(response.trailers?[values: "X-T"] == ["t"])
        let text = try await response.text()
        #expect(text == "abc" && reading.seen.values == ["", "abc"])
        await server.stop()
    }

    @Test("replacing an unread body releases its connection")
    func unread() async throws {
        struct Blanking: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                try await call.proceed(request).replacingBody(Bytes())
            }
        }
        try await withTestServer { _ in
            .bytes(Bytes([UInt8](repeating: 7, count: 4 << 20)))
        } run: { server in
            let client = HTTPClient().adding(Blanking())
            let response = try await client.get(server.url())
            let isEmpty = try await response.bytes().isEmpty
            #expect(isEmpty)
            await eventually("the connection is free") { client.pool?.statistics.leased == 0 }
            await server.stop()
            _ = server.takeFailures()
        }
    }
}
