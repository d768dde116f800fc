package import SockeyeHTTP

/// The key of pooled connections: the properties that two requests must have in common to use the same connection. For
/// the consequences of a missing property see CVE-2026-1965 and CVE-2026-5545 of curl.
package struct PoolKey: PoolMachineKey {
    package let origin: HTTPURL.Origin
    package let unixSocketPath: String?
    /// The proxy and the credentials for it; nil for a direct connection.
    package let proxy: Proxy?
    /// The dialer of a client. It represents all settings of the client: sockets, resolver, local address, TLS.
    package let dialer: DialerID
    /// The id of the TLS configuration within the dialer: roots, identity, pins, revocation, evaluation. 0 for the
    /// client's own configuration, and for connections without TLS. See ``TLSSetting``.
    package let tls: Int

    package init(
        origin: HTTPURL.Origin, unixSocketPath: String?, proxy: Proxy? = nil, dialer: DialerID, tls: Int = 0
    ) {
        self.tls = tls
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.proxy = proxy
        self.dialer = dialer
    }

    package var owner: DialerID { dialer }

    /// The peer under which ``CloseHistory`` records closed connections. If a proxy forwards the requests, the peer is
    /// the proxy, for all origins.
    enum Peer: Hashable, Sendable {
        case proxy(Proxy)
        case key(PoolKey)
    }

    var peer: Peer {
        if let proxy, proxy.forwardsPlain, origin.scheme == .http { return .proxy(proxy) }
        return .key(self)
    }

    /// Inlined, with the cheap comparisons first: each request compares its key with the pool's latest key.
    @inline(__always)
    package static func == (left: PoolKey, right: PoolKey) -> Bool {
        left.tls == right.tls && left.dialer == right.dialer && left.origin == right.origin
            && haveEqualPaths(left, right) && left.proxy == right.proxy
    }

    /// Compares the socket paths byte by byte; see `BytewiseText`.
    @inline(__always)
    private static func haveEqualPaths(_ left: PoolKey, _ right: PoolKey) -> Bool {
        guard let path = left.unixSocketPath else { return right.unixSocketPath == nil }
        return right.unixSocketPath?.utf8.elementsEqual(path.utf8) ?? false
    }

    /// Hashes every property, because one origin may have thousands of keys, for example if each call has its own proxy
    /// user or TLS options.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        hasher.combine(dialer)
        hasher.combine(tls)
        if let unixSocketPath { hasher.combine(unixSocketPath) }
        if let proxy { hasher.combine(proxy) }
    }
}
