public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

extension Credential {
    /// A store of credentials by protection space: origin (scheme, host, port) and realm. The counterpart of
    /// `NSURLCredentialStorage`; kept in memory only.
    ///
    /// ```swift
    /// let storage = Credential.Storage()
    /// try storage.set(.user("ada", password: password), for: "https://api.example.com")
    /// let client = HTTPClient().adding(.credentials(storage))
    /// ```
    ///
    /// It can be changed at any time, by any task; what was removed is not sent any more. Neither description nor dump show
    /// credentials.
    public final class Storage: Sendable {
        private struct Space: Hashable {
            let origin: HTTPURL.Origin
            let realm: String?
        }

        private let credentials = Mutex<[Space: Credential]>([:])

        /// Makes an empty storage.
        public init() {}

        /// Stores a credential, in place of the one that was there.
        ///
        /// - Parameters:
        ///   - credential: What challenges are answered with.
        ///   - url: Any URL of the origin.
        ///   - realm: The realm of the challenge. Default nil: every realm of the origin that has no credential of its own.
        /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL``.
        public func set(_ credential: Credential, for url: String, realm: String? = nil) throws(SockeyeError) {
            set(credential, for: try HTTPURL(checking: url).origin, realm: realm)
        }

        /// Stores a credential, in place of the one that was there.
        public func set(_ credential: Credential, for origin: HTTPURL.Origin, realm: String? = nil) {
            credentials.withLock { $0[Space(origin: origin, realm: realm)] = credential }
        }

        /// The credential for a realm of an origin: that of the realm, else the one for all realms.
        public func credential(for origin: HTTPURL.Origin, realm: String? = nil) -> Credential? {
            credentials.withLock { credentials in
                let own = realm == nil ? nil : credentials[Space(origin: origin, realm: realm)]
                return own ?? credentials[Space(origin: origin, realm: nil)]
            }
        }

        /// Removes the credential that was stored for exactly this origin and realm.
        public func remove(for origin: HTTPURL.Origin, realm: String? = nil) {
            credentials.withLock { $0[Space(origin: origin, realm: realm)] = nil }
        }

        /// Removes all of them.
        public func removeAll() {
            credentials.withLock { $0 = [:] }
        }
    }
}

extension Credential.Storage: CustomStringConvertible, CustomReflectable {
    /// For example `2 credentials`.
    public var description: String { "\(credentials.withLock(\.count)) credentials" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A source that looks credentials up in a ``Credential/Storage``.
struct StorageCredentialSource: LookupCredentialSource {
    private let storage: Credential.Storage

    init(_ storage: Credential.Storage) {
        self.storage = storage
    }

    /// Itself: each credential is stored for its origin.
    var outsideScope: StorageCredentialSource? { self }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? {
        storage.credential(for: request.url.origin, realm: realm)
    }
}
