/// The time limits of the phases of a request with all defaults filled in. Nil means no limit.
package struct PhaseLimits: Sendable, Hashable {
    package var pool: Duration?
    package var resolve: Duration?
    package var connect: Duration?
    package var tls: Duration?
    package var head: Duration?
    package var stall: Duration?
    package var total: Duration?

    /// Takes the time limits that are set, and the defaults for all others. `.unlimited` becomes nil.
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
