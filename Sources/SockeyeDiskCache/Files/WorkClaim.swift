#if DiskCache
import Synchronization

/// Work that is done once, by whoever comes first.
final class WorkClaim: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
#endif
