internal import Synchronization

/// Cancels tasks when their time has come. One loop for all of them, because a timer for each would cost as much as what
/// is measured.
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

    /// Says which task is to be cancelled.
    func watch(_ task: Task<Int, any Error>, in slot: Int) {
        slots.withLock { $0[slot].task = task }
    }

    /// Says when; by the task itself as it begins, so that none is cancelled before it does.
    func cancel(_ slot: Int, at due: UInt64) {
        slots.withLock { $0[slot].due = due }
    }

    /// When the task of a slot was cancelled, which is free from now on; nil if it was not.
    func end(_ slot: Int) -> UInt64? {
        slots.withLock { slots in
            defer { slots[slot] = Slot() }
            return slots[slot].cancelled
        }
    }

    /// Goes on until it is cancelled itself.
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
