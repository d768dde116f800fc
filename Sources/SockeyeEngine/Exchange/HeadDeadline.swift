import SockeyeCore

/// The deadline for the head of the response.
struct HeadDeadline {
    /// The time by which the head must have arrived.
    let head: MonotonicTime
    /// The time of the next check: earlier than `head` while a body waits for permission, later while a body still
    /// makes progress.
    var deadline: MonotonicTime

    /// - Parameter begun: The start of the exchange.
    init(_ request: borrowing PreparedRequest, from begun: MonotonicTime, holdsBody: Bool) {
        head = .earlier(request.deadlines.total, begun.deadline(after: request.deadlines.limits.head))
        deadline = holdsBody ? .earlier(begun.deadline(after: request.expectContinue), head) : head
    }
}
