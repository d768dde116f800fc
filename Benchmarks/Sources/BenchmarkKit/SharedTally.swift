internal import Synchronization

/// A tally that several workers share. With one tally for each of a thousand workers, their histograms would be most of
/// the measured memory. There are more tallies than threads, so that no worker waits for the lock.
final class SharedTally: Sendable {
    private let tally = Mutex(Tally())

    func record(bytes: Int, nanoseconds: UInt64) {
        tally.withLock { $0.record(bytes: bytes, nanoseconds: nanoseconds) }
    }

    /// Counts a failure, and returns true if the tally is hopeless.
    func record(error: any Error) -> Bool {
        tally.withLock {
            $0.record(error: error)
            return $0.isHopeless
        }
    }

    var current: Tally { tally.withLock { $0 } }
}
