package import SockeyeHTTP
import Synchronization

/// The parameters of a dial (name resolution, connect and TLS handshake).
package struct DialTarget: Sendable {
    package let url: HTTPURL
    package let unixSocketPath: String?
    package let proxy: Proxy?
    package let limits: PhaseLimits
    package let dialer: Dialer
    /// The TLS settings, if the connection uses TLS.
    package let tls: TLSSetting

    package init(
        url: HTTPURL, unixSocketPath: String?, proxy: Proxy?, limits: PhaseLimits, dialer: Dialer, tls: TLSSetting
    ) {
        self.tls = tls
        self.proxy = proxy
        self.url = url
        self.unixSocketPath = unixSocketPath
        self.limits = limits
        self.dialer = dialer
    }

    /// The time limit for a phase that is configured as `.unlimited`, which ``limits`` stores as nil.
    private static let longestPhase = Duration.seconds(600)

    /// This target with a deadline for each phase. A dial can outlive the request that caused it; without a deadline, a
    /// silent peer would then occupy a place in the pool indefinitely.
    var bounded: DialTarget {
        guard limits.resolve == nil || limits.connect == nil || limits.tls == nil else { return self }
        var limits = limits
        limits.resolve = limits.resolve ?? Self.longestPhase
        limits.connect = limits.connect ?? Self.longestPhase
        limits.tls = limits.tls ?? Self.longestPhase
        return with(limits)
    }

    func with(_ limits: PhaseLimits) -> DialTarget {
        DialTarget(url: url, unixSocketPath: unixSocketPath, proxy: proxy, limits: limits, dialer: dialer, tls: tls)
    }

    var connectHost: String { proxy?.address.connectHost ?? url.connectHost }
    var connectPort: Int { proxy?.port ?? url.port }
    /// The third part of a `TLSSessionCache.Key`, after context and server name. It separates the sessions of direct
    /// connections, of each unix-domain socket and of each proxy.
    var sessionKey: String {
        url.origin.description + (unixSocketPath.map { " at \($0)" } ?? "")
            + (proxy.map { " through \($0.sessionKey)" } ?? "")
    }
    /// The proxy that must first open a connection to the target. Nil for a direct connection, and if the proxy
    /// forwards requests for the URL.
    var tunnelingProxy: Proxy? { proxy.flatMap { $0.forwards(url) ? nil : $0 } }
}

/// The current phase of a dial, for the error of a request that times out meanwhile.
package final class DialProgress: Sendable {
    private let current = Mutex(SockeyeError.Phase.resolve)

    package init() {}

    package var phase: SockeyeError.Phase { current.withLock { $0 } }

    package func enter(_ phase: SockeyeError.Phase) {
        current.withLock { $0 = phase }
    }
}
