public import SockeyeEngine
import SockeyeHTTP

extension Proxy.Authentication {
    /// With what a storage has for the proxy's origin, such as `http://proxy.example.com:3128`, and the realm of the challenge.
    /// What is stored or removed later counts.
    public static func storage(_ storage: Credential.Storage) -> Proxy.Authentication {
        .handler { request in
            let origin = try HTTPURL(checking: request.proxy).origin
            return request.challenges.lazy.compactMap { storage.credential(for: origin, realm: $0.realm) }.first
        }
    }

    /// With the login that a `.netrc` file has for the proxy's host, else its default. The file is read now.
    ///
    /// - Parameter path: As for ``Interceptor/netrc(_:allowsPlaintext:)``, which says what files are refused, too.
    /// - Throws: As that does.
    public static func netrc(_ path: String? = nil) throws(SockeyeError) -> Proxy.Authentication {
        let netrc = try NetrcFile.read(path)
        return .handler { request in
            netrc.credential(for: try HTTPURL(checking: request.proxy).host) ?? netrc.defaultCredential()
        }
    }
}
