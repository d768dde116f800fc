package import SockeyeHTTP

/// The route of http requests to this machine (`localhost`, loopback addresses) under a proxy configuration. A proxy on
/// another machine would read their credentials and take `localhost` for its own machine.
package enum LoopbackRoute: Sendable {
    /// Directly, or through a proxy on this machine.
    case local
    /// Through a proxy on another machine, or through routes that are only known at each exchange.
    case remote
    /// Chosen by a closure for each URL.
    case choosing(@Sendable (HTTPURL) -> Proxy?)

    package init(_ configuration: Proxy.Selection) {
        switch configuration.choice {
        // The environment's proxies are not used for this machine; a malformed proxy fails every request.
        case .none, .environment, .fixed(.failure): self = .local
        case .fixed(.success(let proxy)): self = proxy.isOnThisMachine ? .local : .remote
        case .choosing(let choose): self = .choosing(choose)
        case .routing: self = .remote
        }
    }

    /// True if a request for a URL of this machine stays on it.
    package func isLocal(_ url: HTTPURL) -> Bool {
        switch self {
        case .local: true
        case .remote: false
        case .choosing(let choose): choose(url)?.isOnThisMachine ?? true
        }
    }
}

extension Proxy {
    /// True if the proxy's host is a loopback address or `localhost`.
    var isOnThisMachine: Bool { HTTPURL.Origin(scheme: .http, host: host, port: UInt16(clamping: port)).isLoopback }
}

extension OutgoingRequest.Parts {
    /// True if the request stays on this machine or is encrypted.
    package func isPrivate(by route: LoopbackRoute) -> Bool {
        url.scheme == .https || options.unixSocketPath != nil || url.isLoopback && route.isLocal(url)
    }
}
