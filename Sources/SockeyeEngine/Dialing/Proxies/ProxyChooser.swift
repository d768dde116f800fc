import SockeyeHTTP

/// A ``Proxy/Configuration`` at work: what does not depend on the request is worked out once.
struct ProxyChooser: Sendable {
    private enum Choice: Sendable {
        case fixed(Result<Proxy, SockeyeError>)
        case environment(ProxyEnvironment)
        case choosing(@Sendable (HTTPURL) -> Proxy?)
    }

    private let choice: Choice

    /// Nil where there is nothing to choose.
    init?(_ configuration: Proxy.Configuration, environment: EnvironmentVariables = .process) {
        switch configuration.choice {
        case .none: return nil
        case .fixed(let proxy): choice = .fixed(proxy)
        case .environment: choice = .environment(ProxyEnvironment { environment[$0] })
        case .choosing(let choose): choice = .choosing(choose)
        }
    }

    /// The proxy for a URL that is not reached through a unix-domain socket.
    func proxy(for url: HTTPURL) throws(SockeyeError) -> Proxy? {
        switch choice {
        case .fixed(let proxy): return try proxy.get()
        case .choosing(let choose): return choose(url)
        case .environment(let environment):
            let address: ProxyAddress?
            do throws(ProxyAddressFault) {
                address = try environment.proxy(for: url)
            } catch {
                throw .badProxy(error.description)
            }
            guard let address else { return nil }
            return try Proxy(address)
        }
    }
}
