import Foundation
import Sockeye
import SockeyeDiagnostics
import SockeyePropertyLists
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTransfers
import Testing

/// The snippets of README.md and of two articles, so that they compile. Those that need no network are run.
@Suite("README")
struct ReadmeTests {
    @Test(
        "every line of a snippet is compiled here",
        arguments: [
            "README.md", "Sources/Sockeye/Documentation.docc/Requests.md", "Sources/Sockeye/Documentation.docc/TLS.md",
        ])
    func snippets(path: String) throws {
        let file = URL(filePath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let snippets = try ArticleSnippets(of: root.appending(path: path))
        #expect(snippets.count > 0)
        #expect(snippets.lines(missingIn: try String(contentsOf: file, encoding: .utf8)) == [])
    }

    struct User: Decodable, Sendable { var name: String }
    struct Reply: Decodable, Sendable { var id: Int }
    struct Item: Encodable, Sendable { var name: String }

    struct Tokens {
        func fetch() async throws -> AuthenticationPolicy.Token {
            AuthenticationPolicy.Token("t", expiresIn: .seconds(3600))
        }
    }

    private let client = HTTPClient()
    private let tokens = Tokens()

    /// Compiled, not run: it would need the hosts that it names.
    func tour(page: Int, tags: [String], maybe: String?, chunks: Elements<[UInt8]>) async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/", headers: [.accept: "application/json"])

        let user = try await api.get("users/1", as: User.self)
        let users = try await api.get("users", query: ["page": page, "tags": tags, "q": maybe], as: [User].self)
        let reply = try await api.post("items", .json(Item(name: "coast")), as: Reply.self)
        try await api.post("login", .form(["user": "a", "roles": ["x", "y"], "meta": ["k": "v"]]))
        try await api.put("d", .stream(chunks, length: 8 << 30))
        try await api.post(
            "photos",
            .multipart { form in
                form.field("title", "Coast")
                try form.file("photo", at: "/var/data/coast.jpeg")
            })

        let log = try await api.get("log")
        for try await chunk in log.body { print(chunk.count) }
        for try await event in api.events("feed") { print(event.data) }
        let text = try await api.get("motd", options: .timeout(total: .seconds(2)).limit(body: 1 << 20)).text()

        let download = try api.download("big.iso", to: "/var/data/big.iso")
        for await progress in download.progress { print(progress.completed, progress.total ?? -1) }
        let file = try await download.value

        let careful =
            api
            .adding(.retry(max: 3))
            .adding(.bearer { try await tokens.fetch() })
            .adding(.cookies(CookiePolicy.Jar()))
        do { _ = try await careful.get("users/1", options: .timeout(total: .milliseconds(1))) } catch {
            print(error)
        }
        print(user, users, reply, text, file)
    }

    func requests() async throws {
        let response = try await client.get("https://example.com/")
        print(response.status, try await response.text())

        let api = client.scoped(baseURL: "https://api.example.com/v1/", headers: [.accept: "application/json"])
        let user = try await api.get("users/1", as: User.self)
        let (page, tags, maybe) = (2, ["a", "b"], String?.none)
        let users = try await api.get("users", query: ["page": page, "tags": tags, "q": maybe], as: [User].self)
        let reply = try await api.post("items", .json(Item(name: "coast")), as: Reply.self)
        let gone = try await api.delete("items/1", headers: ["X-Reason": "test"])
        print(user, users, reply, gone)

        let log = try await api.get("log")
        for try await chunk in log.body {
            print(chunk.count)
        }
        let text = try await api.get("motd").text()
        let bytes = try await api.get("logo").body.collect(upTo: 1 << 20)
        print(text, bytes)

        let archive = try await api.get("archive")
        try await archive.body.write { piece in print(piece.count) }
        let listing = try await api.get("listing")
        try await listing.body.write(toDescriptor: 1)

        let session = HTTPClient().adding(.cookies())
        withExtendedLifetime(session) {}
        print(try await api.curlCommand(.post, "items", .json(Item(name: "coast"))))
    }

    func serializers() async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/")
        let users = try await api.get("users", as: .json([User].self).limited(to: 1 << 20))
        let report = try await api.get("report", as: .compound(.json(Reply.self), .propertyList(Reply.self)))
        let name = "coast"
        try await api.post("items", .json(["name": name, "tags": [1, "b"] as JSONValue, "parent": nil]))
        try await api.post("login", .form(["user": "a", "roles": ["x", "y"], "meta": ["k": "v"]]))
        try await api.delete("items/1", as: NoContent.self)
        print(users, report)

        let lists = api.scoped(requestSerializer: .propertyList, decoder: .propertyList)
        let echo = try await lists.post("items", .parameters(["name": "coast"]), as: Reply.self)
        print(echo)
    }

    func uploads(chunks: Elements<[UInt8]>) async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/")
        try await api.put("a", .text("text"))
        try await api.put("b", .bytes([1, 2, 3]))
        try await api.put("c", .file("/var/data/big.iso"))
        try await api.put("d", .stream(chunks, length: 8 << 30))
        try await api.put("e", .body(.stream(chunks).trailers { ["X-Checksum": "…"] }))
        try await api.put("f", .stream(chunks), options: .reportingProgress { sent in print(sent) })
        try await api.put(
            "g",
            .writer { body in
                for try await chunk in chunks { try await body.write(chunk) }
            })
    }

    func forms(chunks: Elements<[UInt8]>) async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/")
        try await api.post(
            "photos",
            .multipart { form in
                form.field("title", "Coast")
                try form.file("photo", at: "/var/data/coast.jpeg")
                form.stream("raw", chunks, length: 8 << 30, filename: "coast.raw")
            })
    }

    func tasks() async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/")
        let download = try api.download("big.iso", to: "/var/data/big.iso")
        for await progress in download.progress {
            print(progress.completed, progress.total ?? -1, progress.remaining ?? .zero)
        }
        let file = try await download.value
        let users = try await api.batch(["users/1", "users/2"], atMost: 4, as: .json(User.self)).values()
        print(file, users)
    }

    func taskOptions(expected: String, path: String) async throws {
        enum TenantKey: OutgoingRequest.ContextKey { typealias Value = String }

        let api = client.scoped(baseURL: "https://api.example.com/v1/")
        let download = try api.download(
            "big.iso", to: "/var/data/big.iso",
            options: .timeout(total: .seconds(3600)).checksum(.sha256(expected)).parallel(4).priority(.high))
        let upload = try api.uploadTask(.put, "blob", .file(path))
        let state = try api.dataTask(.get, "blob/state", options: .after(upload), as: .text)
        let task = try api.dataTask(.get, "report", options: .context(TenantKey.self, "acme"), as: .text)
        print(task.context[TenantKey.self] ?? "no tenant")
        print(download, state)
    }

    func policies() async throws {
        let jar = CookiePolicy.Jar()
        let careful =
            client
            .adding(.retry(max: 3))
            .adding(.bearer { try await tokens.fetch() })
            .adding(.cookies(jar))
            .monitored(.callReturned) { print($0) }
        let page = try await careful.get("https://example.com/")
        print(page.history)
        let raw = try await client.get("https://example.com/", options: .intercepting(.redirects(.manual)))
        print(raw.status)
    }

    func configured() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.timeouts.connect = .seconds(3)
        configuration.timeouts.total = .seconds(30)
        configuration.limits.bodyBytes = 64 << 20
        configuration.pool.connectionsPerOrigin = 64
        let tuned = HTTPClient(configuration: configuration)
        let quick = try await tuned.get("https://example.com/", options: .timeout(total: .seconds(2)))
        print(quick.status)
    }

    func errors() async throws {
        do {
            _ = try await client.get("https://example.com/", options: .timeout(total: .milliseconds(1)))
        } catch {
            guard error.code == .timeout else { throw error }
            print(error)
        }
    }

    @Test("the description of a TLS configuration names its root file")
    func tls() throws {
        var tls = TLSOptions(roots: .systemAnd(.file("/etc/company/ca.pem")))
        tls.identity = .pem(certificateChain: .file("client.pem"), privateKey: .file("client.key"))
        tls.pinning = try .publicKey([.spki("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")])
        let strict = HTTPClient(configuration: .init(tls: tls))
        #expect(tls.description.contains("/etc/company/ca.pem"))
        withExtendedLifetime(strict) {}
    }
}
