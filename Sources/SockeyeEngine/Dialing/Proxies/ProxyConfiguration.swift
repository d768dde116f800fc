public import SockeyeHTTP

extension Proxy {
    /// Which requests go through a proxy, and through which.
    ///
    /// ```swift
    /// ClientConfiguration(proxy: .environment)
    /// ClientConfiguration(proxy: .http("http://user:secret@proxy.example.com:3128"))
    /// ClientConfiguration(proxy: .socks5("socks5://127.0.0.1:1080"))
    /// ClientConfiguration(proxy: .choosing { url in url.host.hasSuffix(".internal") ? nil : proxy })
    /// ```
    ///
    /// The name of the target is resolved by the proxy, so ``ClientConfiguration/hostOverrides`` do not apply to it and
    /// ``ClientConfiguration/addressPolicy`` is asked about the address of the proxy only. Requests over a unix-domain socket
    /// are never proxied. What cannot be read as a proxy fails every request with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``; a proxy that refuses is
    /// ``SockeyeError/Code-swift.struct/proxyFailed``.
    ///
    /// Credentials go to the proxy only: Basic in Proxy-Authorization, or the user name and password of SOCKS. A
    /// Proxy-Authorization field of the caller's is sent to the proxy with http URLs, and never to an origin.
    public struct Configuration: Sendable {
        package enum Choice: Sendable {
            case none
            case environment
            case fixed(Result<Proxy, SockeyeError>)
            case choosing(@Sendable (HTTPURL) -> Proxy?)
        }

        package let choice: Choice

        package init(choice: Choice) { self.choice = choice }

        /// No proxy. The default.
        public static let none = Proxy.Configuration(choice: .none)

        /// What the environment says when the client is made: `http_proxy` for http URLs, `https_proxy` for https URLs,
        /// `all_proxy` for both where these are missing, and `no_proxy`.
        ///
        /// Lower-case names come before upper-case ones, and `HTTP_PROXY` is ignored where `REQUEST_METHOD` is set
        /// (CVE-2016-5385). `no_proxy` lists, separated by commas, names (with all names below them), IP addresses, networks
        /// such as `10.0.0.0/8`, each but these with a `:port` if that matters, or `*` for everything. `localhost`, names
        /// below it, 127.0.0.0/8 and ::1 never have a proxy.
        public static let environment = Proxy.Configuration(choice: .environment)

        /// An http proxy for every request, by its URL or by `host:port`; see ``Proxy/init(_:)``.
        public static func http(_ url: String) -> Proxy.Configuration { fixed(url, .http) }

        /// A SOCKS 5 proxy for every request, by its URL or by `host:port`; see ``Proxy/init(_:)``.
        public static func socks5(_ url: String) -> Proxy.Configuration { fixed(url, .socks5) }

        /// A proxy that code chooses for each exchange, redirects included; nil is no proxy. The closure is called on any
        /// thread and should not block. Not archived.
        public static func choosing(_ choose: @escaping @Sendable (HTTPURL) -> Proxy?) -> Proxy.Configuration {
            Proxy.Configuration(choice: .choosing(choose))
        }

        private static func fixed(_ url: String, _ kind: Proxy.Kind) -> Proxy.Configuration {
            let text = url.contains("://") ? url : "\(kind.rawValue)://\(url)"
            let proxy = Result { () throws(SockeyeError) in
                let proxy = try Proxy(text)
                guard proxy.kind == kind else { throw SockeyeError.badProxy("the URL names another kind of proxy") }
                return proxy
            }
            return Proxy.Configuration(choice: .fixed(proxy))
        }
    }
}

/// The choice of a proxy for each URL by a ``Proxy/Configuration``; what does not depend on the URL is worked out once.
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
