internal import Synchronization

/// Cancels tasks at given times. One loop serves all tasks, because a timer for each would cost as much as the measured
/// work.
final class Canceller: Sendable {
    private struct Slot {
        var due = UInt64.max
        var cancelled: UInt64?
        var task: Task<Int, any Error>?
    }

    private let slots: Mutex<[Slot]>

    init(slots count: Int) {
        slots = Mutex([Slot](repeating: Slot(), count: count))
    }

    /// Sets the task of a slot.
    func watch(_ task: Task<Int, any Error>, in slot: Int) {
        slots.withLock { $0[slot].task = task }
    }

    /// Sets the time at which the task of a slot is cancelled. The task itself calls this when it begins, so that it is
    /// not cancelled earlier.
    func cancel(_ slot: Int, at due: UInt64) {
        slots.withLock { $0[slot].due = due }
    }

    /// Frees a slot and returns the time at which its task was cancelled; nil if it was not.
    func end(_ slot: Int) -> UInt64? {
        slots.withLock { slots in
            defer { slots[slot] = Slot() }
            return slots[slot].cancelled
        }
    }

    /// Cancels tasks that are due, until the calling task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: .nanoseconds(Patience.tick))) != nil {
            let now = MonotonicClock.now
            let due = slots.withLock { slots in
                slots.indices.compactMap { index -> Task<Int, any Error>? in
                    guard slots[index].due <= now, let task = slots[index].task else { return nil }
                    slots[index].due = .max
                    slots[index].cancelled = now
                    return task
                }
            }
            for task in due { task.cancel() }
        }
    }
}
