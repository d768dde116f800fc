import SockeyeCore

/// A reference to the time limits of the phases. All requests of a client share one object, except requests with time
/// limits of their own.
final class SharedTimeouts: Sendable {
    let value: Timeouts
    /// The same time limits with the defaults filled in.
    let limits: PhaseLimits

    init(_ value: Timeouts) {
        self.value = value
        limits = PhaseLimits(value)
    }
}

/// The deadlines of one request, and the errors for those that have passed.
struct RequestDeadlines: Sendable {
    let timeouts: SharedTimeouts
    /// The end of the whole call or of this attempt, whichever is earlier.
    let total: MonotonicTime
    let time: TimeSource
    let started: MonotonicTime
    private let overall: MonotonicTime
    private let attemptTimeout: Duration?

    /// - Parameters:
    ///   - deadline: The end of the whole call; nil if the call begins now.
    ///   - attemptTimeout: The time limit of this attempt up to the head of its response.
    ///   - attemptStart: The start of this attempt; nil if it starts now.
    init(
        timeouts: SharedTimeouts, time: TimeSource, deadline: MonotonicTime? = nil, attemptTimeout: Duration? = nil,
        attemptStart: MonotonicTime? = nil
    ) {
        self.timeouts = timeouts
        self.time = time
        self.attemptTimeout = attemptTimeout
        let now = time.now
        started = now
        overall = deadline ?? now.deadline(after: timeouts.limits.total)
        total = .earlier(overall, (attemptStart ?? now).deadline(after: attemptTimeout))
    }

    var limits: PhaseLimits { _read { yield timeouts.limits } }

    /// The deadlines that apply after the head of the response.
    var afterHead: RequestDeadlines {
        attemptTimeout == nil ? self : RequestDeadlines(timeouts: timeouts, time: time, deadline: overall)
    }

    /// Returns the error of a wait that timed out. If ``total`` has passed, this is the error of the attempt or of the
    /// whole call; otherwise it is the error of the phase.
    func error(_ phase: SockeyeError.Phase, limit: Duration?, name: String) -> SockeyeError {
        exceeded(in: phase) ?? .timeout(phase, configured: limit, name: name)
    }

    /// Returns the error of the attempt or the whole call if ``total`` has passed, else nil.
    func exceeded(in phase: SockeyeError.Phase) -> SockeyeError? {
        guard total != .distantFuture, time.now >= total else { return nil }
        if total < overall { return .timeout(phase, configured: attemptTimeout, name: "attempt") }
        return .timeout(phase, configured: limits.total, name: "total")
    }
}

/// The deadline for the head of the response.
struct HeadDeadline {
    /// The time by which the head must have arrived, unless `extend` allows more time.
    private let head: MonotonicTime
    /// The end of the current wait. While the body waits for the server's permission, this is the time at which the
    /// exchange sends the body without permission. The exchange then waits for the head.
    private(set) var deadline: MonotonicTime

    /// - Parameters:
    ///   - begun: The start of the exchange.
    ///   - holdsBody: True if the body waits for the server's permission (Expect: 100-continue).
    init(_ request: borrowing PreparedRequest, from begun: MonotonicTime, holdsBody: Bool) {
        head = .earlier(request.deadlines.total, begun.deadline(after: request.deadlines.limits.head))
        deadline = holdsBody ? .earlier(begun.deadline(after: request.expectContinue), head) : head
    }

    /// Ends the wait for permission to send the body.
    mutating func permissionIsDue() { deadline = head }

    /// Extends the deadline after it has passed: the time limit for the head counts again from `lastProgress`.
    ///
    /// - Parameter lastProgress: The time of the upload's last progress, or the time at which the application last
    ///   resumed the paused transfer, whichever is later. While the transfer is paused, this is the current time. Nil
    ///   if there was neither an upload nor a pause.
    /// - Returns: False if the time for the head is over.
    mutating func extend(_ request: borrowing PreparedRequest, lastProgress: MonotonicTime?) -> Bool {
        let deadlines = request.deadlines
        let now = deadlines.time.now
        guard let lastProgress, now < deadlines.total else { return false }
        let extended = MonotonicTime.earlier(deadlines.total, lastProgress.deadline(after: deadlines.limits.head))
        guard extended > now else { return false }
        deadline = extended
        return true
    }
}
