import Sockeye

/// 2: a value goes out as JSON, another one comes back.
struct PostJSON: Job {
    let title = "POST JSON"

    func run(_ client: HTTPClient) async throws -> String {
        let reply: Reply = try await client.post("items", json: Item(name: "coast"))
        return "\(reply.id) \(reply.name)"
    }
}
