import Sockeye
import SockeyeTransfers

@testable import SockeyeCache

/// The snippets of Migration.md, which would need the hosts that they name: compiled, not run.
struct MigrationArticle {
    struct User: Codable, Sendable { var name: String }

    let client: HTTPClient
    let tokens = GettingStartedArticle.Tokens()

    func fromURLSession() async throws {
        let user = try await client.get("https://example.com/users/1", as: User.self)
        try await client.put("https://example.com/blob", .file("/var/data/big.iso"))
        print(user)
    }

    func fromAlamofire(user: User) async throws {
        let careful = client.adding(.retry(max: 3)).adding(.bearer { try await tokens.fetch() })
        let made = try await careful.post("https://example.com/users", .json(user), as: User.self)
        let download = try client.download("https://example.com/big.iso", to: "/var/data/big.iso")
        for await progress in download.progress { print(progress.completed) }
        print(made)
    }

    /// Further declarations that the tables of Migration.md name.
    func rows(certificateAuthority ca: String) throws {
        var configuration = HTTPClient.Configuration()
        configuration.tlsOverrides["*.internal.example"] = TLSOptions(roots: .file(ca))
        _ = HTTPClient(configuration: configuration)
            .adding(.challengeHandler { _ in .cancel })
            .adding(.cookies(CookiePolicy.Jar()))
            .adding(.cache(CachePolicy.MemoryStore(limit: 64 << 20)))
            .adding(.waitingForNetwork())
    }
}
