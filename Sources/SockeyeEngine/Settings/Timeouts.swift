/// How long each phase of a request may take. Nil means not set here; `.unlimited` means no deadline.
///
/// ```swift
/// configuration.timeouts = Timeouts(total: .seconds(30), stall: .unlimited)
/// try await client.get(url, options: .timeout(total: .seconds(2)))
/// ```
///
/// Each deadline counts by itself: that of the call, else that of its scope, else the client's, else the default that its
/// property names.
///
/// Each deadline has its own error: ``SockeyeError/Code-swift.struct/timeout`` with the phase it belongs to.
public struct Timeouts: Sendable, Hashable {
    /// Waiting for a connection of the pool while others use all that the limits allow. Default 60 s.
    public var pool: Duration?
    /// Resolving the host name. Default 10 s. A connection is made for the pool, and later requests may use it as well. So
    /// `.unlimited` means 10 minutes here, for ``connect`` and for ``tls``; the request itself then waits as long as its other
    /// deadlines allow.
    public var resolve: Duration?
    /// Connecting the socket, all addresses of the host together. Default 10 s.
    public var connect: Duration?
    /// The TLS handshake. Default 10 s.
    public var tls: Duration?
    /// From the request being sent to the last byte of the response head; while a body is being uploaded, from the
    /// last progress of the upload. Default 60 s.
    public var head: Duration?
    /// The longest time without a byte of a body moving, in either direction. Default 60 s. Together with ``head``, which
    /// has the time between the two, this is what AFNetworking's `timeoutInterval` bounds. Records of TLS without content
    /// move nothing.
    public var stall: Duration?
    /// The whole request, from the call to the last byte of the response body, replays included. Default `.unlimited`. Of a
    /// request that begins when it has passed, such as zero, nothing is sent.
    public var total: Duration?

    /// Sets some of the deadlines: those that are given.
    public init(
        total: Duration? = nil, connect: Duration? = nil, head: Duration? = nil, stall: Duration? = nil,
        pool: Duration? = nil, resolve: Duration? = nil, tls: Duration? = nil
    ) {
        self.total = total
        self.connect = connect
        self.head = head
        self.stall = stall
        self.pool = pool
        self.resolve = resolve
        self.tls = tls
    }

    /// These deadlines, and those of `others` that are not set here.
    package func over(_ others: Timeouts) -> Timeouts {
        Timeouts(
            total: total ?? others.total, connect: connect ?? others.connect, head: head ?? others.head,
            stall: stall ?? others.stall, pool: pool ?? others.pool, resolve: resolve ?? others.resolve,
            tls: tls ?? others.tls)
    }
}

extension Duration {
    /// No deadline, for ``Timeouts`` and the options of a call.
    ///
    /// ```swift
    /// try await client.get(url, options: .timeout(total: .unlimited))
    /// ```
    public static var unlimited: Duration { .seconds(Int64.max) }
}
