package import SockeyeHTTP
package import SockeyeNet

/// The route of http requests to this machine (`localhost`, loopback addresses) under a client's configuration.
///
/// Without TLS, credentials are safe only on requests that stay on this machine. A proxy on another machine would read
/// the credentials. A host override can send requests for `localhost` to another machine.
package enum LoopbackRoute: Sendable {
    /// Directly, or through a proxy on this machine.
    case local
    /// Through a proxy on another machine. Also assumed for ``Proxy/Selection/routing(_:)`` and
    /// ``Proxy/Selection/inOrder(_:)``, because the proxy of an exchange is not known before the exchange begins.
    case remote
    /// Depends on the URL; the closure returns true if requests for it stay on this machine.
    case varying(@Sendable (HTTPURL) -> Bool)

    package init(_ selection: Proxy.Selection, _ overrides: HostOverrides) {
        switch selection.choice {
        // The environment's proxies are not used for requests to this machine. If the proxy is configured wrongly
        // (`.failure`), every request fails, so no request leaves this machine.
        case .none, .environment, .fixed(.failure): self = .local
        case .fixed(.success(let proxy)): self = proxy.isOnThisMachine(by: overrides) ? .local : .remote
        case .choosing(let choose): self = .varying { choose($0)?.isOnThisMachine(by: overrides) ?? true }
        case .routing: self = .remote
        }
        addOverrides(overrides)
    }

    /// The route of requests through a known proxy. If `proxy` is nil, the requests are direct.
    init(through proxy: Proxy?, _ overrides: HostOverrides) {
        self = proxy?.isOnThisMachine(by: overrides) ?? true ? .local : .remote
        addOverrides(overrides)
    }

    private mutating func addOverrides(_ overrides: HostOverrides) {
        guard overrides.hasRemoteAddresses else { return }
        let route = self
        self = .varying { !overrides.leadsAway($0.connectHost, port: $0.port) && route.isLocal($0) }
    }

    /// Returns true if requests for a URL of this machine stay on this machine.
    package func isLocal(_ url: HTTPURL) -> Bool {
        switch self {
        case .local: true
        case .remote: false
        case .varying(let isLocal): isLocal(url)
        }
    }
}

extension Proxy {
    /// Returns true if the proxy's host is a loopback address or `localhost`, and no override maps that host to another
    /// machine.
    fileprivate func isOnThisMachine(by overrides: HostOverrides) -> Bool {
        HTTPURL.Origin(scheme: .http, host: host, port: UInt16(clamping: port)).isLoopback
            && !overrides.leadsAway(address.connectHost, port: port)
    }
}

extension OutgoingRequest.Parts {
    /// True if the request stays on this machine or is encrypted.
    package func isPrivate(by route: @autoclosure () -> LoopbackRoute) -> Bool {
        url.scheme == .https || options.unixSocketPath != nil || url.isLoopback && route().isLocal(url)
    }
}
