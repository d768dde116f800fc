package import SockeyeHTTP1

/// What a scoped client adds to every request.
package struct ClientScope: Sendable {
    /// A base that cannot be parsed is an error of every request rather than of making the scope.
    package var baseURL: Result<HTTPURL, SockeyeError>?
    package var headers = Headers()
    package var unixSocketPath: String?
    package var timeouts: Timeouts?

    package init() {}

    /// Resolves a call's URL against the base (RFC 3986 5.2).
    package func resolve(_ url: String) throws(SockeyeError) -> HTTPURL {
        guard let baseURL else { return try HTTPURL(checking: url) }
        let base = try baseURL.get()
        do throws(URLFault) {
            return try base.resolving(url)
        } catch {
            throw SockeyeError(error)
        }
    }

    /// A base for another scope: with a path that ends in a slash.
    package func resolveBase(_ url: String) throws(SockeyeError) -> HTTPURL {
        let base = try resolve(url)
        do throws(URLFault) {
            return try base.withDirectoryPath
        } catch {
            throw SockeyeError(error)
        }
    }

    /// The request with the scope's defaults for whatever it leaves open.
    package func completing(_ request: Request) -> Request {
        guard !headers.isEmpty || unixSocketPath != nil || timeouts != nil else { return request }
        var request = request
        if !headers.isEmpty { request.headers = request.headers.merging(headers) }
        if request.options.unixSocketPath == nil { request.options.unixSocketPath = unixSocketPath }
        if request.options.timeouts == nil { request.options.timeouts = timeouts }
        return request
    }
}
