package import SockeyeHTTP

/// Proxy selection by environment variables: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
///
/// The lower-case name of each variable is checked first, then the upper-case one; an empty or blank value counts as
/// unset. `HTTP_PROXY` is ignored if `REQUEST_METHOD` is set: the process then serves a CGI request (RFC 3875 4.1.18).
/// The sender of that request could set `HTTP_PROXY` with a field called Proxy ("httpoxy", CVE-2016-5385).
///
/// Requests to loopback addresses, `localhost` and names below `localhost` never use a proxy.
package struct ProxyEnvironment: Sendable {
    private typealias Choice = Result<ProxyAddress, ProxyAddressFault>

    private let http: Choice?
    private let https: Choice?
    private let bypassed: BypassList

    /// Reads the variables once. If a value is malformed, ``proxy(for:)`` throws for each URL to which that value
    /// applies.
    package init(_ variable: (String) -> String?) {
        func value(_ name: String) -> String? {
            if let value = trimmed(variable(name)) { return value }
            if name == "http_proxy", variable("REQUEST_METHOD")?.isEmpty == false { return nil }
            return trimmed(variable(name.uppercased()))
        }
        func trimmed(_ value: String?) -> String? {
            guard let text = value?.unicodeScalars[...].trimmingWhitespace, !text.isEmpty else { return nil }
            return String(text)
        }
        func choice(_ name: String) -> Choice? {
            (value(name) ?? value("all_proxy")).map { text in
                Result { () throws(ProxyAddressFault) in try ProxyAddress(text) }
            }
        }
        http = choice("http_proxy")
        https = choice("https_proxy")
        bypassed = BypassList(value("no_proxy") ?? "")
    }

    /// The proxies named by the variables, without malformed values.
    package var addresses: [ProxyAddress] { [http, https].compactMap { try? $0?.get() } }

    /// Returns the proxy for a URL; nil for a direct connection.
    package func proxy(for url: HTTPURL) throws(ProxyAddressFault) -> ProxyAddress? {
        guard let choice = url.scheme == .https ? https : http else { return nil }
        guard !url.isLoopback, !bypassed.contains(host: url.host, port: url.port) else { return nil }
        return try choice.get()
    }
}
