import Synchronization

/// The start of a shared look-up, which the resolver claims right before the query, unless the cache has withdrawn the
/// look-up.
///
/// States: waiting → `begin` → begun, or waiting → `withdraw` → withdrawn. Exactly one of the two succeeds.
package final class LookUpStart: Sendable {
    private static let waiting: UInt8 = 0
    private static let begun: UInt8 = 1
    private static let withdrawn: UInt8 = 2

    private let state = Atomic(waiting)
    private let deserted = Atomic(false)

    package init() {}

    /// Claims the look-up. Returns false if it was withdrawn: then do not query for it.
    package func begin() -> Bool {
        state.compareExchange(expected: Self.waiting, desired: Self.begun, ordering: .acquiringAndReleasing).original
            != Self.withdrawn
    }

    /// Withdraws the look-up. Returns false if it has begun.
    func withdraw() -> Bool {
        state.compareExchange(expected: Self.waiting, desired: Self.withdrawn, ordering: .acquiringAndReleasing)
            .original
            != Self.begun
    }

    /// True while the look-up has no callers. Its answer still serves the next caller.
    package var hasNoCallers: Bool {
        get { deserted.load(ordering: .relaxed) }
        set { deserted.store(newValue, ordering: .relaxed) }
    }
}
