package import SockeyeHTTP1

/// Where a client's requests go, and what a scoped one adds to each. By reference, so that copying a client is cheap.
package final class ClientScope: Sendable {
    package let transport: any HTTPTransport
    /// The transport where it is the usual one, so that it need not be called through a protocol.
    let sockets: SocketTransport?
    /// Whether it adds nothing to a request.
    let isPlain: Bool
    /// A base that cannot be parsed is an error of every request rather than of making the scope.
    package let baseURL: Result<HTTPURL, SockeyeError>?
    package let headers: Headers
    package let unixSocketPath: String?
    package let timeouts: Timeouts?
    /// Looked at by calls that serialize something.
    package let serialization: ScopeSerialization?

    package init(
        transport: any HTTPTransport, baseURL: Result<HTTPURL, SockeyeError>? = nil, headers: Headers = [:],
        unixSocketPath: String? = nil, timeouts: Timeouts? = nil, serialization: ScopeSerialization? = nil
    ) {
        self.transport = transport
        isPlain = headers.isEmpty && unixSocketPath == nil && timeouts == nil
        sockets = transport as? SocketTransport
        self.baseURL = baseURL
        self.headers = headers
        self.unixSocketPath = unixSocketPath
        self.timeouts = timeouts
        self.serialization = serialization
    }

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
        guard !isPlain else { return request }
        var request = request
        request.change { values in
            if !headers.isEmpty { values.headers = values.headers.merging(headers) }
            if values.options.unixSocketPath == nil { values.options.unixSocketPath = unixSocketPath }
            if values.options.timeouts == nil { values.options.timeouts = timeouts }
        }
        return request
    }
}
