import SockeyeCore

/// Limits that change at run time.
extension PoolMachine {
    /// Replaces the limits.
    ///
    /// Lower numbers close idle connections at once, the least recently used first; connections in use are closed at
    /// the end of their exchange while there are too many. Higher numbers start dials for waiters at once. Shorter
    /// times apply to all connections, longer times to connections that are opened or released from then on.
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

    /// Checks if there are still more connections than the lowered limits allow. If not, the release of a connection no
    /// longer checks the limits.
    mutating func checkLimits() {
        mayExceedLimits = openCount > limits.total || origins.all.contains { exceedsLimits($0) }
    }

    /// True if there are more connections than the lowered limits allow, of the origin or in total.
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

    /// Starts a dial for each waiter for which the limits allow a dial, if need be in place of an idle connection.
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
