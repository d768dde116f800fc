import SockeyeCore

/// Deadline of the head: until when an exchange waits for the head of its answer.
struct HeadDeadline {
    /// When the head must be there.
    let head: MonotonicTime
    /// When to look next: earlier than `head` while a body waits for permission, later while one still moves.
    var deadline: MonotonicTime

    /// - Parameter begun: When the exchange begins.
    init(_ request: borrowing PreparedRequest, from begun: MonotonicTime, holdsBody: Bool) {
        head = .earlier(request.deadlines.total, begun.deadline(after: request.deadlines.limits.head))
        deadline = holdsBody ? .earlier(begun.deadline(after: request.expectContinue), head) : head
    }
}
