public import SockeyeHTTP
public import SockeyeNet

/// A proxy: where it is, how it is spoken to, and with which credentials.
///
/// ```swift
/// let proxy = try Proxy("http://user:secret@proxy.example.com:3128")
/// ```
///
/// Two proxies are equal when all of that is; connections made through different ones are never mixed. Neither
/// description nor dump show the credentials. Make one and keep it: it remembers how its challenges were answered.
public struct Proxy: Sendable, Hashable {
    /// How a proxy is spoken to.
    @nonexhaustive public enum Kind: String, Sendable, Hashable {
        /// HTTP over TCP: http URLs are sent to the proxy in absolute-form (RFC 9112 3.2.2), https URLs through a tunnel
        /// that CONNECT opens (RFC 9110 9.3.6).
        case http
        /// The same over TLS: the connection to the proxy is encrypted and the proxy's certificate verified; TLS to the target of
        /// an https URL goes on inside of it.
        case https
        /// SOCKS 4. The client resolves the names, and connects to IPv4 addresses only.
        case socks4
        /// SOCKS 4A; the proxy resolves the names.
        case socks4a
        /// SOCKS 5 (RFC 1928); the client resolves the names.
        case socks5
        /// SOCKS 5; the proxy resolves the names.
        case socks5h
    }

    /// By reference, since it is in the key of every connection.
    private let storage: Storage
    /// Whether http URLs are reached through a tunnel, too.
    private var tunnelsAll = false
    /// The Proxy-Authorization field of the call whose connections these are, which goes before the proxy's own credentials.
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

        func isSame(as other: Storage) -> Bool {
            if self === other { return true }
            // Closures can only be told apart by whose they are.
            return address == other.address && tls.configuration == other.tls.configuration
                && connectHeaders == nil && other.connectHeaders == nil
                && authenticator.isSame(as: other.authenticator)
        }
    }

    /// Reads the URL of a proxy: `[scheme://][user[:password]@]host[:port]` with the scheme of a ``Kind-swift.enum``; `http` where
    /// there is none. The ports that go without saying are 80, 443 and 1080. User name and password are percent-decoded.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - tls: How a proxy of the kind `https` is verified, and who the client is to it: roots, pins, certificate. The defaults
    ///     of ``TLSOptions``, whatever the client's own are.
    ///   - authentication: How an HTTP proxy's challenges are answered. Default: with user and password of the URL.
    ///   - connectHeaders: Further fields of CONNECT for the URL that a tunnel is for; none of them reaches the target.
    ///     Called on any thread; should not block.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for everything else. The error shows nothing of the URL.
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
    /// How to make the TLS connection to the proxy itself; nil where there is none.
    var tls: TLSSetting? { kind == .https ? storage.tls : nil }

    /// Whether it speaks HTTP.
    var isHTTP: Bool { kind == .http || kind == .https }

    /// Whether the client has to resolve the name of the target.
    var takesAddresses: Bool { kind == .socks4 || kind == .socks5 }

    /// Whether requests for this URL are sent to the proxy itself, in absolute-form (RFC 9112 3.2.2).
    func forwards(_ url: HTTPURL) -> Bool { forwardsPlain && url.scheme == .http }

    /// Whether it forwards requests for http URLs.
    var forwardsPlain: Bool { isHTTP && !tunnelsAll }

    /// The same proxy, asked for a tunnel by CONNECT for http URLs, too, so that it neither sees what is asked for nor changes it;
    /// curl's `--proxytunnel`. Its connections are others. Proxies commonly allow CONNECT to port 443 alone, and refuse this. A
    /// SOCKS proxy is the same.
    public var tunneling: Proxy {
        var proxy = self
        proxy.tunnelsAll = isHTTP
        return proxy
    }

    /// The same proxy for tunnels that a caller's own field lets in.
    func authorized(by field: String) -> Proxy {
        var proxy = self
        proxy.callersAuthorization = field
        return proxy
    }

    /// How it is spoken to.
    public var kind: Kind { storage.kind }
    /// The host in lower-case ASCII, an IPv6 address without brackets.
    public var host: String { address.host }
    /// The port, 1 to 65535.
    public var port: Int { address.port }
    /// Whether its URL names a user.
    public var hasCredentials: Bool { address.user != nil }

    /// Tells its TLS sessions, and those behind it, from the ones of the same proxy with other credentials. Holds none of them:
    /// it is a hash with this process's own key.
    var sessionKey: String {
        var hasher = Hasher()
        hasher.combine(address)
        hasher.combine(callersAuthorization)
        hasher.combine(authenticator.unaskedCredential)
        return "\(self) \(hasher.finalize())"
    }

    /// Whether nothing but its URL makes this proxy what it is.
    package var isPlain: Bool {
        storage.tls.configuration == TLSOptions() && storage.connectHeaders == nil && authenticator.isOfURL
            && !tunnelsAll
    }

    /// Whether both are the same proxy with the same credentials.
    public static func == (left: Proxy, right: Proxy) -> Bool {
        left.tunnelsAll == right.tunnelsAll && left.callersAuthorization == right.callersAuthorization
            && left.storage.isSame(as: right.storage)
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
