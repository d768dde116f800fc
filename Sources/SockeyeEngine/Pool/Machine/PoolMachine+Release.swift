package import SockeyeCore

extension PoolMachine {
    /// Gives a leased connection back.
    ///
    /// - Parameters:
    ///   - reusable: the exchange ended so that another may follow: request and response complete, no error, no
    ///     upgrade, and persistence agreed (RFC 9112 §9.3).
    ///   - keepAliveTimeout: the server's `Keep-Alive: timeout`.
    ///   - remainingUses: the server's `Keep-Alive: max`: how many more requests it takes on this connection.
    package mutating func release(
        _ id: ConnectionID,
        reusable: Bool,
        keepAliveTimeout: Duration? = nil,
        remainingUses: Int? = nil,
        now: MonotonicTime
    ) -> ReleaseDecision {
        guard let index = connections.index(of: id), connections[index].state == .leased else {
            assertionFailure("released a connection that is not leased")
            return .none
        }
        let origin = connections[index].origin
        connections[index].lastUse = now
        if !reusable || keepAliveTimeout.map({ $0 <= .zero }) == true {
            return closeLeased(index, of: origin, .notReusable)
        }
        if (remainingUses ?? 1) <= 0 || connections[index].uses >= limits.maxUses ?? .max {
            return closeLeased(index, of: origin, .maxUses)
        }
        if connections[index].ageDeadline <= now {
            return closeLeased(index, of: origin, .maxAge)
        }
        if let waiter = origins[origin].ordinary.first {
            guard !mustGiveWay(waiter, of: origin) else { return closeLeased(index, of: origin, .evicted) }
            connections[index].isReused = true
            let (waiter, lease) = serve(waiter, of: origin, with: index)
            return .serve(waiter, lease)
        }
        return keep(index, of: origin, keepAliveTimeout: keepAliveTimeout, now: now)
    }

    /// A leased connection turned out to be closed by the peer before anything was sent on it.
    ///
    /// Its place may go to a longer waiter than the caller, which asks again with `lease`.
    package mutating func foundStale(_ id: ConnectionID) -> ReleaseDecision {
        guard let index = connections.index(of: id), connections[index].state == .leased else {
            assertionFailure("found a connection stale that is not leased")
            return .none
        }
        return closeLeased(index, of: connections[index].origin, .closedByPeer)
    }

    private mutating func closeLeased(_ index: Int, of origin: Int, _ reason: PoolCloseReason) -> ReleaseDecision {
        let closing = close(index, reason)
        return .close(closing, dial: fillFreedPlace(of: origin))
    }

    /// An origin without a single connection gets one from an origin that has some, if it waited longer: else a busy
    /// origin, passing its connections from waiter to waiter, would keep it waiting for ever.
    private func mustGiveWay(_ waiter: Int, of origin: Int) -> Bool {
        guard !starved.isEmpty, let longest = starved.first, longest.origin != origin else { return false }
        return longest.sequence < waiters[waiter].sequence && origins[longest.origin].connections == 0
    }

    /// Leased to idle, unless somebody needs the place or the connection may not be kept.
    mutating func keep(
        _ index: Int, of origin: Int, keepAliveTimeout: Duration?, now: MonotonicTime
    ) -> ReleaseDecision {
        guard phase == .open else { return closeLeased(index, of: origin, .shutDown) }
        // Waiters that are left here want a fresh connection; starved ones want one of another key.
        guard origins[origin].firstUncovered == nil && starved.isEmpty else {
            return closeLeased(index, of: origin, .evicted)
        }
        var deadline = min(now.advanced(byNanoseconds: idleTimeout), connections[index].ageDeadline)
        if let keepAliveTimeout {
            let announced = keepAliveTimeout.clampedNanoseconds
            deadline = min(deadline, now.advanced(byNanoseconds: announced - min(keepAliveMargin, announced / 2)))
        }
        guard deadline > now else { return closeLeased(index, of: origin, .idleTimeout) }
        let limit = limits.maxIdlePerOrigin ?? .max
        guard limit > 0 else { return closeLeased(index, of: origin, .idleLimit) }
        connections.keep(at: index, until: deadline, in: &origins[origin])
        earliestExpiry = min(earliestExpiry, deadline)
        if origins[origin].idleCount > limit, let oldest = origins[origin].idle.first {
            return .close(closeIdle(oldest, .idleLimit), dial: nil)
        }
        return .none
    }
}
