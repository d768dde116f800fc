internal import Synchronization

/// A tally that several workers share: with one for each of a thousand, their histograms would be most of the memory
/// that is measured. There are more tallies than threads, so nobody waits for the lock.
final class SharedTally: Sendable {
    private let tally = Mutex(Tally())

    func record(bytes: Int, nanoseconds: UInt64) {
        tally.withLock { $0.record(bytes: bytes, nanoseconds: nanoseconds) }
    }

    /// Counts a failure and tells whether there is hope left.
    func record(error: any Error) -> Bool {
        tally.withLock {
            $0.record(error: error)
            return $0.isHopeless
        }
    }

    var current: Tally { tally.withLock { $0 } }
}
