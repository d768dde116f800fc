import SockeyeEngine
import SockeyeHTTP

extension HTTPClient {
    /// A client over the same connections that refuses URLs outside of its base URL, for paths that come from users.
    ///
    /// ```swift
    /// let files = client.scoped(baseURL: "https://api.example.com/tenants/7/").confined()
    /// try await files.get("reports/\(name)")        // fails for "../../8/reports"
    /// ```
    ///
    /// RFC 3986 5.2 lets a reference leave its base: `..`, a path that begins with `/`, another host. In a confined client such a
    /// call fails with ``SockeyeError/Code-swift.struct/invalidURL`` before anything is sent, and so does a path that leaves the
    /// base once `%2F` and `%5C` are decoded, as some servers do. Scopes inside of it have to be within its base as well. Redirects
    /// are not confined: the server chooses those, and ``RedirectPolicy/decide`` can refuse them. Without a base URL nothing
    /// changes.
    public func confined() -> HTTPClient {
        HTTPClient(scope: scope.changed { $0.isConfined = true })
    }
}

extension ClientScope {
    /// Throws if the scope is confined and the URL is outside of its base.
    func checkConfinement(of url: HTTPURL) throws(SockeyeError) {
        guard settings.isConfined, let base = try baseURL?.get(), !base.contains(url) else { return }
        var fields = SockeyeError.Fields(
            .invalidURL, phase: .prepare, blame: .caller,
            message: "the URL leads out of \(base.masked), to which the client is confined")
        fields.request = RequestIdentity(method: "GET", url: url)
        throw SockeyeError(fields)
    }
}

extension HTTPURL {
    /// Whether a URL is this one, or below the folder of its path.
    fileprivate func contains(_ url: HTTPURL) -> Bool {
        guard url.isSameOrigin(as: self) else { return false }
        let folder = Array(pathView.prefix(upTo: pathView.lastIndex(of: UInt8(ascii: "/")) ?? pathView.startIndex))
        guard url.pathView.starts(with: folder + [UInt8(ascii: "/")]) else { return false }
        // Dot segments are resolved already; what is left are those that some servers see after decoding slashes.
        let segments = PercentEncoding.decode(url.pathView.dropFirst(folder.count)).split {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        return !segments.contains { $0.elementsEqual("..".utf8) }
    }
}
