import SockeyeCore

/// The deadlines of phases by reference: all requests share their client's, except those that have some of their own.
final class SharedTimeouts: Sendable {
    let value: Timeouts
    /// The same with the defaults filled in.
    let limits: PhaseLimits

    init(_ value: Timeouts) {
        self.value = value
        limits = PhaseLimits(value)
    }
}

/// The deadlines of one request, and how to say which of them has passed.
struct RequestDeadlines: Sendable {
    private let timeouts: SharedTimeouts
    /// When the whole call ends, or earlier this attempt at it.
    let total: MonotonicTime
    let time: TimeSource
    let started: MonotonicTime
    private let overall: MonotonicTime
    private let attemptTimeout: Duration?

    /// - Parameters:
    ///   - deadline: The end of the whole call, which may have begun earlier. Nil: it begins now.
    ///   - attemptTimeout: How long this attempt may take until the head of its response is there.
    init(
        timeouts: SharedTimeouts, time: TimeSource, deadline: MonotonicTime? = nil, attemptTimeout: Duration? = nil
    ) {
        self.timeouts = timeouts
        self.time = time
        self.attemptTimeout = attemptTimeout
        let now = time.now
        started = now
        overall = deadline ?? now.deadline(after: timeouts.limits.total)
        total = .earlier(overall, now.deadline(after: attemptTimeout))
    }

    var limits: PhaseLimits { _read { yield timeouts.limits } }

    /// The deadlines of what follows the head of the response.
    var afterHead: RequestDeadlines {
        attemptTimeout == nil ? self : RequestDeadlines(timeouts: timeouts, time: time, deadline: overall)
    }

    /// When a wait must end that starts now and has `limit` of its own.
    func next(_ limit: Duration?) -> MonotonicTime {
        guard let limit else { return total }
        return .earlier(total, time.now.advanced(by: limit))
    }

    /// The error of a wait that timed out: the total deadline's if that has passed, else the phase's own.
    func error(_ phase: SockeyeError.Phase, limit: Duration?, name: String) -> SockeyeError {
        exceeded(in: phase) ?? .timeout(phase, configured: limit, name: name)
    }

    /// The error of the total deadline if that has passed, else nil.
    func exceeded(in phase: SockeyeError.Phase) -> SockeyeError? {
        guard total != .distantFuture, time.now >= total else { return nil }
        if total < overall { return .timeout(phase, configured: attemptTimeout, name: "attempt") }
        return .timeout(phase, configured: limits.total, name: "total")
    }
}
