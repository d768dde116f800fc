public import SockeyeHTTP

extension Proxy {
    /// The rule that decides for each request if it goes through a proxy, and through which one.
    ///
    /// ```swift
    /// ClientConfiguration(proxy: .environment)
    /// ClientConfiguration(proxy: .http("http://user:secret@proxy.example.com:3128"))
    /// ClientConfiguration(proxy: .socks5("socks5h://127.0.0.1:1080"))
    /// ClientConfiguration(proxy: .inOrder([first, second]))
    /// ClientConfiguration(
    ///     proxy: .choosing { url in url.host.hasSuffix(".internal") ? nil : proxy })
    /// ```
    ///
    /// ``ClientConfiguration/addressPolicy`` checks the address of the proxy. For the kinds `socks4` and `socks5` the
    /// client resolves the target's name, and the policy also checks the target's addresses. Other proxies resolve the
    /// target's name themselves: ``ClientConfiguration/hostOverrides`` then do not apply to the target, and the policy
    /// checks the target only if it is an IP literal or a name under `localhost`. Requests over a unix-domain socket
    /// are never proxied.
    ///
    /// If the URL of a proxy is invalid, each request that would use this proxy fails with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``. If the proxy refuses to connect to the target, the request
    /// fails with ``SockeyeError/Code-swift.struct/proxyFailed``, and ``SockeyeError/proxyFailure-swift.property``
    /// names the failed step.
    ///
    /// Credentials go to the proxy only; see ``Proxy/Authentication``. A Proxy-Authorization field of the caller takes
    /// precedence over them. It is sent with the request or with CONNECT, and never to an origin.
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

        /// The proxies named by the environment when the client is made: `http_proxy` for http URLs, `https_proxy` for
        /// https URLs, `all_proxy` if the variable for the URL's scheme is unset, and `no_proxy` for exceptions.
        ///
        /// Lower-case names take precedence over upper-case ones, and `HTTP_PROXY` is ignored if `REQUEST_METHOD` is
        /// set (CVE-2016-5385). The entries of `no_proxy`, separated by commas, are names (including all names below
        /// them), IP addresses, networks such as `10.0.0.0/8`, or `*` for all hosts. A name or address may have a
        /// `:port`. `localhost`, names below it, 127.0.0.0/8 and ::1 never have a proxy.
        public static let environment = Proxy.Selection(choice: .environment)

        /// An http proxy for every request, by its URL (`http`, or `https` for TLS to the proxy) or by `host:port`; see
        /// ``Proxy/init(_:tls:authentication:connectHeaders:)``.
        public static func http(_ url: String) -> Proxy.Selection { fixed(url, "http", \.isHTTP) }

        /// A SOCKS proxy for every request, by its URL or by `host:port`, which means the kind `socks5h`; see
        /// ``Proxy/init(_:tls:authentication:connectHeaders:)``.
        public static func socks5(_ url: String) -> Proxy.Selection { fixed(url, "socks5h", \.isSOCKS) }

        /// One proxy for every request.
        public static func through(_ proxy: Proxy) -> Proxy.Selection {
            Proxy.Selection(choice: .fixed(.success(proxy)))
        }

        /// Several proxies, of which the first reachable one is used. During the five minutes after a proxy was
        /// unreachable, requests try the other proxies first.
        ///
        /// A proxy is unreachable if the look-up of its name, the connection to it or TLS with it fails. If a proxy
        /// does not answer the request for a tunnel, the next proxy is tried, but the silent one does not count as
        /// unreachable, because the target may be the cause. No further proxy is tried if a proxy refuses the request
        /// for a tunnel, or if the certificate of a proxy is refused.
        ///
        /// All tries together share the deadline ``Timeouts/total``. If a retry policy limits the time of an attempt,
        /// all tries also share that limit. The deadlines of the phases, such as ``Timeouts/connect``, apply to each
        /// try. With an empty list every request fails with ``SockeyeError/Code-swift.struct/badConfiguration``.
        /// SockeyeArchiving cannot encode this selection and throws.
        public static func inOrder(_ proxies: [Proxy]) -> Proxy.Selection {
            guard !proxies.isEmpty else {
                return Proxy.Selection(choice: .fixed(.failure(.badProxy("the list of proxies is empty"))))
            }
            let routes = proxies.map { Route.through($0) }
            return routing { _ in routes }
        }

        /// A proxy that a closure chooses for each exchange, including redirects; nil means a direct connection. The
        /// closure is called on any thread and should not block. SockeyeArchiving cannot encode a closure and throws.
        public static func choosing(_ choose: @escaping @Sendable (HTTPURL) -> Proxy?) -> Proxy.Selection {
            Proxy.Selection(choice: .choosing(choose))
        }

        /// Routes that a closure finds for each exchange, like a browser's configuration script (`FindProxyForURL`).
        ///
        /// The routes are tried as in ``inOrder(_:)``; an empty list means a direct connection. After a direct
        /// connection has failed, no further route is tried. SockeyeArchiving cannot encode a closure and throws.
        ///
        /// - Parameter route: May suspend, within the deadlines of the request. An error that it throws fails the
        ///   request with ``SockeyeError/Code-swift.struct/badConfiguration``.
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
                guard isWanted(proxy) else {
                    throw SockeyeError.badProxy("the scheme of the URL is for another kind of proxy than \(scheme)")
                }
                return proxy
            }
            return Proxy.Selection(choice: .fixed(proxy))
        }
    }

    /// A route to a target.
    @nonexhaustive public enum Route: Sendable, Hashable {
        /// Without a proxy.
        case direct
        /// Through a proxy.
        case through(Proxy)

        var proxy: Proxy? { if case .through(let proxy) = self { proxy } else { nil } }
    }

    private var isSOCKS: Bool { !isHTTP }
}
