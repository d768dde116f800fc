internal import Synchronization

/// A stretch of time in which a client sends requests, one after another on each connection.
package final class Phase: Sendable {
    private let end: UInt64
    private let remaining: Atomic<Int>?

    package init(seconds: Double, requests: Int = .max) {
        end = MonotonicClock.now + UInt64(seconds * 1e9)
        remaining = requests == .max ? nil : Atomic(requests)
    }

    /// Whether one more request may begin at the given time. The first one of a worker may even after the end, so that
    /// a warm-up opens every connection however long that takes.
    package func admits(at now: UInt64, isFirst: Bool = false) -> Bool {
        guard now < end || isFirst else { return false }
        guard remaining != nil else { return true }
        return remaining!.subtract(1, ordering: .relaxed).oldValue > 0
    }
}
