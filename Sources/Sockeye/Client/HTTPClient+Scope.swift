public import SockeyeHTTP1

extension HTTPClient {
    /// A client over the same connections that adds to each request what is given here.
    ///
    /// Scopes nest: an inner one resolves its base against the outer's and overrides its fields by name.
    ///
    /// - Parameters:
    ///   - baseURL: What relative URLs are resolved against (RFC 3986 5.2). A path without a trailing slash gets one, as
    ///     with AFNetworking's `baseURL`: `"users"` appends, `"/users"` replaces the path, `"//host/x"` the host. A base
    ///     that cannot be parsed makes every request fail with ``SockeyeError/Code-swift.struct/invalidURL``.
    ///   - headers: Fields for each request that does not have them itself.
    ///   - unixSocketPath: A unix-domain socket to connect to instead of the URL's host.
    ///   - timeouts: Deadlines instead of the client's.
    public func scoped(
        baseURL: String? = nil, headers: Headers = [:], unixSocketPath: String? = nil, timeouts: Timeouts? = nil
    ) -> HTTPClient {
        let base = baseURL.map { url in Result { () throws(SockeyeError) in try scope.resolveBase(url) } }
        let inner = ClientScope(
            transport: scope.transport, baseURL: base ?? scope.baseURL, headers: headers.merging(scope.headers),
            unixSocketPath: unixSocketPath ?? scope.unixSocketPath, timeouts: timeouts ?? scope.timeouts)
        return HTTPClient(scope: inner)
    }
}
