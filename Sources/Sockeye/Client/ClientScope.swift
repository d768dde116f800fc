package import SockeyeEngine
package import SockeyeHTTP
import Synchronization

/// Where a client's requests go, and what a scoped one adds to each. By reference, so that copying a client is cheap.
package final class ClientScope: Sendable {
    /// What a scope consists of, to make another one that differs in some of it.
    package struct Settings: Sendable {
        package var transport: any HTTPTransport
        /// A base that cannot be parsed is an error of every request rather than of making the scope.
        package var baseURL: Result<HTTPURL, SockeyeError>?
        /// The origins that the scope's credentials are meant for: that of the base first, then those that are trusted.
        /// Nil: whichever its calls lead to.
        package var origins: [HTTPURL.Origin]?
        /// Whether this is what is left of a scope for origins that it is not meant for.
        var isDeparted = false
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
    /// Whether it is meant for some origins only; see ``serves(_:)``.
    let isBound: Bool
    /// What a request goes through.
    let chain: InterceptorChain
    /// Made by the first call that leads elsewhere, and kept for the next ones.
    private let elsewhere = AtomicLazyReference<ClientScope>()

    package init(_ settings: Settings) {
        self.settings = settings
        sockets = settings.transport as? SocketTransport
        isPlain =
            settings.headers.isEmpty && settings.unixSocketPath == nil && settings.timeouts == nil
            && settings.tolerances == nil && !settings.isDeparted
        isBound = settings.origins != nil
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
    package func resolve(_ url: some HTTPURLConvertible) throws(SockeyeError) -> HTTPURL {
        let base = try baseURL?.get()
        do throws(HTTPURL.Fault) {
            return try url.httpURL(relativeTo: base)
        } catch {
            throw SockeyeError(error)
        }
    }

    /// A base for another scope: with a path that ends in a slash.
    package func resolveBase(_ url: some HTTPURLConvertible) throws(SockeyeError) -> HTTPURL {
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
        // A call's URL usually is a path, which the base's origin was handed on to as it is.
        return origins.contains { url.isAt($0) }
    }

    /// The scope as it is for a request to `url`: this one, or what is left of it where a redirect could have led.
    func serving(_ url: HTTPURL) throws(SockeyeError) -> ClientScope {
        serves(url) ? self : try departed()
    }

    /// The scope for calls to origins that it is not meant for: without its credentials and its unix-domain socket, as if
    /// a redirect had led there.
    func departed() throws(SockeyeError) -> ClientScope {
        // A base that is none has no origin, and so serves no URL.
        if case .failure(let error)? = baseURL { throw error }
        if let made = elsewhere.load() { return made }
        return elsewhere.storeIfNil(ClientScope(settings.departed))
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
            if settings.isDeparted { values.options.isOutsideScope = true }
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
    var departed: ClientScope.Settings {
        // Referer may show a secure page's URL to whoever listens (RFC 9110 10.1.3).
        let withheld = interceptors.strippedFields + [.referer]
        var settings = self
        settings.origins = nil
        settings.isDeparted = true
        settings.headers = headers.withoutCredentials(and: withheld)
        settings.unixSocketPath = nil
        settings.interceptors = interceptors.departed
        settings.serialization = serialization?.withholding(withheld)
        return settings
    }

    /// Makes the URL the base of what relative URLs are resolved against. What was meant for other origins than its own
    /// stays behind.
    mutating func setBase(_ base: Result<HTTPURL, SockeyeError>) {
        if let origin = try? base.get().origin {
            if origins?.contains(origin) == false { self = departed }
            // In front, where calls look first.
            origins = [origin] + (origins ?? []).filter { $0 != origin }
        } else {
            origins = []
        }
        baseURL = base
    }
}
