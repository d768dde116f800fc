public import Sockeye

/// A client of an API as part of a service: a scoped client and one method for each operation.
public struct UserService: Sendable {
    /// A user of the API.
    public struct User: Codable, Sendable, Hashable {
        /// The number that identifies the user.
        public var id: Int
        /// The name of the user.
        public var name: String

        /// Makes a user.
        public init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    private let api: HTTPClient

    /// Makes a service that sends its requests to the API at `baseURL` by `client`.
    public init(client: HTTPClient, baseURL: String) {
        api = client.scoped(baseURL: baseURL, headers: [.accept: "application/json"])
    }

    /// Returns the user with an identifier; nil if it does not exist.
    public func user(_ id: Int) async throws -> User? {
        let response = try await api.get("users/\(id)")
        if response.status == .notFound { return nil }
        return try await response.validated().json()
    }

    /// Adds a user and returns the user that the API created.
    public func add(name: String) async throws -> User {
        try await api.post("users", .json(["name": name]), as: User.self)
    }

    /// Passes the export of all users to `write` piece by piece, so that its size does not matter.
    public func export(to write: (Bytes) async throws -> Void) async throws {
        let response = try await api.get("users/export").validated()
        for try await piece in response.body { try await write(piece) }
    }
}
