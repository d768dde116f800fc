package import SockeyeHTTP1

/// What two requests must share to share a connection (RULE 34).
package struct PoolKey: Hashable, Sendable {
    package let origin: Origin
    package let unixSocketPath: String?
    /// Stands for everything that is set per dialer: TLS settings with roots, identity and pins, proxy, local address.
    package let dialer: ObjectIdentifier

    package init(origin: Origin, unixSocketPath: String?, dialer: ObjectIdentifier) {
        self.origin = origin
        self.unixSocketPath = unixSocketPath
        self.dialer = dialer
    }
}
