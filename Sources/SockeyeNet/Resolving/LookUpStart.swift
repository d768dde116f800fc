import Synchronization

/// The start of a shared look-up: claimed by the resolver when its turn comes, or withdrawn before that.
///
/// waiting → `begin` → begun, or waiting → `withdraw` → withdrawn. Exactly one of the two succeeds.
package final class LookUpStart: Sendable {
    private static let waiting: UInt8 = 0
    private static let begun: UInt8 = 1
    private static let withdrawn: UInt8 = 2

    private let state = Atomic(waiting)
    private let deserted = Atomic(false)

    package init() {}

    /// Claims the look-up. False if it was withdrawn: then it must not be made.
    package func begin() -> Bool {
        state.compareExchange(expected: Self.waiting, desired: Self.begun, ordering: .acquiringAndReleasing).original
            != Self.withdrawn
    }

    /// Withdraws the look-up. False if it has begun.
    func withdraw() -> Bool {
        state.compareExchange(expected: Self.waiting, desired: Self.withdrawn, ordering: .acquiringAndReleasing)
            .original
            != Self.begun
    }

    /// Whether the look-up has no callers at the moment. Its answer still serves the next one.
    package var isDeserted: Bool {
        get { deserted.load(ordering: .relaxed) }
        set { deserted.store(newValue, ordering: .relaxed) }
    }
}
