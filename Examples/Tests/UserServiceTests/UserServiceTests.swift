import SockeyeTesting
import Testing
import UserService

@Suite("User service", .timeLimit(.minutes(1)))
struct UserServiceTests {
    // In memory: tests the requests of the service, and how it reads the responses.
    @Test("the service reads a user, and returns nil if there is none")
    func user() async throws {
        let mock = MockTransport()
        mock.answer(.get, "/v1/users/1") { _ in .json(UserService.User(id: 1, name: "Ada")) }
        mock.answer(.get, "/v1/users/2") { _ in .status(404) }
        let service = UserService(client: HTTPClient(transport: mock), baseURL: "https://api.example.com/v1/")

        #expect(try await service.user(1) == UserService.User(id: 1, name: "Ada"))
        #expect(try await service.user(2) == nil)
        #expect(mock.requests.allSatisfy { $0["Accept"] == "application/json" })
    }

    // Over a socket: tests the messages on the wire.
    @Test("the service adds a user")
    func add() async throws {
        try await withTestServer { request in
            let body = try await request.json([String: String].self)
            return .json(UserService.User(id: 7, name: body["name"] ?? ""), status: 201)
        } run: { server in
            let service = UserService(client: HTTPClient(), baseURL: server.url())
            let user = try await service.add(name: "Grace")
            #expect(user == UserService.User(id: 7, name: "Grace"))
        }
    }

    // Byte for byte: tests servers that misbehave.
    @Test("a truncated export is an error")
    func truncatedExport() async throws {
        let server = try await RawServer.start(script: [
            .readRequestHead,
            .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nid,name\n1,Ada\n"),
            .close,
        ])
        let service = UserService(client: HTTPClient(), baseURL: server.url())
        var received = 0
        let error = await #expect(throws: SockeyeError.self) {
            try await service.export { received += $0.count }
        }
        #expect(error?.code == .connectionClosed)
        #expect(received == 14)
    }
}
