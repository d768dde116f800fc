import SockeyeCore

/// The parked (suspended) tasks of a pool's waiters: the continuation and the deadline of each.
///
/// A waiter is entered when the ``PoolMachine`` has queued it, a moment before its task is suspended. Its wait may end
/// in between. So each waiter takes one of two paths, and is settled once:
///
///     enter ──▶ entered ──park──▶ parked ──settle──▶ its continuation is handed out
///                  │
///                  └──settle──▶ its outcome is kept ──park──▶ its outcome is handed out
///
/// A waiter occupies one slot, which takes three words of memory; its id contains the index of the slot. All waiters
/// share one timer, set no later than the earliest deadline.
struct ParkedWaiters<Continuation: Sendable, Outcome: Sendable>: Sendable {
    private struct Slot {
        /// The waiter's serial; 0 while the slot is vacant.
        var serial: UInt32
        var deadline = MonotonicTime.distantFuture
        var continuation: Continuation?
    }

    /// The result of parking a task.
    enum Parking: Sendable {
        /// The wait is over, with this outcome; nil for an unknown waiter.
        case settled(Outcome?)
        /// The task waits. If a time is given, the caller sets the timer to it.
        case parked(wakeTime: MonotonicTime?)
    }

    private var slots: [Slot] = []
    /// The outcomes of waiters that were settled before they were parked.
    private var earlyOutcomes: [WaiterID: Outcome] = [:]
    private(set) var count = 0
    /// The time of the next check for expired deadlines; `distantFuture` if no check is needed.
    private(set) var wakeTime = MonotonicTime.distantFuture

    init() {}

    var isEmpty: Bool { count == 0 }

    /// Adds a waiter. The machine gives a slot to one waiter at a time.
    mutating func enter(_ id: WaiterID) {
        let slot = Int(id.slot)
        while slots.count <= slot { slots.append(Slot(serial: 0)) }
        slots[slot].serial = id.serial
        count += 1
    }

    /// Stores the continuation of a waiter, unless the waiter is already settled.
    mutating func park(
        _ continuation: Continuation, as id: WaiterID, until deadline: MonotonicTime
    ) -> Parking {
        if !earlyOutcomes.isEmpty, let outcome = earlyOutcomes.removeValue(forKey: id) { return .settled(outcome) }
        guard let slot = slot(of: id) else { return .settled(nil) }
        let deadline = MonotonicTime.earlier(deadline, slots[slot].deadline)
        slots[slot].continuation = continuation
        slots[slot].deadline = deadline
        guard deadline < wakeTime else { return .parked(wakeTime: nil) }
        wakeTime = deadline
        return .parked(wakeTime: deadline)
    }

    /// Gives a waiter, parked or about to be, an earlier deadline. Returns the new time for the timer; nil if the timer
    /// need not change.
    mutating func shortenWait(_ id: WaiterID, to deadline: MonotonicTime) -> MonotonicTime? {
        guard let slot = slot(of: id), deadline < slots[slot].deadline else { return nil }
        slots[slot].deadline = deadline
        // If the waiter is not parked yet, `park` takes the deadline into account.
        guard slots[slot].continuation != nil, deadline < wakeTime else { return nil }
        wakeTime = deadline
        return deadline
    }

    /// Ends a wait. Returns the continuation to resume; nil for an unknown waiter, or one that is not parked yet.
    mutating func settle(_ id: WaiterID, _ outcome: @autoclosure () -> Outcome) -> Continuation? {
        guard let slot = slot(of: id) else { return nil }
        let continuation = slots[slot].continuation
        if continuation == nil { earlyOutcomes[id] = outcome() }
        slots[slot] = Slot(serial: 0)
        count -= 1
        if count == 0, slots.count > SlotMemory.kept { slots = [] }
        return continuation
    }

    /// Returns the parked waiters that are past their deadline. The caller settles them and sets the timer to
    /// ``wakeTime``.
    ///
    /// O(1) if called before ``wakeTime``, otherwise linear in the number of slots.
    mutating func expired(at now: MonotonicTime) -> [WaiterID] {
        guard wakeTime <= now else { return [] }
        wakeTime = .distantFuture
        var expired: [WaiterID] = []
        for (slot, place) in slots.enumerated() where place.continuation != nil {
            if place.deadline <= now {
                expired.append(WaiterID(slot: UInt32(truncatingIfNeeded: slot), serial: place.serial))
            } else {
                wakeTime = .earlier(wakeTime, place.deadline)
            }
        }
        return expired
    }

    /// Notes that no timer could be made. Returns the parked waiter with the earliest deadline; nil if no parked waiter
    /// has a deadline. That waiter may have relied on the timer, so the caller makes another attempt for it.
    mutating func timerFailed() -> (id: WaiterID, deadline: MonotonicTime)? {
        wakeTime = .distantFuture
        var next: WaiterID?
        for (slot, place) in slots.enumerated() where place.continuation != nil && place.deadline < wakeTime {
            wakeTime = place.deadline
            next = WaiterID(slot: UInt32(truncatingIfNeeded: slot), serial: place.serial)
        }
        guard let next else { return nil }
        return (next, wakeTime)
    }

    /// All waiters that are not settled.
    var waiters: [WaiterID] {
        slots.enumerated().compactMap { slot, place in
            place.serial == 0 ? nil : WaiterID(slot: UInt32(truncatingIfNeeded: slot), serial: place.serial)
        }
    }

    private func slot(of id: WaiterID) -> Int? {
        let slot = Int(id.slot)
        guard slot < slots.count, slots[slot].serial == id.serial, id.serial != 0 else { return nil }
        return slot
    }
}
