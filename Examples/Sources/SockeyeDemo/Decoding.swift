import Sockeye

/// A GET whose JSON becomes a value, in one line; and again, now that the connection is open.
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
