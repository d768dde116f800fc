import Sockeye

/// A GET that decodes JSON to a value, in one line; then the same over the open connection.
struct Decoding: Scene {
    func run(_ client: HTTPClient, _ terminal: Terminal) async throws {
        let (user, first) = try await timed { try await fetch(client) }
        let (_, second) = try await timed { try await fetch(client) }
        terminal.result(
            "GET and decode", "\(user.name) speaks \(user.languages.joined(separator: " and "))", format(first))
        terminal.result("GET and decode again", "the same, over the same connection", format(second))
    }

    private func fetch(_ client: HTTPClient) async throws -> User {
        try await client.get("/users/1", as: User.self)
    }
}
