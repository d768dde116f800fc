package import SockeyeCore

/// The parked tasks of a pool's waiters: the continuation and the deadline of each.
///
/// A waiter is entered when the machine has queued it, a moment before its task is suspended. In between it may be settled
/// already, so from there each goes one of two ways, and each is settled once:
///
///     enter ──▶ entered ──park──▶ parked ──settle──▶ its continuation is handed out
///                  │
///                  └──settle──▶ its outcome is kept ──park──▶ its outcome is handed out
///
/// A place is three words, at the slot of the waiter's id: looking one up is an addition, and thousands of waiters that take
/// turns go on sharing cache lines. A deadline is a field of it. There is one timer for all of them, set to no later than the
/// earliest deadline: a waiter with as long a deadline as the others never touches it.
package struct ParkedWaiters<Continuation: Sendable, Outcome: Sendable>: Sendable {
    private struct Place {
        /// The waiter's serial; 0 while vacant.
        var serial: UInt32
        var deadline = MonotonicTime.distantFuture
        var continuation: Continuation?
    }

    /// The result of parking a task.
    package enum Parking: Sendable {
        /// Nothing to wait for any more. Nil for a waiter that is not known.
        case settled(Outcome?)
        /// It waits; with a time, the timer is to be set to that.
        case parked(wakeTime: MonotonicTime?)
    }

    private var places: [Place] = []
    /// What became of those who were settled before they were parked.
    private var early: [WaiterID: Outcome] = [:]
    package private(set) var count = 0
    /// When to look for deadlines that have passed; the end of time for never.
    package private(set) var wakeTime = MonotonicTime.distantFuture

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// The machine gives a slot to one waiter at a time.
    package mutating func enter(_ id: WaiterID) {
        let slot = Int(id.slot)
        while places.count <= slot { places.append(Place(serial: 0)) }
        places[slot].serial = id.serial
        count += 1
    }

    /// Notes where to resume a waiter, unless it is settled already.
    package mutating func park(
        _ continuation: Continuation, as id: WaiterID, until deadline: MonotonicTime
    ) -> Parking {
        if !early.isEmpty, let outcome = early.removeValue(forKey: id) { return .settled(outcome) }
        guard let slot = slot(of: id) else { return .settled(nil) }
        let deadline = MonotonicTime.earlier(deadline, places[slot].deadline)
        places[slot].continuation = continuation
        places[slot].deadline = deadline
        guard deadline < wakeTime else { return .parked(wakeTime: nil) }
        wakeTime = deadline
        return .parked(wakeTime: deadline)
    }

    /// Gives a waiter, parked or about to be, an earlier deadline. Returns the time that the timer is to be set to, if it is.
    package mutating func shortenWait(_ id: WaiterID, to deadline: MonotonicTime) -> MonotonicTime? {
        guard let slot = slot(of: id), deadline < places[slot].deadline else { return nil }
        places[slot].deadline = deadline
        // Parking looks at it.
        guard places[slot].continuation != nil, deadline < wakeTime else { return nil }
        wakeTime = deadline
        return deadline
    }

    /// Ends a wait. Returns the continuation to resume; nil for an unknown waiter, and for one that is not parked yet.
    package mutating func settle(_ id: WaiterID, _ outcome: @autoclosure () -> Outcome) -> Continuation? {
        guard let slot = slot(of: id) else { return nil }
        let continuation = places[slot].continuation
        if continuation == nil { early[id] = outcome() }
        places[slot] = Place(serial: 0)
        count -= 1
        if count == 0, places.count > PoolMemory.kept { places = [] }
        return continuation
    }

    /// The parked waiters whose deadline has passed, to be settled; then the timer is to be set to ``wakeTime``. O(1)
    /// before its time, else O(capacity).
    package mutating func expired(at now: MonotonicTime) -> [WaiterID] {
        guard wakeTime <= now else { return [] }
        wakeTime = .distantFuture
        var expired: [WaiterID] = []
        for (slot, place) in places.enumerated() where place.continuation != nil {
            if place.deadline <= now {
                expired.append(WaiterID(slot: UInt32(truncatingIfNeeded: slot), serial: place.serial))
            } else {
                wakeTime = .earlier(wakeTime, place.deadline)
            }
        }
        return expired
    }

    /// Every waiter that is not settled.
    package var waiters: [WaiterID] {
        places.enumerated().compactMap { slot, place in
            place.serial == 0 ? nil : WaiterID(slot: UInt32(truncatingIfNeeded: slot), serial: place.serial)
        }
    }

    private func slot(of id: WaiterID) -> Int? {
        let slot = Int(id.slot)
        guard slot < places.count, places[slot].serial == id.serial, id.serial != 0 else { return nil }
        return slot
    }
}
