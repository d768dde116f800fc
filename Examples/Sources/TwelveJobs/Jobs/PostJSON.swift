import Sockeye

/// 2: a value goes out as JSON, another one comes back.
struct PostJSON: Job {
    let title = "POST JSON"

    func run(_ client: HTTPClient) async throws -> String {
        let reply = try await client.post("items", .json(Item(name: "coast")), as: Reply.self)
        return "\(reply.id) \(reply.name)"
    }
}
