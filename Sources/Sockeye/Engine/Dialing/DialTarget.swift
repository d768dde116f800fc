package import SockeyeHTTP1

/// Whom to connect to, how long each step may take, and with what.
package struct DialTarget: Sendable {
    package let url: HTTPURL
    package let unixSocketPath: String?
    package let timeouts: Timeouts
    package let dialer: Dialer

    package init(url: HTTPURL, unixSocketPath: String?, timeouts: Timeouts, dialer: Dialer) {
        self.url = url
        self.unixSocketPath = unixSocketPath
        self.timeouts = timeouts
        self.dialer = dialer
    }
}
