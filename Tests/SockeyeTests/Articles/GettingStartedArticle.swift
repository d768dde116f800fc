import Sockeye
import SockeyeTesting

/// The snippets of GettingStarted.md, which would need the hosts that they name: compiled, not run.
struct GettingStartedArticle {
    struct User: Codable, Sendable {
        var id: Int
        var name: String
    }

    struct Tokens {
        func fetch() async throws -> AuthenticationPolicy.Token {
            AuthenticationPolicy.Token("t", expiresIn: .seconds(3600))
        }
    }

    let tokens = Tokens()

    func tour(key: String, id: Int) async throws {
        let client = HTTPClient()
        let response = try await client.get("https://example.com/")
        print(response.status, try await response.text())

        let api = client.scoped(baseURL: "https://api.example.com/v1/", headers: ["X-API-Key": key])
        let user = try await api.get("users/1", as: User.self)
        let made = try await api.post("users", .json(user), as: User.self)
        let page = try await api.get("users", query: ["page": 2, "tags": ["a", "b"]], as: [User].self)
        print(made, page)

        do {
            _ = try await api.get("users/0", as: User.self)
        } catch {
            print(error.code, error.response?.text ?? "")
        }

        let known = try await api.get("users/\(id)", as: User.self, nilFor: [.notFound])
        do {
            _ = try await api.delete("users/\(id)", as: NoContent.self)
        } catch {
            guard error.response?.status == .notFound else { throw error }
        }
        print(known?.name ?? "nobody")

        let careful =
            api
            .adding(.retry(max: 3))
            .adding(.bearer { try await tokens.fetch() })
        print(careful)
    }

    func tests() async throws -> User {
        let fake = HTTPClient(transport: MockTransport { _ in .json(User(id: 1, name: "Ada")) })
        let ada = try await fake.get("https://api.example.com/v1/users/1", as: User.self)
        return ada
    }
}
