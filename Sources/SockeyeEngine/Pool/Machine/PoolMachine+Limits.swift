import SockeyeCore

/// Limits that change at run time.
extension PoolMachine {
    /// Replaces the limits.
    ///
    /// Lower numbers close idle connections at once, the least recently used first. Connections in use are closed at
    /// the end of their exchange if there are still too many. Higher numbers start dials for waiters at once. A shorter
    /// idle timeout or maximum age applies to all connections. A longer idle timeout applies to connections that are
    /// released from then on, a longer maximum age to those that are opened from then on.
    mutating func setLimits(_ limits: PoolLimits, now: MonotonicTime) -> LimitsDecision {
        adopt(limits)
        shortenDeadlines()
        let all = Array(origins.all)
        var decision = LimitsDecision()
        for origin in all { closeSurplus(of: origin, &decision) }
        while openCount > self.limits.total, let oldest = connections.leastRecentlyUsed {
            decision.closing.append(closeIdle(oldest, .limitsLowered))
        }
        checkLimits()
        for origin in origins.all.map(\.self) { updateStarvation(of: origin) }
        serveStarved(&decision, now)
        return decision
    }

    /// Notes whether there are still more connections than the lowered limits allow. Only then does the release of a
    /// connection check the limits.
    mutating func checkLimits() {
        mayExceedLimits = openCount > limits.total || origins.all.contains { exceedsLimits($0) }
    }

    /// True if the origin or the pool has more connections than the lowered limits allow.
    @inline(never)
    func exceedsLimits(_ origin: Int) -> Bool {
        origins[origin].connections > limits.perOrigin || openCount > limits.total
    }

    private mutating func closeSurplus(of origin: Int, _ decision: inout LimitsDecision) {
        // `origin` stays valid: the limit leaves the origin at least one connection, so its record is not removed.
        while origins[origin].connections > limits.perOrigin, let oldest = origins[origin].idle.first {
            decision.closing.append(closeIdle(oldest, .limitsLowered))
        }
    }

    private mutating func shortenDeadlines() {
        for index in connections.indices {
            let age = ageDeadline(from: connections[index].made)
            connections[index].ageDeadline = .earlier(connections[index].ageDeadline, age)
            guard connections[index].state == .idle else { continue }
            let deadline = MonotonicTime.earlier(age, connections[index].lastUse.advanced(byNanoseconds: idleTimeout))
            connections[index].idleDeadline = .earlier(connections[index].idleDeadline, deadline)
            earliestExpiry = .earlier(earliestExpiry, connections[index].idleDeadline)
        }
    }

    /// Starts dials for the waiters whose origin has not reached the limit for one origin. While the pool is full,
    /// closes an idle connection to make room for each dial, and stops when no connection is idle.
    private mutating func serveStarved(_ decision: inout LimitsDecision, _ now: MonotonicTime) {
        while let longest = starved.first {
            while openCount >= capacity {
                guard let idle = connections.leastRecentlyUsed else { return }
                decision.closing.append(closeIdle(idle, .evicted))
            }
            decision.dials.append(startDial(at: longest.origin, now))
        }
    }
}
