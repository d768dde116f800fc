package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// The shared state of an ``HTTPClient``: its transport and the defaults that it adds to each request. A class, so that
/// copying a client is cheap.
package final class ClientScope: Sendable {
    /// The values of a scope. A derived scope gets a changed copy.
    package struct Settings: Sendable {
        package var transport: any HTTPTransport
        /// The base URL; nil if the scope has none. A parse error is reported by every request, because creating a
        /// scope does not throw.
        package var baseURL: Result<HTTPURL, SockeyeError>?
        /// The origins that receive the scope's credentials: first the origin of the base URL, then the trusted ones.
        /// Nil: all origins.
        package var origins: [HTTPURL.Origin]?
        /// True if URLs outside of the base are refused.
        package var isConfined = false
        /// True if these settings are for requests to other origins than the scope's. Such requests get no
        /// credentials.
        package var isOutsideScope = false
        package var headers: Headers = [:]
        package var unixSocketPath: String?
        package var timeouts: Timeouts?
        package var tolerances: ResponseTolerances?
        /// The context values for calls that do not set them.
        package var context = OutgoingRequest.Context()
        /// The serializers of the scope; nil for the defaults.
        package var serialization: ScopeSerialization?
        package var interceptors = InterceptorList([RedirectPolicy()])
        package var monitors: [any EventMonitor] = []
        /// See ``ClientConfiguration/runningTasks``.
        package var runningTasks: Int?
        package var objects = ClientObjects()
        /// Work that does not belong to one call, such as refreshes of stored responses.
        package var background = BackgroundWork()
        /// Ends the background work when the last copy of the client is released. Nil for a custom transport: several
        /// short-lived clients may share it, and their background work must outlive them. Only
        /// ``HTTPClient/shutDown(graceful:within:)`` ends the work of such a client.
        package var lifetime: ClientLifetime?
        /// The clock of the interceptors.
        package var clock = CallClock.system

        /// - Parameter secretFields: The fields that count as credentials; nil to take them from the redirect policies
        ///   of `interceptors`.
        fileprivate func chain(
            of interceptors: InterceptorList, secretFields: Set<Headers.Name>? = nil
        ) -> InterceptorChain {
            InterceptorChain(
                interceptors, secretFields: secretFields, to: transport, monitors: monitors, clock: clock,
                background: background)
        }
    }

    package let settings: Settings
    /// The built-in transport that sends the requests. It is the client's transport itself, or a custom transport
    /// passes the requests to it. Nil if no built-in transport is used.
    package let sockets: SocketTransport?
    /// True if the scope adds nothing to a request.
    let isPlain: Bool
    /// True if the scope's credentials are bound to origins; see ``serves(_:)``.
    let isOriginBound: Bool
    /// The interceptors followed by the transport.
    package let chain: InterceptorChain
    /// The scope for other origins, created by the first call to another origin.
    private let cachedOutsideScope = AtomicLazyReference<ClientScope>()

    package init(_ settings: Settings) {
        self.settings = settings
        sockets = settings.transport.sockets
        isPlain =
            settings.headers.isEmpty && settings.unixSocketPath == nil && settings.timeouts == nil
            && settings.tolerances == nil && settings.context.isEmpty && !settings.isOutsideScope
        isOriginBound = settings.origins != nil
        chain = settings.chain(of: settings.interceptors)
    }

    package var transport: any HTTPTransport { settings.transport }
    package var baseURL: Result<HTTPURL, SockeyeError>? { settings.baseURL }
    package var headers: Headers { settings.headers }
    package var unixSocketPath: String? { settings.unixSocketPath }
    package var timeouts: Timeouts? { settings.timeouts }
    package var serialization: ScopeSerialization? { settings.serialization }

    /// Returns a scope with settings changed by `change`.
    package func changed(_ change: (inout Settings) -> Void) -> ClientScope {
        var settings = settings
        change(&settings)
        return ClientScope(settings)
    }

    /// Resolves a call's URL against the base (RFC 3986 5.2). Throws if the scope is confined and the result is outside
    /// of the base.
    ///
    /// - Parameter method: The method of the call, for the error.
    package func resolve(
        _ url: some HTTPURL.Convertible, for method: HTTPRequest.Method = .get
    ) throws(SockeyeError) -> HTTPURL {
        let base = try baseURL?.get()
        let resolved: HTTPURL
        do throws(HTTPURL.Fault) {
            resolved = try url.httpURL(relativeTo: base)
        } catch {
            throw SockeyeError(error)
        }
        if settings.isConfined { try checkConfinement(of: resolved, for: method) }
        return resolved
    }

    /// Resolves the base URL of a derived scope. The path of the result ends in a slash.
    package func resolveBase(_ url: some HTTPURL.Convertible) throws(SockeyeError) -> HTTPURL {
        let base = try resolve(url)
        do throws(HTTPURL.Fault) {
            return try base.withDirectoryPath
        } catch {
            throw SockeyeError(error)
        }
    }

    // MARK: Origins for the scope's credentials

    /// True if the scope's credentials may be sent to the origin of `url`.
    @inline(__always)
    func serves(_ url: HTTPURL) -> Bool {
        guard let origins = settings.origins else { return true }
        // Usually one comparison: most URLs are relative to the base, and the origin of the base comes first.
        return origins.contains { url.isAt($0) }
    }

    /// Returns the scope for a request to `url`: this one, or ``outsideScope()`` for another origin.
    package func serving(_ url: HTTPURL) throws(SockeyeError) -> ClientScope {
        serves(url) ? self : try outsideScope()
    }

    /// Returns the scope for calls to other origins. It has no credentials and no unix-domain socket, like a request
    /// that a redirect has led to another origin.
    func outsideScope() throws(SockeyeError) -> ClientScope {
        // If the base URL cannot be parsed, the scope has no origins, and every call fails with the parse error.
        if case .failure(let error)? = baseURL { throw error }
        if let made = cachedOutsideScope.load() { return made }
        return cachedOutsideScope.storeIfNil(ClientScope(settings.outsideScope))
    }

    // MARK: Requests

    /// Returns the request with the scope's defaults added. Values that the request sets take precedence.
    package func completing(_ request: OutgoingRequest) -> OutgoingRequest {
        guard !isPlain else { return request }
        var request = request
        request.change { values in
            if !headers.isEmpty { values.headers = values.headers.merging(headers) }
            if values.options.unixSocketPath == nil { values.options.unixSocketPath = unixSocketPath }
            if let timeouts { values.options.timeouts = values.options.timeouts?.over(timeouts) ?? timeouts }
            if values.options.tolerances == nil { values.options.tolerances = settings.tolerances }
            if !settings.context.isEmpty {
                values.options.context = values.options.context.over(settings.context)
            }
            if settings.isOutsideScope { values.options.isOutsideScope = true }
        }
        return request
    }

    /// Returns the scope's chain, or a new one if the request changes the interceptors.
    func chain(for request: OutgoingRequest) -> InterceptorChain {
        request.parts.hasRareOptions ? chain(for: request.parts.options) : chain
    }

    private func chain(for options: OutgoingRequest.Options) -> InterceptorChain {
        guard options.changesInterceptors else { return chain }
        let interceptors = settings.interceptors.without(options.skippedStages).adding(options.interceptors)
        // If a redirect policy is skipped or replaced, the fields that it lists still count as credentials.
        let secretFields = settings.interceptors.adding(options.interceptors).secretFields
        return settings.chain(of: interceptors, secretFields: secretFields)
    }
}

extension ClientScope.Settings {
    /// A copy for other origins: without credentials and other settings meant for the scope's origins only.
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

    /// Sets the base URL. Drops the scope's credentials if they must not be sent to the origin of the base URL.
    mutating func setBase(_ base: Result<HTTPURL, SockeyeError>) {
        if let origin = try? base.get().origin {
            if origins?.contains(origin) == false { self = outsideScope }
            origins = [origin] + (origins ?? []).filter { $0 != origin }
        } else {
            origins = []
        }
        baseURL = base
    }

    /// Adds the origins of `urls` to those that receive the scope's credentials. If the credentials could go to all
    /// origins before, they now go only to these. If a URL cannot be parsed, every request fails.
    mutating func trust(_ urls: [String]) {
        guard !urls.isEmpty else { return }
        switch HTTPURL.Origin.parsing(urls) {
        case .success(let parsed): origins = (origins ?? []) + parsed
        case .failure(let error): setBase(.failure(error))
        }
    }

    /// Sets the serializers that are not nil. A new request serializer is meant for the current origins, so it may add
    /// any field. If the previous one stays, the fields that it must not add (``ScopeSerialization/withheld``) stay the
    /// same, because it may have been made for other origins.
    mutating func serialize(with requestSerializer: (any RequestSerializer)?, _ decoder: (any ResponseDecoder)?) {
        guard requestSerializer != nil || decoder != nil else { return }
        serialization = ScopeSerialization(
            requestSerializer: requestSerializer ?? serialization?.requestSerializer,
            decoder: decoder ?? serialization?.decoder,
            withheld: requestSerializer == nil ? serialization?.withheld : nil)
    }
}
