import NIOCore
import NIOHTTP1
import Sockeye
import SockeyeTesting
import SockeyeVapor
import Testing
import Vapor

@Suite("Client of Vapor", .timeLimit(.minutes(1)))
struct SockeyeClientTests {
    private func withApplication(_ body: (Application) async throws -> Void) async throws {
        let application = try await Application.make()
        application.clients.use(.sockeye(Sockeye.HTTPClient()))
        do {
            try await body(application)
        } catch {
            try? await application.asyncShutdown()
            throw error
        }
        try await application.asyncShutdown()
    }

    @Test("a request and its response pass with content and repeated fields")
    func exchange() async throws {
        try await withTestServer { request in
            #expect(request.method == .put)
            #expect(request.target == "/a?b=c")
            #expect(request.headers[values: "X-Tag"] == ["1", "2"])
            return .text(
                try await request.text(), status: 201,
                headers: ["Set-Cookie": "a=1", "X-Other": "x", "Set-Cookie": "b=2"])
        } run: { server in
            try await withApplication { application in
                let request = ClientRequest(
                    method: .PUT, url: URI(string: server.url("/a?b=c")), headers: ["X-Tag": "1", "X-Tag": "2"],
                    body: ByteBuffer(string: "content"), timeout: .seconds(30))
                let response = try await application.client.send(request)
                #expect(response.status == .created)
                #expect(response.headers["Set-Cookie"] == ["a=1", "b=2"])
                #expect(response.body == ByteBuffer(string: "content"))
            }
        }
    }

    @Test("a response without content has no body")
    func noContent() async throws {
        try await withTestServer { _ in
            .status(204)
        } run: { server in
            try await withApplication { application in
                let request = ClientRequest(url: URI(string: server.url()), timeout: nil)
                let response = try await application.client.send(request)
                #expect(response.status == .noContent)
                #expect(response.body == nil)
            }
        }
    }

    @Test("a future completes on the event loop that the client was delegated to")
    func eventLoop() async throws {
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            try await withApplication { application in
                let request = ClientRequest(url: URI(string: server.url()), timeout: nil)
                for eventLoop in application.eventLoopGroup.makeIterator() {
                    let future: EventLoopFuture<ClientResponse> = application.client.delegating(to: eventLoop)
                        .allocating(to: ByteBufferAllocator()).send(request)
                    #expect(future.eventLoop === eventLoop)
                    let isOnLoop = try await future.map { _ in eventLoop.inEventLoop }.get()
                    #expect(isOnLoop)
                }
            }
        }
    }

    @Test("errors of the client, the URL and the method fail the future")
    func errors() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            try await withApplication { application in
                let client = application.client
                let silent = ClientRequest(url: URI(string: server.url()), timeout: .milliseconds(50))
                let timeout = await #expect(throws: SockeyeError.self) { try await client.send(silent) }
                #expect(timeout?.code == .timeout)
                let relative = await #expect(throws: SockeyeError.self) {
                    try await client.send(ClientRequest(url: "/users", timeout: nil))
                }
                #expect(relative?.code == .invalidURL)
                let invalid = ClientRequest(method: .RAW(value: "A B"), url: URI(string: server.url()), timeout: nil)
                await #expect(throws: HTTPRequest.Method.InvalidMethod.self) { try await client.send(invalid) }
            }
        }
    }

    @Test("content beyond the limit fails the future")
    func limit() async throws {
        try await withTestServer { _ in
            .ok("123456")
        } run: { server in
            try await withApplication { application in
                var client = SockeyeClient(Sockeye.HTTPClient(), on: application.eventLoopGroup.any())
                client.contentLimit = 5
                let request = ClientRequest(url: URI(string: server.url()), timeout: nil)
                let error = await #expect(throws: SockeyeError.self) { try await client.send(request) }
                #expect(error?.code == .limitExceeded)
            }
        }
    }
}
