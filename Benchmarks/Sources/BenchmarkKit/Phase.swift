internal import Synchronization

/// A period in which a client sends requests, one after another on each connection.
package final class Phase: Sendable {
    private let end: UInt64
    private let latestEnd: UInt64
    private let fewest: Int
    private let remaining: Atomic<Int>?

    /// - Parameters:
    ///   - fewest: The minimum of requests of each worker, unless they take five times as long as the phase. If a
    ///     request takes nearly as long as the phase, the last requests would otherwise determine the result.
    ///   - requests: The maximum of requests of all workers together.
    package init(seconds: Double, fewest: Int = 1, requests: Int = .max) {
        let start = MonotonicClock.now
        end = start + UInt64(seconds * 1e9)
        latestEnd = start + UInt64(seconds * 5e9)
        self.fewest = fewest
        remaining = requests == .max ? nil : Atomic(requests)
    }

    /// Returns true if a worker that has sent `count` requests may begin one more at the given time. The first request
    /// may begin even after the end, so that a warm-up opens every connection however long that takes.
    package func admits(at now: UInt64, had count: Int) -> Bool {
        guard now < end || count == 0 || (count < fewest && now < latestEnd) else { return false }
        guard remaining != nil else { return true }
        return remaining!.subtract(1, ordering: .relaxed).oldValue > 0
    }
}
