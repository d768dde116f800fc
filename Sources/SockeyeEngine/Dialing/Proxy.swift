public import SockeyeHTTP
public import SockeyeNet

/// A proxy: its address, its protocol and the credentials for it.
///
/// ```swift
/// let proxy = try Proxy("http://user:secret@proxy.example.com:3128")
/// ```
///
/// Two proxies are equal if address, protocol, credentials, TLS settings and use of tunnels are equal; a proxy with a
/// closure equals only its copies. Requests through unequal proxies never share a connection. Neither description nor
/// dump shows the credentials. Create a proxy once and keep it: it remembers the answer to a challenge, so that later
/// requests carry credentials from the start.
public struct Proxy: Sendable, Hashable {
    /// The protocol of a proxy.
    @nonexhaustive public enum Kind: String, Sendable, Hashable {
        /// HTTP over TCP. Requests for http URLs are sent to the proxy in absolute-form (RFC 9112 3.2.2), requests for
        /// https URLs through a tunnel that CONNECT opens (RFC 9110 9.3.6).
        case http
        /// HTTP over TLS: the connection to the proxy is encrypted and the proxy's certificate is verified. TLS to the
        /// target of an https URL runs inside this connection.
        case https
        /// SOCKS 4. The client resolves host names; the proxy connects to IPv4 addresses only.
        case socks4
        /// SOCKS 4A; the proxy resolves host names.
        case socks4a
        /// SOCKS 5 (RFC 1928); the client resolves host names.
        case socks5
        /// SOCKS 5; the proxy resolves host names.
        case socks5h
    }

    /// A class instance: the pool's key of each connection contains a proxy, and copying a reference is cheap.
    private let storage: Storage
    /// True if http URLs are also reached through a tunnel.
    private var tunnelsAll = false
    /// The value of a caller's own Proxy-Authorization field for a tunnel; nil if the caller has set no such field. It
    /// takes precedence over the proxy's own credentials. Requests with different values do not share connections.
    private(set) var callersAuthorization: String?

    private final class Storage: Sendable {
        let kind: Kind
        let address: ProxyAddress
        let tls: TLSSetting
        let authenticator: ProxyAuthenticator
        let connectHeaders: (@Sendable (HTTPURL) -> Headers)?

        init(
            _ address: ProxyAddress, _ tls: TLSOptions, _ authenticator: ProxyAuthenticator,
            _ connectHeaders: (@Sendable (HTTPURL) -> Headers)?
        ) {
            kind = address.kind
            self.address = address
            self.tls = TLSSetting(ofProxy: tls)
            self.authenticator = authenticator
            self.connectHeaders = connectHeaders
        }

        func isEqual(as other: Storage) -> Bool {
            if self === other { return true }
            // Closures cannot be compared, so proxies with closures are equal only if they share their storage.
            return address == other.address && tls.configuration == other.tls.configuration
                && connectHeaders == nil && other.connectHeaders == nil
                && authenticator.isSame(as: other.authenticator)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(address)
            authenticator.hash(into: &hasher)
            if connectHeaders != nil || authenticator.hasHandler { hasher.combine(ObjectIdentifier(self)) }
        }
    }

    /// Parses the URL of a proxy: `[scheme://][user[:password]@]host[:port]`.
    ///
    /// The scheme is the name of a ``Kind-swift.enum``; without a scheme, the kind is `http`. The default port is 80
    /// for http, 443 for https and 1080 for SOCKS. User name and password are percent-decoded.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - tls: The TLS settings towards a proxy of the kind `https`: roots, pins, client certificate. Default: the
    ///     defaults of ``TLSOptions``. The client's own TLS settings do not apply.
    ///   - authentication: The answer to an HTTP proxy's challenges. Default: user and password of the URL.
    ///   - connectHeaders: Returns further fields for the CONNECT request that opens a tunnel to the given URL. The
    ///     target does not receive them. Called on any thread; should not block.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for a URL in any other form, and for credentials
    ///   that the proxy's protocol cannot carry. A SOCKS proxy takes credentials only from the URL: a user name and a
    ///   password of at most 255 bytes each, and for SOCKS 4 no password. The error shows nothing of the URL.
    public init(
        _ url: String, tls: TLSOptions = TLSOptions(), authentication: Authentication = .url,
        connectHeaders: (@Sendable (HTTPURL) -> Headers)? = nil
    ) throws(SockeyeError) {
        let address: ProxyAddress
        do throws(ProxyAddressFault) {
            address = try ProxyAddress(url)
        } catch {
            throw .badProxy(error.description)
        }
        try self.init(address, tls: tls, authentication: authentication, connectHeaders: connectHeaders)
    }

    init(
        _ address: ProxyAddress, tls: TLSOptions = TLSOptions(), authentication: Authentication = .url,
        connectHeaders: (@Sendable (HTTPURL) -> Headers)? = nil
    ) throws(SockeyeError) {
        switch address.kind {
        case .http, .https: break
        case .socks4, .socks4a:
            guard address.password == nil, SOCKS4Machine.canSend(address.user ?? "") else {
                throw .badProxy("SOCKS 4 takes a user of at most 255 bytes, and no password")
            }
            try authentication.checkForSOCKS()
        case .socks5, .socks5h:
            let texts = [address.user, address.password].compactMap(\.self)
            guard texts.allSatisfy(SOCKS5Machine.canSend) else {
                throw .badProxy("SOCKS takes a user name and a password of at most 255 bytes each")
            }
            try authentication.checkForSOCKS()
        }
        let authenticator = ProxyAuthenticator(address, authentication)
        do throws(CredentialFault) { try authenticator.check() } catch { throw .badProxy(error.description) }
        storage = Storage(address, tls, authenticator, connectHeaders)
    }

    var address: ProxyAddress { storage.address }
    var authenticator: ProxyAuthenticator { storage.authenticator }
    var connectHeaders: (@Sendable (HTTPURL) -> Headers)? { storage.connectHeaders }
    /// The TLS settings of the connection to the proxy itself; nil if it does not use TLS.
    var tls: TLSSetting? { kind == .https ? storage.tls : nil }

    var isHTTP: Bool { kind == .http || kind == .https }

    /// True if the client must resolve the host name of the target.
    var needsResolvedAddress: Bool { kind == .socks4 || kind == .socks5 }

    /// True if requests for this URL are sent to the proxy itself, in absolute-form (RFC 9112 3.2.2).
    func forwards(_ url: HTTPURL) -> Bool { forwardsPlain && url.scheme == .http }

    /// True if the proxy forwards requests for http URLs.
    var forwardsPlain: Bool { isHTTP && !tunnelsAll }

    /// The same proxy, with CONNECT tunnels for http URLs as well; curl's `--proxytunnel`.
    ///
    /// In a tunnel, the proxy does not interpret or change the requests. Many proxies allow CONNECT to port 443 only
    /// and refuse such tunnels. The returned proxy and this one do not share connections. A SOCKS proxy is returned
    /// unchanged.
    public var tunneling: Proxy {
        var proxy = self
        proxy.tunnelsAll = isHTTP
        return proxy
    }

    /// Returns the same proxy for tunnels that are authorized by a caller's own Proxy-Authorization field.
    func authorized(by field: String) -> Proxy {
        var proxy = self
        proxy.callersAuthorization = field
        return proxy
    }

    /// The protocol of the proxy.
    public var kind: Kind { storage.kind }
    /// The host in lower-case ASCII; an IPv6 address has no brackets.
    public var host: String { address.host }
    /// The port, 1 to 65535.
    public var port: Int { address.port }
    /// True if the proxy's URL names a user.
    public var hasCredentials: Bool { address.user != nil }

    /// Identifies the proxy in the keys of cached TLS sessions, both with the proxy and with targets behind it.
    /// Different credentials give different keys: a session that is resumed with other credentials would show a target
    /// that both connections come from the same client. Contains no credentials, only a hash of them with the random
    /// seed that Swift chooses for each process.
    var sessionKey: String { "\(self) \(hashValue)" }

    /// True if all settings except the URL have their defaults.
    package var isDefinedByURL: Bool {
        storage.tls.configuration == TLSOptions() && storage.connectHeaders == nil && authenticator.isOfURL
            && !tunnelsAll
    }

    /// True if all settings of the proxies are equal.
    public static func == (left: Proxy, right: Proxy) -> Bool {
        left.tunnelsAll == right.tunnelsAll && left.callersAuthorization == right.callersAuthorization
            && left.storage.isEqual(as: right.storage)
    }

    /// Hashes the address and the credentials. The credentials are included because a program may use one address with
    /// the credentials of thousands of users, and the hashes of all these proxies would be equal without them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(callersAuthorization)
        storage.hash(into: &hasher)
    }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
    /// For example `http://proxy.example.com:3128`, without credentials.
    public var description: String { address.description }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
