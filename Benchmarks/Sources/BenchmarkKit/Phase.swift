internal import Synchronization

/// A stretch of time in which a client sends requests, one after another on each connection.
package final class Phase: Sendable {
    private let end: UInt64
    private let latestEnd: UInt64
    private let fewest: Int
    private let remaining: Atomic<Int>?

    /// - Parameters:
    ///   - fewest: how many requests each worker has in any case, unless that takes five times as long: where one takes
    ///     nearly as long as the phase, the last ones would decide what comes out.
    ///   - requests: how many there are at most, of all workers together.
    package init(seconds: Double, fewest: Int = 1, requests: Int = .max) {
        let start = MonotonicClock.now
        end = start + UInt64(seconds * 1e9)
        latestEnd = start + UInt64(seconds * 5e9)
        self.fewest = fewest
        remaining = requests == .max ? nil : Atomic(requests)
    }

    /// Whether one more request may begin at the given time, of a worker that has had so many. The first one may even
    /// when all time is over, so that a warm-up opens every connection however long that takes.
    package func admits(at now: UInt64, had count: Int) -> Bool {
        guard now < end || count == 0 || (count < fewest && now < latestEnd) else { return false }
        guard remaining != nil else { return true }
        return remaining!.subtract(1, ordering: .relaxed).oldValue > 0
    }
}
