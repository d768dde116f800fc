import SockeyeTesting

/// The server of the demonstration.
enum DemoServer {
    @Sendable static func answer(_ request: TestRequest) async throws -> TestServerResponse {
        switch (request.method, request.path) {
        case (.get, "/users/1"): .json(User(id: 1, name: "Ada", languages: ["English", "French"]))
        case (.get, "/hello"): .ok("Hello, world!")
        case (.put, "/upload"): .text("\(try await request.body.discard())")
        case (.get, "/download"): .source(length: request.query.flatMap { Int($0) } ?? 0)
        case (.get, "/silence"): .never
        default: .status(404)
        }
    }
}

struct User: Codable, Sendable {
    var id: Int
    var name: String
    var languages: [String]
}
