import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Checks that the recipes are compiled in this folder, and runs those whose code needs no other host.
@Suite("Recipes", .timeLimit(.minutes(1)))
struct RecipeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let documentation = folder.appending(path: "../../../../Sources/Sockeye/Documentation.docc")
        .standardizedFileURL
    private static let articles: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: documentation.appending(path: "Recipes").path)
        return (names ?? []).filter { $0.hasSuffix(".md") }.sorted()
    }()

    @Test("every line of a recipe's snippets is compiled", arguments: articles)
    func snippets(article: String) throws {
        let sources = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        let compiled = try sources.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        let snippets = try ArticleSnippets(of: Self.documentation.appending(path: "Recipes/\(article)"))
        #expect(snippets.count > 0)
        #expect(snippets.lines(missingIn: compiled) == [])
    }

    @Test("the page of all recipes lists each of them")
    func list() throws {
        let page = try String(contentsOf: Self.documentation.appending(path: "Recipes.md"), encoding: .utf8)
        #expect(Self.articles.count >= 19)
        for article in Self.articles { #expect(page.contains("- <doc:\(article.dropLast(3))>\n"), "\(article)") }
    }

    // MARK: Dates

    private func queries(for api: HTTPClient, _ date: Date) async throws -> [String] {
        let events = try await api.get("events", query: ["since": date], as: .text)
        let seconds = api.scoped(
            requestSerializer: .form(.init(dates: .secondsSince1970)))
        let same = try await seconds.get("events", query: ["since": date], as: .text)
        let style = RequestParameters.Style(
            dates: .custom { date in date.formatted(.iso8601.year().month().day()) })
        let days = api.scoped(requestSerializer: .form(style))
        let day = try await days.get("events", query: ["day": date], as: .text)
        return [events, same, day]
    }

    @Test("dates in queries have the forms that the recipe shows")
    func dates() async throws {
        let mock = MockTransport { request in .ok(request.url.query ?? "") }
        let api = HTTPClient(transport: mock).scoped(baseURL: "https://api.example.com/v1/")
        let sent = try await queries(for: api, Date(timeIntervalSince1970: 1_769_846_400))
        #expect(sent == ["since=2026-01-31T08%3A00%3A00Z", "since=1769846400", "day=2026-01-31"])
    }

    // MARK: Pages

    struct User: Codable, Equatable, Sendable { var name: String }

    struct Page: Codable, Sendable {
        var items: [String]
        var next: String?
    }

    func nextPage(after response: IncomingResponse) -> String? {
        let links = response.headers[values: .link].joined(separator: ",")
        return links.firstMatch(of: /<([^>]*)>[^,]*;\s*rel="?next"?/)
            .map { String($0.1) }
    }

    func allUsers(from api: HTTPClient) async throws -> [User] {
        var users: [User] = []
        var next: String? = "users?per_page=100"
        while let page = next {
            let response = try await api.get(page)
            users += try await response.value(as: .json([User].self))
            next = nextPage(after: response)
        }
        return users
    }

    func allItems(from api: HTTPClient) async throws -> [String] {
        var items: [String] = []
        var cursor: String?
        repeat {
            let page = try await api.get(
                "items", query: ["cursor": cursor], as: Page.self)
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    @Test("all pages are read, by the field Link and by a cursor")
    func pages() async throws {
        let server = try await TestServer.start { request in
            switch request.target {
            case "/v1/users?per_page=100":
                .json(
                    [["name": "Ada"]],
                    headers: ["Link": #"</v1/users?page=2>; rel="next", </v1/users?page=9>; rel=last"#])
            case "/v1/users?page=2": .json([["name": "Grace"]])
            case "/v1/items": .json(["items": ["a"], "next": "x"])
            case "/v1/items?cursor=x": .json(["items": ["b", "c"]])
            default: .status(.notFound)
            }
        }
        let api = HTTPClient().scoped(baseURL: server.url("/v1/"))
        #expect(try await allUsers(from: api) == [User(name: "Ada"), User(name: "Grace")])
        #expect(try await allItems(from: api) == ["a", "b", "c"])
    }

    // MARK: Trust

    @Test("a self-signed certificate in the roots is trusted, and another self-signed certificate is not")
    func selfSigned() async throws {
        func client(trusting certificate: TestCertificate) -> HTTPClient {
            let roots = TLSOptions.Roots.systemAnd(.pem(certificate.pem))
            return HTTPClient(configuration: .init(tls: TLSOptions(roots: roots)))
        }
        let certificate = try TestCertificateAuthority.selfSigned()
        let server = try await TestServer.start(tls: TestTLS(certificate)) { _ in .ok("trusted") }
        #expect(try await client(trusting: certificate).get(server.url()).text() == "trusted")
        let stranger = try client(trusting: TestCertificateAuthority.selfSigned())
        let error = await #expect(throws: SockeyeError.self) { try await stranger.get(server.url()) }
        #expect(error?.code == .tlsFailed)
    }
}
