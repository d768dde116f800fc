import SockeyeCore

/// The deadlines of one request, and how to say which of them has passed. By reference, for it goes where the request goes.
final class Deadlines: Sendable {
    let timeouts: Timeouts
    let total: MonotonicTime
    let time: TimeSource

    init(timeouts: Timeouts, time: TimeSource) {
        self.timeouts = timeouts
        self.time = time
        total = timeouts.total == nil ? .distantFuture : time.now.deadline(after: timeouts.total)
    }

    /// When a wait must end that starts now and has `limit` of its own.
    func next(_ limit: Duration?) -> MonotonicTime {
        guard let limit else { return total }
        return min(total, time.now.advanced(by: limit))
    }

    /// The error of a wait that timed out: the total deadline's if that has passed, else the phase's own.
    func error(_ phase: SockeyeError.Phase, limit: Duration?, name: String) -> SockeyeError {
        exceeded(in: phase) ?? .timeout(phase, configured: limit, name: name)
    }

    /// The error of the total deadline if that has passed, else nil.
    func exceeded(in phase: SockeyeError.Phase) -> SockeyeError? {
        guard total != .distantFuture, time.now >= total else { return nil }
        return .timeout(phase, configured: timeouts.total, name: "total")
    }
}
