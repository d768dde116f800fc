public import Sockeye

/// A client of somebody's API, as a service would have it: a scoped client and one method for each thing to ask.
public struct UserService: Sendable {
    /// A user as the API has it.
    public struct User: Codable, Sendable, Hashable {
        /// Which user this is.
        public var id: Int
        /// What the user is called.
        public var name: String

        /// Makes a user.
        public init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    private let api: HTTPClient

    /// Uses `client` to talk to the API at `baseURL`.
    public init(client: HTTPClient, baseURL: String) {
        api = client.scoped(baseURL: baseURL, headers: [.accept: "application/json"])
    }

    /// The user with this number; nil when there is none.
    public func user(_ id: Int) async throws -> User? {
        let response = try await api.get("users/\(id)")
        if response.status == .notFound { return nil }
        return try await response.validated().json()
    }

    /// Adds a user and returns what the API made of it.
    public func add(name: String) async throws -> User {
        try await api.post("users", .json(["name": name]), as: User.self)
    }

    /// Copies the export of all users, however large, to `write`, piece by piece.
    public func export(to write: (Bytes) async throws -> Void) async throws {
        let response = try await api.get("users/export").validated()
        for try await piece in response.body { try await write(piece) }
    }
}
