package import SockeyeHTTP

/// The key of pooled connections: what two requests must share to share one (curl, CVE-2026-1965 and 5545).
package struct PoolKey: PoolMachineKey {
    package let origin: HTTPURL.Origin
    package let unixSocketPath: String?
    /// What the connection goes through, and as whom.
    package let proxy: Proxy?
    /// The dialer of a client. It stands for everything that is set per client: sockets, resolver, local address, TLS.
    package let dialer: DialerID
    /// Which TLS configuration of the dialer: roots, identity, pins, revocation, evaluation. See ``TLSSetting``.
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

    /// The peer that ends the connections of a key: a proxy that forwards requests ends those to any origin.
    enum Peer: Hashable, Sendable {
        case proxy(Proxy)
        case key(PoolKey)
    }

    var peer: Peer {
        if let proxy, proxy.forwardsPlain, origin.scheme == .http { return .proxy(proxy) }
        return .key(self)
    }

    /// In line, and first what is compared by one instruction: each request is compared with the pool's latest key.
    @inline(__always)
    package static func == (left: PoolKey, right: PoolKey) -> Bool {
        left.tls == right.tls && left.dialer == right.dialer && left.origin == right.origin
            && left.unixSocketPath == right.unixSocketPath && left.proxy == right.proxy
    }

    /// Hashes origin and dialer: clients that share a pool may be many, but each has few keys for an origin.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        hasher.combine(dialer)
    }
}
