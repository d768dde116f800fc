/// How long each phase of a request may take. Nil means: no deadline of its own.
///
/// Phases combine one by one: those of a call count before those of its scope, and these before the client's. A
/// deadline that nobody sets is the default that stands at its property; one that was set to nil is set, too.
///
/// Each deadline has its own error: ``SockeyeError/Code-swift.struct/timeout`` with the phase it belongs to.
public struct Timeouts: Sendable, Hashable {
    /// Waiting for a connection of the pool while others use all that the limits allow. Default 60 s.
    public var pool: Duration? = .seconds(60) { didSet { assigned.insert(.pool) } }
    /// Resolving the host name. Default 10 s. A connection is made for the pool, and later requests may use it as well, so nil
    /// means 10 minutes here, for ``connect`` and for ``tls``; the request itself then waits as long as its other deadlines allow.
    public var resolve: Duration? = .seconds(10) { didSet { assigned.insert(.resolve) } }
    /// Connecting the socket, all addresses of the host together. Default 10 s.
    public var connect: Duration? = .seconds(10) { didSet { assigned.insert(.connect) } }
    /// The TLS handshake. Default 10 s.
    public var tls: Duration? = .seconds(10) { didSet { assigned.insert(.tls) } }
    /// From the request being sent to the last byte of the response head; while a body is being uploaded, from the
    /// last progress of the upload. Default 60 s.
    public var head: Duration? = .seconds(60) { didSet { assigned.insert(.head) } }
    /// The longest time without a byte of a body moving, in either direction. Default 60 s. Together with ``head``, which
    /// has the time between the two, this is what AFNetworking's `timeoutInterval` bounds. Records of TLS without content
    /// move nothing.
    public var stall: Duration? = .seconds(60) { didSet { assigned.insert(.stall) } }
    /// The whole request, from the call to the last byte of the response body, replays included. Default nil. Of a request
    /// that begins when it has passed, such as zero, nothing is sent.
    public var total: Duration? { didSet { assigned.insert(.total) } }

    /// The deadlines that somebody has set.
    package private(set) var assigned: Phases = []

    /// Phases with a deadline, a bit for each.
    package struct Phases: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let pool = Phases(rawValue: 1)
        package static let resolve = Phases(rawValue: 2)
        package static let connect = Phases(rawValue: 4)
        package static let tls = Phases(rawValue: 8)
        package static let head = Phases(rawValue: 16)
        package static let stall = Phases(rawValue: 32)
        package static let total = Phases(rawValue: 64)
    }

    /// Makes the defaults named at each property, none of which counts as set.
    public init() {}

    /// Sets some of the deadlines: those that are given.
    public init(
        total: Duration? = Timeouts.unset, connect: Duration? = Timeouts.unset, head: Duration? = Timeouts.unset,
        stall: Duration? = Timeouts.unset, pool: Duration? = Timeouts.unset, resolve: Duration? = Timeouts.unset,
        tls: Duration? = Timeouts.unset
    ) {
        set(total) { $0.total = $1 }
        set(connect) { $0.connect = $1 }
        set(head) { $0.head = $1 }
        set(stall) { $0.stall = $1 }
        set(pool) { $0.pool = $1 }
        set(resolve) { $0.resolve = $1 }
        set(tls) { $0.tls = $1 }
    }

    /// A sentinel for arguments that are left out, since nil is a setting of its own.
    @usableFromInline static var unset: Duration? { .seconds(Int64.min) }

    private mutating func set(_ limit: Duration?, as assign: (inout Timeouts, Duration?) -> Void) {
        if limit != Self.unset { assign(&self, limit) }
    }

    /// These deadlines, and those of `others` that were not set here.
    package func over(_ others: Timeouts) -> Timeouts {
        guard !assigned.isEmpty else { return others }
        var result = others
        if assigned.contains(.pool) { result.pool = pool }
        if assigned.contains(.resolve) { result.resolve = resolve }
        if assigned.contains(.connect) { result.connect = connect }
        if assigned.contains(.tls) { result.tls = tls }
        if assigned.contains(.head) { result.head = head }
        if assigned.contains(.stall) { result.stall = stall }
        if assigned.contains(.total) { result.total = total }
        return result
    }
}
