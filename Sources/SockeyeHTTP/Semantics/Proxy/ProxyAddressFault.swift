/// Why a string is not the URL of a proxy. Holds no part of it: there may be a password in it.
package enum ProxyAddressFault: Error, Sendable, Hashable {
    /// The scheme is none of http, https, socks5 and socks5h.
    case scheme
    /// A path, query or fragment, which a proxy has no use for.
    case path
    /// What is wrong with the rest of it.
    case url(URLFault.Code)
}

extension ProxyAddressFault: CustomStringConvertible {
    /// A sentence for people.
    package var description: String {
        switch self {
        case .scheme: "the scheme of the proxy's URL is none of http, https, socks5 and socks5h"
        case .path: "the proxy's URL has a path, query or fragment"
        case .url(let code): "the proxy's URL is none: \(code)"
        }
    }
}
