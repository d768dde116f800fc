/// The deadlines of the phases of a request with all defaults filled in. Nil means no deadline.
package struct PhaseLimits: Sendable, Hashable {
    package var pool: Duration?
    package var resolve: Duration?
    package var connect: Duration?
    package var tls: Duration?
    package var head: Duration?
    package var stall: Duration?
    package var total: Duration?

    /// Takes the deadlines that are set, and the defaults for all others.
    package init(_ timeouts: Timeouts = Timeouts()) {
        pool = Self.limit(timeouts.pool, default: .seconds(60))
        resolve = Self.limit(timeouts.resolve, default: .seconds(10))
        connect = Self.limit(timeouts.connect, default: .seconds(10))
        tls = Self.limit(timeouts.tls, default: .seconds(10))
        head = Self.limit(timeouts.head, default: .seconds(60))
        stall = Self.limit(timeouts.stall, default: .seconds(60))
        total = Self.limit(timeouts.total, default: .unlimited)
    }

    private static func limit(_ value: Duration?, default standard: Duration) -> Duration? {
        let limit = value ?? standard
        return limit == .unlimited ? nil : limit
    }
}
