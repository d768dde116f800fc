package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The shared state of an ``HTTPClient``: its transport, and the defaults that it adds to each request. A reference, so
/// that copying a client is cheap.
package final class ClientScope: Sendable {
    /// The values of a scope; another scope is made of a changed copy.
    package struct Settings: Sendable {
        package var transport: any HTTPTransport
        /// A base that cannot be parsed is an error of every request rather than of making the scope.
        package var baseURL: Result<HTTPURL, SockeyeError>?
        /// The origins that get the scope's credentials: that of the base URL first, then the trusted ones. Nil: every
        /// origin.
        package var origins: [HTTPURL.Origin]?
        /// Whether URLs outside of the base are refused.
        package var isConfined = false
        /// Whether these are the settings for other origins, without credentials.
        package var isOutsideScope = false
        package var headers: Headers = [:]
        package var unixSocketPath: String?
        package var timeouts: Timeouts?
        package var tolerances: ResponseTolerances?
        /// The serializers of the scope; nil for the defaults.
        package var serialization: ScopeSerialization?
        package var interceptors = InterceptorList([RedirectPolicy()])
        package var monitors: [any EventMonitor] = []
        package var tasks = TransferRegistry(limit: nil)
        /// The work that no caller waits for.
        package var background = BackgroundWork()
        /// Of clients over sockets. A custom transport may be shared by clients that come and go, so only
        /// ``HTTPClient/shutDown(graceful:within:)`` ends their background work.
        package var lifetime: ClientLifetime?
        /// The clock of the interceptors.
        package var clock = CallClock.system

        fileprivate func chain(of interceptors: InterceptorList) -> InterceptorChain {
            InterceptorChain(
                interceptors, to: transport, monitors: monitors, clock: clock, background: background)
        }
    }

    package let settings: Settings
    /// The built-in transport that the client's own transport is, or passes requests to.
    let sockets: SocketTransport?
    /// Whether it adds nothing to a request.
    let isPlain: Bool
    /// Whether its credentials are bound to origins; see ``serves(_:)``.
    let isOriginBound: Bool
    /// The interceptors, with the transport behind them.
    let chain: InterceptorChain
    /// The scope for other origins, made by the first call to one.
    private let elsewhere = AtomicLazyReference<ClientScope>()

    package init(_ settings: Settings) {
        self.settings = settings
        sockets = settings.transport.sockets
        isPlain =
            settings.headers.isEmpty && settings.unixSocketPath == nil && settings.timeouts == nil
            && settings.tolerances == nil && !settings.isOutsideScope
        isOriginBound = settings.origins != nil
        chain = settings.chain(of: settings.interceptors)
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
    package func resolve(_ url: some HTTPURL.Convertible) throws(SockeyeError) -> HTTPURL {
        let base = try baseURL?.get()
        let resolved: HTTPURL
        do throws(HTTPURL.Fault) {
            resolved = try url.httpURL(relativeTo: base)
        } catch {
            throw SockeyeError(error)
        }
        if settings.isConfined { try checkConfinement(of: resolved) }
        return resolved
    }

    /// A base for another scope: with a path that ends in a slash.
    package func resolveBase(_ url: some HTTPURL.Convertible) throws(SockeyeError) -> HTTPURL {
        let base = try resolve(url)
        do throws(HTTPURL.Fault) {
            return try base.withDirectoryPath
        } catch {
            throw SockeyeError(error)
        }
    }

    // MARK: Where the scope's credentials go

    /// Whether the scope's credentials are meant for where a URL leads.
    @inline(__always)
    func serves(_ url: HTTPURL) -> Bool {
        guard let origins = settings.origins else { return true }
        // Usually one comparison: a relative URL has the origin of the base.
        return origins.contains { url.isAt($0) }
    }

    /// The scope for a request to `url`: this one, or ``outsideScope()`` for another origin.
    func serving(_ url: HTTPURL) throws(SockeyeError) -> ClientScope {
        serves(url) ? self : try outsideScope()
    }

    /// The scope for calls to other origins: without credentials and unix-domain socket, as after a redirect.
    func outsideScope() throws(SockeyeError) -> ClientScope {
        // A base URL that cannot be parsed has no origin.
        if case .failure(let error)? = baseURL { throw error }
        if let made = elsewhere.load() { return made }
        return elsewhere.storeIfNil(ClientScope(settings.outsideScope))
    }

    // MARK: Requests

    /// The request with the scope's defaults for whatever it leaves open.
    package func completing(_ request: OutgoingRequest) -> OutgoingRequest {
        guard !isPlain else { return request }
        var request = request
        request.change { values in
            if !headers.isEmpty { values.headers = values.headers.merging(headers) }
            if values.options.unixSocketPath == nil { values.options.unixSocketPath = unixSocketPath }
            if let timeouts { values.options.timeouts = values.options.timeouts?.over(timeouts) ?? timeouts }
            if values.options.tolerances == nil { values.options.tolerances = settings.tolerances }
            if settings.isOutsideScope { values.options.isOutsideScope = true }
        }
        return request
    }

    /// The scope's chain, or that of a call with interceptors of its own.
    func chain(for request: OutgoingRequest) -> InterceptorChain {
        request.parts.hasRareOptions ? chain(for: request.parts.options) : chain
    }

    private func chain(for options: OutgoingRequest.Options) -> InterceptorChain {
        guard options.changesInterceptors else { return chain }
        let interceptors = settings.interceptors.without(options.skippedStages).adding(options.interceptors)
        return settings.chain(of: interceptors)
    }
}

extension ClientScope.Settings {
    /// These settings without what was meant for the scope's origins.
    var outsideScope: ClientScope.Settings {
        // Referer may leak the URL of a secure page (RFC 9110 10.1.3).
        let withheld = interceptors.strippedFields + [.referer]
        var settings = self
        settings.origins = nil
        settings.isOutsideScope = true
        settings.headers = headers.withoutCredentials(and: withheld)
        settings.unixSocketPath = nil
        settings.interceptors = interceptors.outsideScope
        settings.serialization = serialization?.withholding(withheld)
        return settings
    }

    /// Sets the base URL. Credentials of other origins than its own are dropped.
    mutating func setBase(_ base: Result<HTTPURL, SockeyeError>) {
        if let origin = try? base.get().origin {
            if origins?.contains(origin) == false { self = outsideScope }
            // In front, where calls look first.
            origins = [origin] + (origins ?? []).filter { $0 != origin }
        } else {
            origins = []
        }
        baseURL = base
    }

    /// Adds origins that the scope's credentials go to, as any URLs of them.
    mutating func trust(_ urls: [String]) {
        guard !urls.isEmpty else { return }
        switch HTTPURL.Origin.parsing(urls) {
        case .success(let parsed): origins = (origins ?? []) + parsed
        case .failure(let error): setBase(.failure(error))
        }
    }

    /// Sets the serializers that are given. Who sets a request serializer means it for the origins that there are now.
    mutating func serialize(with requestSerializer: (any RequestSerializer)?, _ decoder: (any ResponseDecoder)?) {
        guard requestSerializer != nil || decoder != nil else { return }
        serialization = ScopeSerialization(
            requestSerializer: requestSerializer ?? serialization?.requestSerializer,
            decoder: decoder ?? serialization?.decoder,
            withheld: requestSerializer == nil ? serialization?.withheld : nil)
    }
}
