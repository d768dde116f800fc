package import SockeyeCore

/// Running out of descriptors or memory, as a limit of connections that is learned and forgotten again.
extension PoolMachine {
    /// How long the pool makes do with the connections that it has, before it tries to have more.
    private static var exhaustionPause: Int64 { 1_000_000_000 }

    /// A dial failed since the process or the system has no descriptors or memory left.
    ///
    /// An idle connection is given up for it, the least recently used of whatever key. Where there is none, but others are
    /// in use, these are as many as there can be: whoever waits gets the next that is released, or its place. After a while
    /// the limits of the configuration hold again. A dial that nobody waits for costs nobody a connection.
    package mutating func dialExhausted(_ id: DialID, now: MonotonicTime) -> ExhaustionDecision {
        guard let dial = dials.index(of: id) else { return .failed(dialFailed(id)) }
        let origin = dials[dial]
        guard origins[origin].surplusDials == 0 else { return .failed(dialFailed(id)) }
        if let idle = connections.leastRecentlyUsed { return .retry(after: closeIdle(idle, .evicted)) }
        guard openCount > 1 else {
            // Nothing can get free. Each of those who wait has the dial that the failure of the one before leads to.
            makeDo(with: 1, now)
            let decision = dialFailed(id)
            if decision.dial == nil { forgetExhaustion() }
            return .failed(decision)
        }
        _ = endDial(id)
        let waiter = waiters.uncoverLast(of: &origins[origin])
        makeDo(with: openCount, now)
        updateStarvation(of: origin)
        return .wait(waiters.id(at: waiter))
    }

    /// When to call ``retryExhausted(now:)``; nil while the limits of the configuration hold.
    package var exhaustionDeadline: MonotonicTime? { ceiling == nil ? nil : retryTime }

    /// Tries for as many connections as the configuration allows, once the time has come: the dials for those who wait.
    package mutating func retryExhausted(now: MonotonicTime) -> [Dial] {
        guard ceiling != nil, retryTime <= now else { return [] }
        forgetExhaustion()
        var started: [Dial] = []
        while openCount < capacity, let longest = starved.first { started.append(startDial(at: longest.origin)) }
        return started
    }

    private mutating func makeDo(with connections: Int, _ now: MonotonicTime) {
        ceiling = connections
        retryTime = now.advanced(byNanoseconds: Self.exhaustionPause)
    }

    private mutating func forgetExhaustion() {
        ceiling = nil
        retryTime = .distantFuture
    }
}
