import SockeyeCore

/// Until when an exchange waits for the head of its answer.
struct Patience {
    /// When the head must be there.
    let head: MonotonicTime
    /// When to look next: earlier than `head` while a body waits for permission, later while one still moves.
    var deadline: MonotonicTime

    init(_ request: PreparedRequest, holdsBody: Bool) {
        let deadlines = request.deadlines
        head = deadlines.next(deadlines.timeouts.head)
        deadline = holdsBody ? min(deadlines.next(request.expectContinue), head) : head
    }
}
