public import SockeyeHTTP

extension Proxy {
    /// Which requests go through a proxy, and through which.
    ///
    /// ```swift
    /// ClientConfiguration(proxy: .environment)
    /// ClientConfiguration(proxy: .http("http://user:secret@proxy.example.com:3128"))
    /// ClientConfiguration(proxy: .socks5("socks5h://127.0.0.1:1080"))
    /// ClientConfiguration(proxy: .inOrder([first, second]))
    /// ClientConfiguration(proxy: .choosing { url in url.host.hasSuffix(".internal") ? nil : proxy })
    /// ```
    ///
    /// A proxy that takes names resolves the name of the target, so ``ClientConfiguration/hostOverrides`` do not apply to it and
    /// ``ClientConfiguration/addressPolicy`` is asked about the address of the proxy only. Of the kinds `socks4` and `socks5` the
    /// client resolves it, and asks the policy about that address, too. Requests over a unix-domain socket
    /// are never proxied. What cannot be read as a proxy fails every request with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``; a proxy that refuses is
    /// ``SockeyeError/Code-swift.struct/proxyFailed``, and ``SockeyeError/proxyFailure-swift.property`` says which step failed.
    ///
    /// Credentials go to the proxy only: see ``Proxy/Authentication``. A Proxy-Authorization field of the caller's goes before
    /// them, with the request or with CONNECT, and never to an origin.
    public struct Selection: Sendable {
        package enum Choice: Sendable {
            case none
            case environment
            case fixed(Result<Proxy, SockeyeError>)
            case choosing(@Sendable (HTTPURL) -> Proxy?)
            case routing(@Sendable (HTTPURL) async throws -> [Route])
        }

        package let choice: Choice

        package init(choice: Choice) { self.choice = choice }

        /// No proxy. The default.
        public static let none = Proxy.Selection(choice: .none)

        /// What the environment says when the client is made: `http_proxy` for http URLs, `https_proxy` for https URLs,
        /// `all_proxy` for both where these are missing, and `no_proxy`.
        ///
        /// Lower-case names come before upper-case ones, and `HTTP_PROXY` is ignored where `REQUEST_METHOD` is set
        /// (CVE-2016-5385). `no_proxy` lists, separated by commas, names (with all names below them), IP addresses, networks
        /// such as `10.0.0.0/8`, each but these with a `:port` if that matters, or `*` for everything. `localhost`, names
        /// below it, 127.0.0.0/8 and ::1 never have a proxy.
        public static let environment = Proxy.Selection(choice: .environment)

        /// An http proxy for every request, by its URL (`http` or `https`, which is TLS to the proxy) or by `host:port`; see
        /// ``Proxy/init(_:tls:authentication:connectHeaders:)``.
        public static func http(_ url: String) -> Proxy.Selection { fixed(url, "http", \.isHTTP) }

        /// A SOCKS proxy for every request, by its URL, or by `host:port` of one of the kind `socks5h`; see
        /// ``Proxy/init(_:tls:authentication:connectHeaders:)``.
        public static func socks5(_ url: String) -> Proxy.Selection { fixed(url, "socks5h", \.isSOCKS) }

        /// One proxy for every request.
        public static func through(_ proxy: Proxy) -> Proxy.Selection {
            Proxy.Selection(choice: .fixed(.success(proxy)))
        }

        /// Several proxies: the first that can be reached. One that cannot is passed over for five minutes, unless all are such.
        ///
        /// A proxy that refuses is none that cannot be reached. What a request has for all tries together are its deadlines.
        /// Without any in the list every request fails with ``SockeyeError/Code-swift.struct/badConfiguration``.
        public static func inOrder(_ proxies: [Proxy]) -> Proxy.Selection {
            guard !proxies.isEmpty else {
                return Proxy.Selection(choice: .fixed(.failure(.badProxy("the list of proxies is empty"))))
            }
            let routes = proxies.map { Route.through($0) }
            return routing { _ in routes }
        }

        /// A proxy that code chooses for each exchange, redirects included; nil is no proxy. The closure is called on any
        /// thread and should not block. Not archived.
        public static func choosing(_ choose: @escaping @Sendable (HTTPURL) -> Proxy?) -> Proxy.Selection {
            Proxy.Selection(choice: .choosing(choose))
        }

        /// The ways that code finds for each exchange, as a browser's configuration script does (`FindProxyForURL`): tried as those
        /// of ``inOrder(_:)``, and none is a direct connection. Not archived.
        ///
        /// - Parameter route: May wait; within the deadlines of the request. What it throws fails the request with
        ///   ``SockeyeError/Code-swift.struct/badConfiguration``.
        public static func routing(
            _ route: @escaping @Sendable (HTTPURL) async throws -> [Route]
        ) -> Proxy.Selection {
            Proxy.Selection(choice: .routing(route))
        }

        private static func fixed(
            _ url: String, _ scheme: String, _ isWanted: (Proxy) -> Bool
        ) -> Proxy.Selection {
            let text = url.contains("://") ? url : "\(scheme)://\(url)"
            let proxy = Result { () throws(SockeyeError) in
                let proxy = try Proxy(text)
                guard isWanted(proxy) else { throw SockeyeError.badProxy("the URL names another kind of proxy") }
                return proxy
            }
            return Proxy.Selection(choice: .fixed(proxy))
        }
    }

    /// A way to a target.
    @nonexhaustive public enum Route: Sendable, Hashable {
        /// Without a proxy.
        case direct
        /// Through a proxy.
        case through(Proxy)

        var proxy: Proxy? { if case .through(let proxy) = self { proxy } else { nil } }
    }

    private var isSOCKS: Bool { !isHTTP }
}
