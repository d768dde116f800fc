import Foundation
import OpenAPIRuntime
import Sockeye
import SockeyeOpenAPI
import SockeyeTesting
import Synchronization
import Testing

@Suite("Transport of Swift OpenAPI Generator", .timeLimit(.minutes(1)))
struct SockeyeTransportTests {
    private struct Broken: Error {}

    private let transport = SockeyeTransport(client: HTTPClient())

    private func send(
        _ method: HTTPRequest.Method = .get, _ path: String? = "/", _ body: HTTPBody? = nil, fields: HTTPFields = [:],
        to url: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
        return try await transport.send(
            request, body: body, baseURL: try #require(URL(string: url)), operationID: "operation")
    }

    private func text(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test("a request and its response pass with content, repeated fields and lengths")
    func exchange() async throws {
        try await withTestServer { request in
            #expect(request.method == .post)
            #expect(request.target == "/v1/users?tag=a&tag=b")
            #expect(request.headers[values: "X-Tag"] == ["1", "2"])
            #expect(request["Content-Length"] == "7")
            return .text(
                try await request.text(), status: 201,
                headers: ["Set-Cookie": "a=1", "X-Other": "x", "Set-Cookie": "b=2"])
        } run: { server in
            var fields = HTTPFields()
            for value in ["1", "2"] { fields.append(HTTPField(name: HTTPField.Name("X-Tag")!, value: value)) }
            let (response, body) = try await send(
                .post, "/users?tag=a&tag=b", HTTPBody("content"), fields: fields, to: server.url("/v1"))
            #expect(response.status == .created)
            #expect(response.headerFields[values: .setCookie] == ["a=1", "b=2"])
            let content = try #require(body)
            #expect(content.length == .known(7) && content.iterationBehavior == .single)
            #expect(try await String(collecting: content, upTo: 100) == "content")
        }
    }

    @Test(
        "the path is appended to that of the base URL, and never changes the host",
        arguments: [
            ("", "/users", "/users"), ("/", "/users", "/users"), ("/v1", "/users", "/v1/users"),
            ("/v1/", "/users", "/v1/users"), ("/v1/", "users?a=b", "/v1/users?a=b"), ("/v1", nil, "/v1/"),
            ("", "//other.example/", "//other.example/"), ("", "@other.example/", "/@other.example/"),
        ] as [(String, String?, String)])
    func paths(base: String, path: String?, target: String) async throws {
        try await withTestServer { request in
            .ok(request.target)
        } run: { server in
            let (_, body) = try await send(.get, path, to: "http://127.0.0.1:\(server.port)\(base)")
            #expect(try await String(collecting: #require(body), upTo: 100) == target)
        }
    }

    @Test("with a confined client, a path that leads out of the base URL is refused")
    func confinement() async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock).scoped(baseURL: "https://a.example/v1", isConfined: true)
        let transport = SockeyeTransport(client: client)
        let baseURL = try #require(URL(string: "https://a.example/v1"))
        func send(_ path: String) async throws {
            let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
            _ = try await transport.send(request, body: nil, baseURL: baseURL, operationID: "operation")
        }
        try await send("/users")
        for path in ["/..", "/%2E%2E/admin", "/..%2Fadmin"] {
            let error = await #expect(throws: SockeyeError.self, "\(path)") { try await send(path) }
            #expect(error?.code == .invalidURL)
        }
        #expect(mock.requests.map(\.path) == ["/v1/users"])
    }

    @Test("each chunk of a request is sent before the next one exists")
    func upload() async throws {
        let (chunks, more) = AsyncStream<ArraySlice<UInt8>>.makeStream()
        try await withTestServer { request in
            #expect(request["Transfer-Encoding"] == "chunked")
            var received = ""
            for try await piece in request.body {
                received += String(decoding: piece, as: UTF8.self)
                if received == "one" { more.yield(Array("two".utf8)[...]) }
                if received == "onetwo" { more.finish() }
            }
            return .ok(received)
        } run: { server in
            more.yield(text("one"))
            let (_, body) = try await send(.put, "/", HTTPBody(chunks, length: .unknown), to: server.url())
            #expect(try await String(collecting: #require(body), upTo: 100) == "onetwo")
        }
    }

    @Test("each chunk of a response is delivered before the next one exists")
    func download() async throws {
        let hasFirst = TestSignal()
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            try await responder.sendHead()
            try await responder.write("one")
            try await hasFirst.wait()
            try await responder.write("two")
            try await responder.finish()
        } run: { server in
            let (_, body) = try await send(to: server.url())
            let content = try #require(body)
            #expect(content.length == .unknown)
            var received = ""
            for try await chunk in content {
                received += String(decoding: chunk, as: UTF8.self)
                if received == "one" { hasFirst.fire() }
            }
            #expect(received == "onetwo")
        }
    }

    @Test("a redirect repeats a body that can be iterated again, and is returned for any other")
    func redirect() async throws {
        try await withTestServer { request in
            let content = try await request.text()
            return request.target == "/" ? .redirect(to: "/next", status: 307) : .ok(content)
        } run: { server in
            let (response, body) = try await send(.put, "/", HTTPBody("content"), to: server.url())
            #expect(response.status == .ok)
            #expect(try await String(collecting: #require(body), upTo: 100) == "content")
            let (chunks, more) = AsyncStream<ArraySlice<UInt8>>.makeStream()
            more.yield(text("content"))
            more.finish()
            let (refused, _) = try await send(.put, "/", HTTPBody(chunks, length: .known(7)), to: server.url())
            #expect(refused.status == .temporaryRedirect)
        }
    }

    @Test("a cancelled call throws CancellationError and closes the connection", arguments: [false, true])
    func cancellation(amidContent: Bool) async throws {
        let hasContent = TestSignal()
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            if amidContent {
                try await responder.sendHead()
                try await responder.write("first")
            }
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let call = Task {
                let (_, body) = try await send(to: server.url())
                for try await _ in try #require(body) { hasContent.fire() }
            }
            try await server.wait { $0.requests == 1 }
            if amidContent { try await hasContent.wait() }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test("an error of the request's body is thrown unchanged")
    func brokenBody() async throws {
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let (chunks, more) = AsyncThrowingStream<ArraySlice<UInt8>, any Error>.makeStream()
            more.yield(text("first"))
            more.finish(throwing: Broken())
            await #expect(throws: Broken.self) {
                try await send(.put, "/", HTTPBody(chunks, length: .unknown), to: server.url())
            }
        }
    }

    @Test("a server that cannot be reached and a truncated response are errors of Sockeye")
    func errors() async throws {
        let closed = try ClosedPort()
        let unreachable = await #expect(throws: SockeyeError.self) {
            try await send(to: "http://127.0.0.1:\(closed.port)")
        }
        #expect(unreachable?.code == .connectFailed)
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close,
        ])
        let (_, body) = try await send(to: server.url())
        let truncated = await #expect(throws: SockeyeError.self) {
            try await String(collecting: #require(body), upTo: 100)
        }
        #expect(truncated?.code == .connectionClosed)
        let relative = await #expect(throws: SockeyeError.self) { try await send(to: "/v1") }
        #expect(relative?.code == .invalidURL)
    }

    @Test("the response to HEAD has fields and no body")
    func head() async throws {
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            let (response, body) = try await send(.head, to: server.url())
            #expect(response.headerFields[.contentLength] == "7")
            #expect(body == nil)
        }
    }

    @Test("interceptors see the identifier of the operation")
    func operationID() async throws {
        let seen = Recorder()
        let mock = MockTransport { request in
            seen.record(request.options.context[SockeyeTransport.OperationID.self])
            return .ok()
        }
        let transport = SockeyeTransport(client: HTTPClient(transport: mock))
        _ = try await transport.send(
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), body: nil,
            baseURL: try #require(URL(string: "https://a.example")), operationID: "listUsers")
        #expect(seen.values == ["listUsers"])
    }
}

/// The identifiers that a mock has seen.
private final class Recorder: Sendable {
    private let state = Mutex<[String?]>([])

    var values: [String?] { state.withLock { $0 } }

    func record(_ value: String?) { state.withLock { $0.append(value) } }
}
