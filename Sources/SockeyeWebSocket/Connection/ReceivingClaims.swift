import SockeyeNet

/// The exclusive use of a connection's receiving half (its input, its parser and the current message), and the tasks
/// that wait for this use.
///
/// A receiver (a task that reads a message) and a closer (a task that closes the connection) keep the half until they
/// are done. A pinger (a task that waits for a pong while no task receives) releases it as soon as a receiver or closer
/// wants it.
struct ReceivingClaims {
    /// The user of the half; one at a time.
    enum Claim {
        case free, receiver, closer, pinger
    }

    private(set) var holder = Claim.free
    /// The tasks to signal when the half becomes free.
    private var successors: [WaitTimer] = []
    /// The number of receivers and closers that have demanded the half from a pinger.
    private var urgent = 0

    /// True if a pinger has to release the half.
    var isWanted: Bool { urgent > 0 }

    /// Claims the half for a receiver.
    ///
    /// - Returns: The previous holder; the claim succeeded if that is ``Claim/free``.
    mutating func takeToReceive() -> Claim {
        let previous = holder
        if previous == .free { holder = .receiver }
        return previous
    }

    /// Claims the half for a closer. Returns false if it is taken: then `waiter` is signalled when it becomes free.
    mutating func takeToClose(or waiter: WaitTimer) -> Bool {
        take(as: .closer, or: waiter)
    }

    /// Claims the half for a pinger. Returns false if another task has it, or if a receiver or closer has demanded it:
    /// then `waiter` is signalled when it becomes free.
    mutating func takeToPing(or waiter: WaitTimer) -> Bool {
        guard !isWanted else {
            successors.append(waiter)
            return false
        }
        return take(as: .pinger, or: waiter)
    }

    private mutating func take(as claim: Claim, or waiter: WaitTimer) -> Bool {
        guard holder == .free else {
            successors.append(waiter)
            return false
        }
        holder = claim
        return true
    }

    /// Demands the half from a pinger; `waiter` is signalled when the pinger has released it. Returns false if no
    /// pinger holds it.
    ///
    /// ``claim(as:demandedBy:)`` or ``withdraw(_:)`` ends the demand.
    mutating func demand(_ waiter: WaitTimer) -> Bool {
        guard holder == .pinger else { return false }
        urgent += 1
        successors.append(waiter)
        return true
    }

    /// Ends a demand with a claim. Returns false if another task claimed the half first.
    mutating func claim(as claim: Claim, demandedBy waiter: WaitTimer) -> Bool {
        urgent -= 1
        leave(waiter)
        guard holder == .free else { return false }
        holder = claim
        return true
    }

    /// Ends a demand without a claim.
    ///
    /// - Returns: If the half is free, the waiting tasks to signal, because the demand may have kept pingers from it.
    ///   Empty if the half is taken.
    mutating func withdraw(_ waiter: WaitTimer) -> [WaitTimer] {
        urgent -= 1
        leave(waiter)
        return holder == .free ? takeSuccessors() : []
    }

    /// Removes a waiter.
    mutating func leave(_ waiter: WaitTimer) { successors.removeAll { $0 === waiter } }

    /// Releases the half.
    ///
    /// - Parameter next: A task to signal at the next release.
    /// - Returns: The tasks to signal now.
    mutating func release(awaiting next: WaitTimer? = nil) -> [WaitTimer] {
        holder = .free
        let waiters = takeSuccessors()
        if let next { successors.append(next) }
        return waiters
    }

    private mutating func takeSuccessors() -> [WaitTimer] {
        guard !successors.isEmpty else { return [] }
        defer { successors = [] }
        return successors
    }
}
