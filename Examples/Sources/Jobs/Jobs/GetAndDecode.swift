import Sockeye
import SockeyeTesting

// snippet.show
struct User: Codable, Sendable {
    var id: Int
    var name: String
}

func user(_ id: Int, from api: HTTPClient) async throws -> User? {
    try await api.get("users/\(id)", as: User.self, nilFor: [.notFound])
}
// snippet.hide

extension Job {
    static let getAndDecode = Job("GET and decode, with 404 as nil") {
        try await withTestServer { request in
            request.path == "/users/1" ? .json(User(id: 1, name: "Ada")) : .status(404)
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url())
            let (known, unknown) = (try await user(1, from: api), try await user(2, from: api))
            return "\(known?.name ?? "nil"), then \(unknown?.name ?? "nil")"
        }
    }
}
