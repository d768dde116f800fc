import Sockeye

/// The snippets of Migration.md, which would need the hosts that they name: compiled, not run.
struct MigrationArticle {
    struct User: Codable, Sendable { var name: String }

    let client: HTTPClient
    let tokens = GettingStartedArticle.Tokens()

    func fromAsyncHTTPClient(chunks: AsyncStream<[UInt8]>, size: Int) async throws {
        let response = try await client.get("https://example.com/", options: .timeout(total: .seconds(30)))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        try await client.put("https://example.com/blob", .stream(chunks, length: size))
        print(bytes)
    }

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
        var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: .systemAnd(.file(ca))))
        configuration.proxy = .http("http://host:8080")
        configuration.limits.decodedBytes = 1 << 20
        configuration.pool.connectionsPerOrigin = 8
        configuration.tlsOverrides["*.internal.example"] = TLSOptions(roots: .file(ca))
        _ = HTTPClient(configuration: configuration)
            .adding(.redirects(.manual))
            .adding(.challengeHandler { _ in .cancel })
            .adding(.cookies(CookiePolicy.Jar()))
            .adding(.cache(CachePolicy.MemoryStore(limit: 64 << 20)))
            .adding(.waitingForNetwork())
    }
}
