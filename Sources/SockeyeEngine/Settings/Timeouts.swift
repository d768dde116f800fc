/// The time limit of each phase of a request. Nil means not set here. `.unlimited` means no deadline, except for
/// ``resolve``, ``connect`` and ``tls``, for which it means 10 minutes.
///
/// ```swift
/// configuration.timeouts = Timeouts(total: .seconds(30), stall: .unlimited)
/// try await client.get(url, options: .timeout(total: .seconds(2)))
/// ```
///
/// Each deadline is chosen separately. The value of the call takes precedence, then that of its scope
/// (`scoped(timeouts:)`), then the client's, then the default that is named at the property.
///
/// If a deadline passes, the call fails with ``SockeyeError/Code-swift.struct/timeout``. The error's
/// ``SockeyeError/phase`` is the phase in which the deadline passed.
public struct Timeouts: Sendable, Hashable {
    /// Waiting for a pooled connection while other requests use all connections that the limits allow. Default 60 s.
    public var pool: Duration?
    /// Resolving the host name. Default 10 s.
    ///
    /// For each of the phases `resolve`, ``connect`` and ``tls`` of a connection attempt, `.unlimited` means 10
    /// minutes. The attempt can outlive the request that caused it, because later requests may use its connection.
    /// Without a limit, a silent server would occupy a place in the pool indefinitely.
    public var resolve: Duration?
    /// Connecting the socket: the attempts for all addresses of the host together. Default 10 s. The request for a
    /// tunnel through a proxy has a separate limit of the same length.
    public var connect: Duration?
    /// The TLS handshake. Default 10 s.
    public var tls: Duration?
    /// The time from sending the request to the last byte of the response head. While a body is being uploaded, the
    /// time counts from the last progress of the upload. Default 60 s.
    public var head: Duration?
    /// The longest allowed time in which no byte of a body is sent or received. Default 60 s. TLS records without
    /// application data do not count as progress.
    ///
    /// Together, this limit and ``head`` correspond to AFNetworking's `timeoutInterval`: ``head`` covers the time
    /// between the request's body and the response's body.
    public var stall: Duration?
    /// The whole call, from its start to the last byte of the response body, including redirects and retries.
    /// Default `.unlimited`. If this time is already over at the start, for example with a value of zero, nothing is
    /// sent.
    public var total: Duration?

    /// Creates a value with the given deadlines.
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

    /// Returns these deadlines. Each deadline that is not set here is taken from `others`.
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
