import SockeyeCore

/// The deadline for the head of the response.
struct HeadDeadline {
    /// The time by which the head must have arrived.
    private let head: MonotonicTime
    /// The time of the next check: earlier than that of the head while a body waits for permission, later while a body
    /// still makes progress.
    private(set) var deadline: MonotonicTime

    /// - Parameter begun: The start of the exchange.
    init(_ request: borrowing PreparedRequest, from begun: MonotonicTime, holdsBody: Bool) {
        head = .earlier(request.deadlines.total, begun.deadline(after: request.deadlines.limits.head))
        deadline = holdsBody ? .earlier(begun.deadline(after: request.expectContinue), head) : head
    }

    /// Ends the wait for permission to send the body: from now on only the head is awaited.
    mutating func permissionIsDue() { deadline = head }

    /// Extends the deadline after it has passed: during an upload it counts from the last progress of the body.
    ///
    /// - Parameter lastProgress: The last progress of the upload; nil without an upload.
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
