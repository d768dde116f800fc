import SockeyeHTTP

/// A proxy: where it is, how it is spoken to, and with which credentials.
///
/// Two proxies are equal when all of that is; connections made through different ones are never mixed. Neither
/// description nor dump show the credentials.
public struct Proxy: Sendable, Hashable {
    /// How a proxy is spoken to.
    public enum Kind: String, Sendable, Hashable {
        /// HTTP over TCP: http URLs are sent to the proxy in absolute-form (RFC 9112 3.2.2), https URLs through a tunnel
        /// that CONNECT opens (RFC 9110 9.3.6).
        case http
        /// SOCKS 5 (RFC 1928); the proxy resolves the names.
        case socks5
    }

    /// By reference, since it is in the key of every connection.
    private let storage: Storage
    /// Whether http URLs are reached through a tunnel, too.
    private var tunnelsAll = false

    private final class Storage: Sendable {
        let kind: Kind
        let address: ProxyAddress
        /// The value of Proxy-Authorization; nil without a user.
        let authorization: String?

        init(_ kind: Kind, _ address: ProxyAddress, _ authorization: String?) {
            self.kind = kind
            self.address = address
            self.authorization = authorization
        }
    }

    /// Reads the URL of a proxy: `[scheme://][user[:password]@]host[:port]` with the scheme `http`, `socks5` or
    /// `socks5h`, which is the same; `http` where there is none. The ports that go without saying are 80 and 1080. User
    /// name and password are percent-decoded.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for everything else, `https` included: TLS to the
    ///   proxy itself is not supported. The error shows nothing of the URL.
    public init(_ url: String) throws(SockeyeError) {
        let address: ProxyAddress
        do throws(ProxyAddressFault) {
            address = try ProxyAddress(url)
        } catch {
            throw .badProxy(error.description)
        }
        try self.init(address)
    }

    init(_ address: ProxyAddress) throws(SockeyeError) {
        let credential = address.user.map { Credential.user($0, password: address.password ?? "") }
        switch address.scheme {
        case .https: throw .badProxy("TLS to the proxy itself is not supported")
        case .http:
            do throws(CredentialFault) {
                storage = Storage(.http, address, try credential?.authorization)
            } catch {
                throw .badProxy(error.description)
            }
        case .socks5:
            let texts = [address.user, address.password].compactMap(\.self)
            guard texts.allSatisfy(SOCKS5Machine.canSend) else {
                throw .badProxy("SOCKS takes a user name and a password of at most 255 bytes each")
            }
            storage = Storage(.socks5, address, nil)
        }
    }

    var address: ProxyAddress { storage.address }
    /// The value of Proxy-Authorization: Basic (RFC 7617), where the URL names a user.
    var authorization: String? { storage.authorization }

    /// Whether requests for this URL are sent to the proxy itself, in absolute-form (RFC 9112 3.2.2).
    func forwards(_ url: HTTPURL) -> Bool { forwardsPlain && url.scheme == .http }

    /// Whether it forwards requests for http URLs.
    var forwardsPlain: Bool { kind == .http && !tunnelsAll }

    /// The same proxy, asked for a tunnel whatever the URL is. Its connections are others.
    var tunneling: Proxy {
        var proxy = self
        proxy.tunnelsAll = kind == .http
        return proxy
    }

    /// How it is spoken to.
    public var kind: Kind { storage.kind }
    /// The host in lower-case ASCII, an IPv6 address without brackets.
    public var host: String { address.host }
    /// The port, 1 to 65535.
    public var port: Int { address.port }
    /// Whether a user name goes to the proxy.
    public var hasCredentials: Bool { address.user != nil }

    /// Whether both are the same proxy with the same credentials.
    public static func == (left: Proxy, right: Proxy) -> Bool {
        left.tunnelsAll == right.tunnelsAll && (left.storage === right.storage || left.address == right.address)
    }

    /// Feeds what ``==(_:_:)`` compares to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(address)
    }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
    /// For example `http://proxy.example.com:3128`, without credentials.
    public var description: String { address.description }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
