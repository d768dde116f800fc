import SockeyeEngine
import SockeyeHTTP

/// What a ``CredentialStorage`` has.
struct StoredCredentials: ReadyCredentialSource {
    private let storage: CredentialStorage

    init(_ storage: CredentialStorage) {
        self.storage = storage
    }

    /// Each is stored for its origin.
    var departed: StoredCredentials? { self }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? {
        storage.credential(for: request.url.origin, realm: realm)
    }
}
