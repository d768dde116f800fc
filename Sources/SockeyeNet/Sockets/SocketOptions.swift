/// How sockets are set up.
public struct SocketOptions: Sendable, Hashable {
    /// Sends small segments at once instead of gathering them (TCP_NODELAY). Default true.
    public var noDelay = true
    /// When and how often the kernel probes a silent connection (SO_KEEPALIVE). Default after 30 s, every 15 s, 3 times;
    /// nil switches it off.
    public var keepAlive: KeepAlive? = KeepAlive()
    /// How long sent data may stay unacknowledged before the kernel gives the connection up (TCP_USER_TIMEOUT).
    /// Default nil: the kernel's own (some 15 minutes). Rounded to milliseconds.
    public var userTimeout: Duration?
    /// The local addresses to connect from, at most one for each family: the first of a family counts. A port of 0 lets the
    /// kernel choose. Default none: the kernel chooses both.
    ///
    /// With some, addresses of a family that has none here are not connected to: that could reach past a firewall's rules.
    /// Unix-domain sockets are not concerned.
    public var localAddresses: [EndpointAddress] = []
    /// The only local address to connect from: the first of ``localAddresses``, and instead of all of them when it is set.
    public var localAddress: EndpointAddress? {
        get { localAddresses.first }
        set { localAddresses = newValue.map { [$0] } ?? [] }
    }
    /// The network interface that connections go through, such as `eth1`, and no other (SO_BINDTODEVICE, socket(7)): also
    /// where routes say otherwise. Default nil: as routes say.
    ///
    /// A request fails with `connectFailed` that names the interface when there is none of this
    /// name, or when the process may not do this: before Linux 5.7 it took the capability CAP_NET_RAW. Unix-domain sockets
    /// are not concerned.
    public var interface: String?
    /// The header of HAProxy's PROXY protocol, which each connection begins with: before TLS, and through a proxy behind the
    /// answer to CONNECT. Default nil: none. Only for servers that expect it.
    public var proxyProtocol: SocketOptions.ProxyHeader?
    /// Whether a TLS connection's first bytes go with its SYN (TCP Fast Open, RFC 7413; TCP_FASTOPEN_CONNECT), which saves a round
    /// trip each time after the first, when the server has given a cookie. Default false.
    ///
    /// It is worth it where single connections to the same far server are made often, and costs where middleboxes drop such
    /// packets. A network may deliver a SYN twice, and the server's program then sees its data twice (RFC 7413 2.1): so nothing
    /// but a TLS ClientHello goes with it, with which a server does nothing. Connections without TLS, those through a proxy
    /// other than https, those with a ``proxyProtocol``, and those to a name with several addresses, of which the first that
    /// answers is taken (RFC 8305), are made as ever; so are all where the kernel has it not or `net.ipv4.tcp_fastopen` forbids
    /// it. Errors and `timeouts.connect` are those of connecting, as without it.
    public var fastOpen = false
    /// Whether connections are made by MPTCP (RFC 8684), so that they may use several ways at once and outlive one of them.
    /// Default false.
    ///
    /// A peer without it gets plain TCP, and so does everybody where the kernel has none (Linux 5.6, `net.mptcp.enabled`) or where
    /// its sockets refuse another of these options. Which addresses and interfaces take part is the administrator's to say
    /// (ip-mptcp(8)). Kernel TLS is not to be had with it.
    public var multipath = false
    /// The kernel's send and receive buffer sizes in bytes. Default nil: the kernel's own, which adapt.
    public var sendBufferSize: Int?, receiveBufferSize: Int?

    /// Makes the defaults named at each property.
    public init() {}

    /// The local address to connect to `address` from; nil where the kernel chooses.
    func localAddress(for address: EndpointAddress) -> EndpointAddress? {
        localAddresses.first { $0.family == address.family }
    }

    /// The timing of keep-alive probes, in whole seconds. Values outside the bounds of tcp(7) count as the nearest one.
    public struct KeepAlive: Sendable, Hashable {
        /// Silence before the first probe, 1 to 32,767 s.
        public var idle: Duration
        /// Time between probes, 1 to 32,767 s.
        public var interval: Duration
        /// Unanswered probes until the connection is given up, 1 to 127.
        public var count: Int

        /// Makes a timing; the defaults are 30 s, 15 s and 3.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(15), count: Int = 3) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }
}
