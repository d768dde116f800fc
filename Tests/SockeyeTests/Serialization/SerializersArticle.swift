import Sockeye
import SockeyeEssentials

/// The snippets of Serializers.md that need the hosts that they name: compiled, not run. The others are in
/// CustomSerializerTests.swift.
struct SerializersArticle {
    struct User: Decodable { var name: String }
    struct Reply: Decodable { var id: Int }
    struct Item: Encodable { var name: String }

    let client: HTTPClient

    func overview(item: Item) async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/")

        let user = try await api.get("users/1", as: User.self)
        let users = try await api.get("users", query: ["page": 2, "tags": ["a", "b"]], as: .json([User].self))
        let reply = try await api.post("items", .json(item), as: Reply.self)
        try await api.post("items", .json(["name": "coast", "tags": [1, "b"], "parent": nil]))
        try await api.post("login", .form(["user": "a", "roles": ["x", "y"], "meta": ["k": "v"]]))
        try await api.delete("items/1", as: NoContent.self)
        print(user, users, reply)
    }

    func errors(api: HTTPClient) async throws {
        do {
            let user = try await api.get("users/1", as: User.self)
            print(user.name)
        } catch {
            switch error.code {
            case .unacceptableStatus: print(error.response?.json?["message"]?.string ?? "no reason given")
            case .decodingFailed: print(error.decoding?.codingPath ?? "", error.decoding?.excerpt ?? "")
            default: throw error
            }
        }
    }

    func modifiers(api: HTTPClient) async throws {
        let accepting = try await api.get(
            "x", as: .json(User.self).accepting(statusCodes: [200, 201], contentTypes: ["text/plain"]))
        let limited = try await api.get("x", as: .json(User.self).limited(to: 1 << 20))
        let stripped = try await api.get("x", as: .json(User.self).preprocessed(.removingPrefix(")]}',\n")))
        let optional = try await api.get("x", as: .json(User?.self).emptyBody(.whereExpected))
        let name = try await api.get("x", as: .json(User.self).map(\.name))
        print(accepting, limited, stripped, optional?.name ?? "", name)
    }

    func absence(api: HTTPClient, item: Item) async throws {
        let user = try await api.get("users/7", as: User.self, nilFor: [.notFound])
        let changed = try await api.put("users/7", .json(item), as: .json(User.self).nilFor([.notFound, .gone]))
        print(user?.name ?? "", changed?.name ?? "")
    }

    enum SortOrder: String, ParameterConvertible { case name, newest }

    func parameters(api: HTTPClient, kind: String, most: Int?) async throws {
        let found = try await api.get("users", query: ["sort": SortOrder.newest, "in": ["kind": "a", "min": 1]])
        let others = try await api.get(
            "users", query: ["in": .dictionary(["kind": kind, "max": most]), "flag": .null])
        print(found, others)
    }

    func requests(url: String, decoder: JSONDecoder, events: [Item]) async throws {
        let api = client.scoped(baseURL: url, requestSerializer: .json, decoder: .json(decoder))
        try await api.post("items", .parameters(["name": "coast"]))
        _ = try await api.request(.get, "items", .parameters(["page": 2]))
        try await api.post("events", .json(events), options: .compressing(.gzip))
    }

    func settings(url: String, encoder: JSONEncoder) async throws {
        let options = ParameterSerializer.Options(placement: .body, headers: ["X-Client": "mirror"])
        let api = client.scoped(baseURL: url, requestSerializer: .json(encoder, options: options))
        try await api.post("items", .parameters(["name": "coast"]))
    }
}
