/// The options of a client's sockets.
public struct SocketOptions: Sendable, Hashable {
    /// Sends small segments at once instead of gathering them (TCP_NODELAY). Default true.
    public var noDelay = true
    /// The timing of the kernel's probes of a silent connection (SO_KEEPALIVE). Default: the first probe after 30 s,
    /// then every 15 s; the connection is dropped after 3 unanswered probes. Nil turns probes off.
    public var keepAlive: KeepAlive? = KeepAlive()
    /// The time that sent data may stay unacknowledged before the kernel drops the connection (TCP_USER_TIMEOUT).
    ///
    /// Default nil: the kernel's own limit, about 15 minutes. The time is rounded down to milliseconds, and the
    /// minimum is 1 ms. On macOS and FreeBSD the result is then rounded up to whole seconds. If the time is set on a
    /// system without this option (<doc:Platforms>), requests fail with `connectFailed`.
    public var userTimeout: Duration?
    /// The local addresses to connect from, at most one for each family: further addresses of a family are ignored.
    /// Default empty: the kernel chooses.
    ///
    /// With port 0 the kernel chooses the port. If the list is not empty, the client connects only to addresses of the
    /// list's families. For another family the kernel would choose the local address, which could bypass a firewall's
    /// rules. Unix-domain sockets are unaffected.
    public var localAddresses: [EndpointAddress] = []
    /// The first of ``localAddresses``. Setting it replaces all of them.
    public var localAddress: EndpointAddress? {
        get { localAddresses.first }
        set { localAddresses = newValue.map { [$0] } ?? [] }
    }
    /// The network interface that connections must use, such as `eth1`, even if routes say otherwise (SO_BINDTODEVICE,
    /// socket(7)). Default nil: the kernel's routes decide.
    ///
    /// A request fails with `connectFailed`, which names the interface, if the interface does not exist, the process
    /// may not use this option, or the system has no such option (<doc:Platforms>). Before Linux 5.7 the option
    /// requires the capability CAP_NET_RAW. Unix-domain sockets are unaffected.
    public var interface: String?
    /// The header of HAProxy's PROXY protocol with which each connection begins. Default nil: no header. Set it only
    /// for servers that expect the header.
    ///
    /// The header precedes TLS. Through a proxy it follows the response to CONNECT.
    public var proxyProtocol: SocketOptions.ProxyHeader?
    /// Sends a TLS connection's first bytes with its SYN (TCP Fast Open, RFC 7413; TCP_FASTOPEN_CONNECT). Default
    /// false.
    ///
    /// In the first connection to a server, the server sends a cookie; each later connection to it saves a round trip.
    /// The option helps a client that often opens single connections to the same distant server. It does harm if
    /// middleboxes drop SYN packets that carry data.
    ///
    /// A network may deliver a SYN twice, and the server application then receives its data twice (RFC 7413 2.1).
    /// Therefore only a TLS ClientHello, which has no effect on a server, is sent with the SYN. The following
    /// connections are made without TCP Fast Open:
    /// - connections without TLS;
    /// - connections through a proxy that is not an https proxy;
    /// - connections with a ``proxyProtocol``;
    /// - connections to a name with several addresses (Happy Eyeballs, RFC 8305);
    /// - all connections if the system does not support TCP Fast Open or `net.ipv4.tcp_fastopen` forbids it.
    ///
    /// The errors and the effect of `timeouts.connect` are the same as without TCP Fast Open.
    public var fastOpen = false
    /// Connects with MPTCP (RFC 8684), so that a connection may use several paths and survive the loss of one. Default
    /// false.
    ///
    /// Linux supports MPTCP since version 5.6, if the setting `net.mptcp.enabled` allows it. The connection is plain
    /// TCP if the peer or the kernel does not support MPTCP, or if MPTCP does not support another option that is set
    /// here. The administrator chooses the addresses and interfaces of the paths (ip-mptcp(8)). MPTCP excludes kernel
    /// TLS.
    public var multipath = false
    /// The kernel's send and receive buffer sizes in bytes. Default nil: the kernel's own adaptive sizes.
    public var sendBufferSize: Int?, receiveBufferSize: Int?

    /// Creates the default options.
    public init() {}

    /// Returns the local address for connections to `address`; nil if the kernel chooses.
    func localAddress(for address: EndpointAddress) -> EndpointAddress? {
        localAddresses.first { $0.family == address.family }
    }

    /// The timing of keep-alive probes. Durations are rounded down to whole seconds, and values outside the bounds of
    /// tcp(7) are clamped.
    public struct KeepAlive: Sendable, Hashable {
        /// The silence before the first probe, 1 to 32,767 s.
        public var idle: Duration
        /// The time between probes, 1 to 32,767 s.
        public var interval: Duration
        /// The number of unanswered probes until the connection is dropped, 1 to 127.
        public var count: Int

        /// Creates a timing.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(15), count: Int = 3) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }
}
