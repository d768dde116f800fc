/// How long each phase of a request may take. Nil means: no deadline of its own.
///
/// Each deadline has its own error: ``SockeyeError/Code-swift.struct/timeout`` with the phase it belongs to.
public struct Timeouts: Sendable, Hashable {
    /// Waiting for a connection of the pool while others use all that the limits allow. Default 60 s.
    public var pool: Duration? = .seconds(60)
    /// Resolving the host name. Default 10 s.
    public var resolve: Duration? = .seconds(10)
    /// Connecting the socket, all addresses of the host together. Default 10 s.
    public var connect: Duration? = .seconds(10)
    /// The TLS handshake. Default 10 s.
    public var tls: Duration? = .seconds(10)
    /// From the request being sent to the last byte of the response head; while a body is being uploaded, from the
    /// last progress of the upload. Default 60 s.
    public var head: Duration? = .seconds(60)
    /// The longest time without a byte of a body moving, in either direction. Default 60 s. Together with ``head``, which
    /// has the time between the two, this is what AFNetworking's `timeoutInterval` bounds. Records of TLS without content
    /// move nothing.
    public var stall: Duration? = .seconds(60)
    /// The whole request, from the call to the last byte of the response body, replays included. Default nil. Of a request
    /// that begins when it has passed, such as zero, nothing is sent.
    public var total: Duration?

    /// Makes the defaults named at each property.
    public init() {}

    /// Makes the defaults with some of them replaced.
    public init(total: Duration? = nil, connect: Duration? = .seconds(10), stall: Duration? = .seconds(60)) {
        self.total = total
        self.connect = connect
        self.stall = stall
    }
}
