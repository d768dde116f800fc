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
    /// The local address to connect from; a port of 0 lets the kernel choose. Default nil: the kernel chooses both.
    public var localAddress: EndpointAddress?
    /// The kernel's send and receive buffer sizes in bytes. Default nil: the kernel's own, which adapt.
    public var sendBufferSize: Int?, receiveBufferSize: Int?

    /// Makes the defaults named at each property.
    public init() {}

    /// The timing of keep-alive probes, in whole seconds.
    public struct KeepAlive: Sendable, Hashable {
        /// Silence before the first probe.
        public var idle: Duration
        /// Time between probes.
        public var interval: Duration
        /// Unanswered probes until the connection is given up.
        public var count: Int

        /// Makes a timing; the defaults are 30 s, 15 s and 3.
        public init(idle: Duration = .seconds(30), interval: Duration = .seconds(15), count: Int = 3) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }
}
