#if DiskCache
import Synchronization

/// A claim on work that must be done only once: ``take()`` returns true for the first caller and false for all others.
final class WorkClaim: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
#endif
