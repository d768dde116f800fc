import Sockeye

/// 1: a GET whose JSON becomes a value; anything but 2xx and JSON is an error that has the response.
struct GetAndDecode: Job {
    let title = "GET and decode"

    func run(_ client: HTTPClient) async throws -> String {
        let user = try await client.get("users/1", as: User.self)
        return user.name
    }
}
