public import SockeyeEngine
import SockeyeHTTP

extension Proxy.Authentication {
    /// Uses the credential that a storage has for the proxy's origin (such as `http://proxy.example.com:3128`) and the
    /// challenge's realm.
    ///
    /// The storage is read at each challenge, so later changes take effect.
    public static func storage(_ storage: Credential.Storage) -> Proxy.Authentication {
        .handler { request in
            let origin = try HTTPURL(checking: request.proxy).origin
            return request.challenges.lazy.compactMap { storage.credential(for: origin, realm: $0.realm) }.first
        }
    }

    /// Uses the login that a `.netrc` file has for the proxy's host, else the file's default login. The file is read
    /// once, by this call.
    ///
    /// - Parameter path: As in ``Interceptor/netrc(_:allowsPlaintext:)``, with the same conditions for refusing a file.
    /// - Throws: The same errors as ``Interceptor/netrc(_:allowsPlaintext:)``.
    public static func netrc(_ path: String? = nil) throws(SockeyeError) -> Proxy.Authentication {
        let netrc = try NetrcFile.read(path)
        return .handler { request in
            netrc.credential(for: try HTTPURL(checking: request.proxy).host) ?? netrc.defaultCredential()
        }
    }
}
