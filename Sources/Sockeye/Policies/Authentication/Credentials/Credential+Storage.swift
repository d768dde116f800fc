public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

extension Credential {
    /// A store of credentials by protection space: origin (scheme, host, port) and realm.
    ///
    /// The counterpart of `NSURLCredentialStorage`; kept in memory only.
    ///
    /// ```swift
    /// let storage = Credential.Storage()
    /// try storage.set(
    ///     .user("ada", password: password), for: "https://api.example.com")
    /// let client = HTTPClient().adding(.credentials(storage))
    /// ```
    ///
    /// A storage can be changed at any time from any task; removed credentials are not sent any more. Its description
    /// and dump do not show credentials.
    public final class Storage: Sendable {
        private struct Space: Hashable {
            let origin: HTTPURL.Origin
            let realm: String?
        }

        private let credentials = Mutex<[Space: Credential]>([:])

        /// Creates an empty storage.
        public init() {}

        /// Stores a credential, replacing the one for the same origin and realm.
        ///
        /// - Parameters:
        ///   - credential: The credential for answering challenges.
        ///   - url: Any URL of the origin.
        ///   - realm: The realm of the challenge. Default nil: the credential applies to all realms of the origin that
        ///     have no credential of their own.
        /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL`` if `url` is not an absolute http or https URL.
        public func set(_ credential: Credential, for url: String, realm: String? = nil) throws(SockeyeError) {
            set(credential, for: try HTTPURL(checking: url).origin, realm: realm)
        }

        /// Stores a credential, replacing the one for the same origin and realm.
        public func set(_ credential: Credential, for origin: HTTPURL.Origin, realm: String? = nil) {
            credentials.withLock { $0[Space(origin: origin, realm: realm)] = credential }
        }

        /// Returns the credential for a realm of an origin, else the one for all realms of the origin.
        public func credential(for origin: HTTPURL.Origin, realm: String? = nil) -> Credential? {
            credentials.withLock { credentials in
                let own = realm == nil ? nil : credentials[Space(origin: origin, realm: realm)]
                return own ?? credentials[Space(origin: origin, realm: nil)]
            }
        }

        /// Removes the credential that was stored with exactly this origin and realm.
        public func remove(for origin: HTTPURL.Origin, realm: String? = nil) {
            credentials.withLock { $0[Space(origin: origin, realm: realm)] = nil }
        }

        /// Removes all credentials.
        public func removeAll() {
            credentials.withLock { $0 = [:] }
        }
    }
}

extension Credential.Storage: CustomStringConvertible, CustomReflectable {
    /// For example `2 credentials`.
    public var description: String { "\(credentials.withLock(\.count)) credentials" }

    /// Only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A source that looks up credentials in a ``Credential/Storage``.
struct StorageCredentialSource: LookupCredentialSource {
    private let storage: Credential.Storage

    init(_ storage: Credential.Storage) {
        self.storage = storage
    }

    /// The same source. It needs no variant for foreign origins (see ``CredentialSource/outsideScope``), because the
    /// storage gives an origin only credentials that were stored for it.
    var outsideScope: StorageCredentialSource? { self }

    func credential(in realm: String, for request: OutgoingRequest) -> Credential? {
        storage.credential(for: request.url.origin, realm: realm)
    }
}
