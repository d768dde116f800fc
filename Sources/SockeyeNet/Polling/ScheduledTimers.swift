import SockeyeCore

/// The timers that a wait point has scheduled at its poller. A value without I/O that decides when the point needs
/// another timer.
///
/// A scheduled timer cannot be withdrawn. A deadline before the first timer adds a timer. The previous first timer is
/// remembered for later waits: otherwise a stream that alternates between short and long waits would add a timer each
/// time.
struct ScheduledTimers {
    /// The time of the earliest timer; distant future without timers.
    private var first = MonotonicTime.distantFuture
    /// The time of a later timer; distant future without one. A third timer, between both, is not remembered and
    /// fires without effect.
    private var second = MonotonicTime.distantFuture

    /// The number of remembered timers.
    var count: Int { (first == .distantFuture ? 0 : 1) + (second == .distantFuture ? 0 : 1) }

    /// Returns true if the caller has to schedule a timer for this deadline.
    mutating func mustSchedule(_ deadline: MonotonicTime) -> Bool {
        guard deadline < first else { return false }
        if second == .distantFuture { second = first }
        first = deadline
        return true
    }

    /// Returns true if the first timer is due. A timer that fires at another time has no effect.
    func isDue(at now: MonotonicTime) -> Bool { first <= now }

    /// Notes that the first timer has fired.
    ///
    /// - Parameter deadline: The earliest deadline of the remaining waiters; distant future without one.
    /// - Returns: The time for which the caller has to schedule a timer; nil if it needs no further one.
    mutating func restart(at now: MonotonicTime, for deadline: MonotonicTime) -> MonotonicTime? {
        // The second timer may be due together with the first, and then it fires without effect.
        first = second <= now ? .distantFuture : second
        second = .distantFuture
        return mustSchedule(deadline) ? deadline : nil
    }
}
