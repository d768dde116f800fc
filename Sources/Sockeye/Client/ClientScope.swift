package import SockeyeHTTP1

/// Where a client's requests go, and what a scoped one adds to each. By reference, so that copying a client is cheap.
package final class ClientScope: Sendable {
    /// What a scope consists of, to make another one that differs in some of it.
    package struct Settings: Sendable {
        package var transport: any HTTPTransport
        /// A base that cannot be parsed is an error of every request rather than of making the scope.
        package var baseURL: Result<HTTPURL, SockeyeError>?
        package var headers: Headers = [:]
        package var unixSocketPath: String?
        package var timeouts: Timeouts?
        package var tolerances: ResponseTolerances?
        /// Looked at by calls that serialize something.
        package var serialization: ScopeSerialization?
        package var interceptors = InterceptorList([RedirectPolicy()])
        package var monitors: [any EventMonitor] = []
        package var tasks = TransferDirectory(limit: nil)
        /// The clock of the interceptors.
        package var clock = CallClock.system

        fileprivate func chain(of interceptors: InterceptorList) -> InterceptorChain {
            InterceptorChain(interceptors, to: transport, monitors: monitors, clock: clock)
        }
    }

    package let settings: Settings
    /// The transport where it is the usual one, so that it need not be called through a protocol.
    let sockets: SocketTransport?
    /// Whether it adds nothing to a request.
    let isPlain: Bool
    /// What a request goes through.
    let chain: InterceptorChain
    /// Whether a call need not be followed through the chain from its beginning.
    let isQuick: Bool

    package init(_ settings: Settings) {
        self.settings = settings
        sockets = settings.transport as? SocketTransport
        isPlain =
            settings.headers.isEmpty && settings.unixSocketPath == nil && settings.timeouts == nil
            && settings.tolerances == nil
        chain = settings.chain(of: settings.interceptors)
        isQuick = chain.isQuick
    }

    package var transport: any HTTPTransport { settings.transport }
    package var baseURL: Result<HTTPURL, SockeyeError>? { settings.baseURL }
    package var headers: Headers { settings.headers }
    package var unixSocketPath: String? { settings.unixSocketPath }
    package var timeouts: Timeouts? { settings.timeouts }
    package var serialization: ScopeSerialization? { settings.serialization }

    /// A scope that differs in what `change` changes.
    package func changed(_ change: (inout Settings) -> Void) -> ClientScope {
        var settings = settings
        change(&settings)
        return ClientScope(settings)
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
            if values.options.tolerances == nil { values.options.tolerances = settings.tolerances }
        }
        return request
    }

    /// The scope's chain, or that of a call with interceptors of its own.
    func chain(for request: Request) -> InterceptorChain {
        request.parts.hasSeldomOptions ? chain(for: request.parts.options) : chain
    }

    private func chain(for options: RequestOptions) -> InterceptorChain {
        guard options.changesInterceptors else { return chain }
        let interceptors = settings.interceptors.without(options.skippedStages).adding(options.interceptors)
        return settings.chain(of: interceptors)
    }
}
