import Sockeye
import SockeyeTesting

// snippet.show
/// For an API that wraps all JSON in `{"data": …}`.
struct Envelope: Interceptor {
    func intercept(_ request: OutgoingRequest, in call: Call) async throws
        -> IncomingResponse
    {
        var request = request
        let value = try JSONValue(
            parsing: try await request.collectBody(upTo: 1 << 20))
        request.body = .string("\(["data": value] as JSONValue)")
        let response = try await call.proceed(request)
        let envelope = try JSONValue(
            parsing: try await response.bytes(upTo: 1 << 20))
        return response.replacingBody(Bytes("\(envelope["data"] ?? .null)"))
    }
}
// snippet.hide

extension Job {
    static let envelope = Job("An interceptor that changes content both ways") {
        try await withTestServer { request in
            let user = try await request.json([String: User].self)["data"]
            return .json(["data": User(id: 7, name: "\(user?.name ?? "nobody"), stored")])
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url()).adding(Envelope())
            let stored = try await api.post("users", .json(User(id: 0, name: "Ada")), as: User.self)
            return "\(stored.id): \(stored.name)"
        }
    }
}
