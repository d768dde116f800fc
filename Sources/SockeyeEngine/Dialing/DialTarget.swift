package import SockeyeHTTP
import Synchronization

/// The parameters of a dial: whom to connect to, how long each step may take, and with which dialer and TLS.
package struct DialTarget: Sendable {
    package let url: HTTPURL
    package let unixSocketPath: String?
    package let proxy: Proxy?
    package let limits: PhaseLimits
    package let dialer: Dialer
    /// How to make the TLS connection, if it is to be one.
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

    /// The longest time of a phase of a dial without a deadline for it: 10 minutes.
    private static let longestPhase = Duration.seconds(600)

    /// This target with a deadline for each phase. A dial outlives the request that caused it, and without a deadline a silent
    /// peer would occupy a place in the pool indefinitely.
    var bounded: DialTarget {
        guard limits.resolve == nil || limits.connect == nil || limits.tls == nil else { return self }
        var limits = limits
        limits.resolve = limits.resolve ?? Self.longestPhase
        limits.connect = limits.connect ?? Self.longestPhase
        limits.tls = limits.tls ?? Self.longestPhase
        return DialTarget(
            url: url, unixSocketPath: unixSocketPath, proxy: proxy, limits: limits, dialer: dialer, tls: tls)
    }

    /// The host whose name is resolved and whose address is connected to.
    var connectHost: String { proxy?.address.connectHost ?? url.connectHost }
    /// The port that is connected to.
    var connectPort: Int { proxy?.port ?? url.port }
    /// The key of TLS sessions besides context and server name (``TLSSessionCache``): the ways to an origin, directly, by a
    /// unix-domain socket or through a proxy, share none.
    var sessionKey: String {
        url.origin.description + (unixSocketPath.map { " at \($0)" } ?? "")
            + (proxy.map { " through \($0.sessionKey)" } ?? "")
    }
    /// The proxy that is to be asked for a connection to the target first: every one but an http proxy that forwards.
    var tunnelingProxy: Proxy? { proxy.flatMap { $0.forwards(url) ? nil : $0 } }
}

/// The phase of a dial that is under way, for the error of a request whose deadline passes meanwhile.
package final class DialProgress: Sendable {
    private let current = Mutex(SockeyeError.Phase.resolve)

    package init() {}

    package var phase: SockeyeError.Phase { current.withLock { $0 } }

    package func enter(_ phase: SockeyeError.Phase) {
        current.withLock { $0 = phase }
    }
}
