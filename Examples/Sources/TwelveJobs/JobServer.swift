import SockeyeTesting

/// The other end of all jobs.
enum JobServer {
    @Sendable static func answer(_ request: TestRequest) async throws -> TestServerResponse {
        switch (request.method, request.path) {
        case (.get, "/users/1"): .json(User(id: 1, name: "Ada"))
        case (.post, "/items"): .json(Reply(id: 7, name: try await request.json(Item.self).name), status: 201)
        case (.post, "/login"): .text(try await request.text())
        case (.post, "/photos"):
            .text("\(try await request.body.discard()) bytes, \(request[.contentType] ?? "no type")")
        case (.put, "/blob"): .text("\(try await request.body.discard())")
        case (.get, "/log"), (.get, "/iso"): .source(length: 1 << 20)
        case (.get, "/x"): .never
        case (.get, "/busy"): .status(request.number < 2 ? 503 : 200)
        default: .status(404)
        }
    }
}

struct User: Codable, Sendable {
    var id: Int
    var name: String
}

struct Item: Codable, Sendable {
    var name: String
}

struct Reply: Codable, Sendable {
    var id: Int
    var name: String
}
