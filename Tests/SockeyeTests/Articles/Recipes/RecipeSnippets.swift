import Sockeye
import SockeyeTransfers

/// The snippets of the recipes about limits, policies and connections, which would need the hosts that they name.
/// RecipeTests runs the snippets that need no host.
struct RecipeSnippets {
    let client = HTTPClient()

    func timeouts() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.timeouts = Timeouts(total: .seconds(30), connect: .seconds(3))
        let client = HTTPClient(configuration: configuration)
        let status = try await client.get("https://api.example.com/status", options: .timeout(total: .seconds(2)))
        let archive = try await client.get(
            "https://example.com/archive.tar", options: .timeout(total: .unlimited, stall: .seconds(20)))
        print(status, archive)
    }

    func bodyLimits() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.limits.bodyBytes = 64 << 20
        let client = HTTPClient(configuration: configuration)
        let feed = try await client.get("https://example.com/feed.json", options: .limit(body: 1 << 20), as: .text)
        let logo = try await client.get("https://example.com/logo.png")
        let bytes = try await logo.bytes(upTo: 256 << 10)
        print(feed, bytes)
    }

    func connectionLimits() {
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 64
        configuration.pool.connections = 512
        configuration.pool.waiters = 1_000
        configuration.timeouts.pool = .seconds(2)
        let client = HTTPClient(configuration: configuration)
        withExtendedLifetime(client) {}
    }

    func redirects() async throws {
        let response = try await client.get("https://example.com/old", options: .intercepting(.redirects(.manual)))
        print(response.status, response["Location"] ?? "")
        let plain = client.adding(.redirects(.manual))
        let strict = client.adding(
            .redirects(
                .following(atMost: 3) { redirect in
                    redirect.leavesOrigin ? .refuse : .follow(redirect.request)
                }))
        withExtendedLifetime((plain, strict)) {}
    }

    func retries(order: [String: Int], key: String) async throws {
        let patient = client.adding(.retry(max: 3))
        try await patient.post(
            "https://api.example.com/orders", .json(order),
            headers: ["Idempotency-Key": key])
        var search = OutgoingRequest.Options()
        search.isIdempotent = true
        let found = try await patient.post("https://api.example.com/search", .json(order), options: search)
        print(found)
    }

    func manyConnections() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 100
        let client = HTTPClient(configuration: configuration)
        try await client.pool?.prewarm("https://api.example.com", count: 8, as: client)
    }

    func keepAlive() {
        var configuration = HTTPClient.Configuration()
        configuration.pool.idleTimeout = .seconds(10)
        configuration.pool.maximumAge = .seconds(300)
        configuration.socket.keepAlive = SocketOptions.KeepAlive(idle: .seconds(5))
        configuration.socket.userTimeout = .seconds(5)
        let client = HTTPClient(configuration: configuration)
        withExtendedLifetime(client) {}
    }

    func codings(log: String) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.decompresses = false
        let client = HTTPClient(configuration: configuration)
        var options = OutgoingRequest.Options()
        options.decompresses = false
        let coded = try await client.get("https://example.com/log.gz", options: options)
        try await client.post("https://example.com/log", .text(log), options: .compressing(.gzip))
        print(coded)
    }

    func names() {
        var configuration = HTTPClient.Configuration()
        configuration.hostOverrides["api.example.com"] = [
            EndpointAddress(literal: "192.0.2.7", port: 443)
        ].compactMap { $0 }
        configuration.resolverCacheLifetime = .seconds(10)
        configuration.addressOrder = .shuffled
        withExtendedLifetime(HTTPClient(configuration: configuration)) {}
    }

    struct Catalog: NameResolver {
        let instances: [String: String]

        func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
            guard let text = instances[host] else { return [] }
            return EndpointAddress(literal: text, port: port).map { [$0] } ?? []
        }
    }

    func download(expected: String) async throws {
        let options = try OutgoingRequest.Options
            .resumable(in: "/var/data/big.iso.resume")
            .checksum(.sha256(expected))
        let task = try client.download(
            "https://example.com/big.iso", to: "/var/data/big.iso",
            options: options)
        for await progress in task.progress {
            print(progress.completed, progress.total ?? -1)
        }
        let file = try await task.value
        print(file)
    }
}
