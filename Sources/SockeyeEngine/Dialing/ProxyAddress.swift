package import SockeyeHTTP

/// A parsed proxy URL: scheme, host, port and user information.
///
/// Neither the description nor a dump shows the user name or the password.
package struct ProxyAddress: Sendable, Hashable {
    package let kind: Proxy.Kind
    /// An http URL with the host, user and password of the proxy. The actual scheme is ``kind``, and the actual port is
    /// ``port``.
    private let url: HTTPURL
    package let port: Int

    /// Parses `[scheme://][user[:password]@]host[:port]`; a string without a scheme names an http proxy.
    package init(_ text: String) throws(ProxyAddressFault) {
        let (kind, rest) = try Self.split(text)
        let url: HTTPURL
        let isWithoutPort: Bool
        do throws(HTTPURL.Fault) {
            url = try HTTPURL("http://" + rest)
            // An `HTTPURL` without an explicit port has the scheme's default port. To detect a missing port, the text
            // is parsed with http and with https. An explicit port is the same in both URLs; a missing port becomes 80
            // in the first and 443 in the second.
            let other = try HTTPURL("https://" + rest)
            isWithoutPort = url.port == 80 && other.port == 443
        } catch {
            throw .url(error.code)
        }
        guard url.path == "/", url.query == nil, url.fragment == nil else { throw .path }
        self.kind = kind
        self.url = url
        port = isWithoutPort ? kind.defaultPort : url.port
    }

    private static func split(_ text: String) throws(ProxyAddressFault) -> (Proxy.Kind, Substring) {
        guard let separator = text.firstRange(of: "://") else { return (.http, text[...]) }
        guard let kind = Proxy.Kind(rawValue: text[..<separator.lowerBound].lowercased()) else { throw .scheme }
        return (kind, text[separator.upperBound...])
    }

    /// An http URL that identifies the proxy in authentication and errors, whatever ``kind`` is. Its port is 80 if the
    /// parsed text has no port.
    package var origin: HTTPURL { url }
    /// The host in lower-case ASCII. An IPv6 address has no brackets.
    package var host: String { url.host }
    /// The host to resolve and connect to: ``host``, with the zone of an IPv6 address if the URL names one.
    package var connectHost: String { url.connectHost }
    /// The user name, decoded.
    package var user: String? { url.user }
    /// The password, decoded.
    package var password: String? { url.password }
}

extension ProxyAddress: CustomStringConvertible, CustomReflectable {
    /// For example `http://proxy.example.com:3128`; the port only if it is not the scheme's default.
    package var description: String {
        let place = "\(kind.rawValue)://\(url.origin.bracketedHost)"
        return port == kind.defaultPort ? place : "\(place):\(port)"
    }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Proxy.Kind {
    /// The port of a URL that names no port; 1080 is registered for SOCKS.
    fileprivate var defaultPort: Int {
        switch self {
        case .http: 80
        case .https: 443
        case .socks4, .socks4a, .socks5, .socks5h: 1080
        }
    }
}

/// The reason why a string is not the URL of a proxy. Contains no part of the string, which may contain a password.
package enum ProxyAddressFault: Error, Sendable, Hashable {
    /// The scheme is not that of a proxy.
    case scheme
    /// There is a path, query or fragment, which is meaningless for a proxy.
    case path
    /// The text after the scheme does not form a valid URL.
    case url(HTTPURL.Fault.Code)
}

extension ProxyAddressFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scheme: "the scheme of the proxy's URL must be http, https, socks4, socks4a, socks5 or socks5h"
        case .path: "the proxy's URL has a path, query or fragment"
        case .url(let code): "the proxy's URL is malformed: \(code)"
        }
    }
}
