import Sockeye

/// 3: a form whose values nest.
struct PostForm: Job {
    let title = "POST a form"

    func run(_ client: HTTPClient) async throws -> String {
        let response = try await client.post("login", .form(["a": [1, 2], "f": ["k": "v"]]))
        return try await response.text()
    }
}
