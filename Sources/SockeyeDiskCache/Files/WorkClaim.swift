#if DiskCache
import Synchronization

/// A claim on work that is done once, by the first taker.
final class WorkClaim: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
#endif
