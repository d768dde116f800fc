import Synchronization

/// The start of a queued look-up, for which several callers may wait. The resolver calls ``begin()`` right before the
/// query. The cache calls ``withdraw()`` when the last caller has left.
///
/// States: waiting → `begin` → begun, or waiting → `withdraw` → withdrawn. The first call of either method decides;
/// the other method then returns false.
package final class LookUpStart: Sendable {
    private static let waiting: UInt8 = 0
    private static let begun: UInt8 = 1
    private static let withdrawn: UInt8 = 2

    private let state = Atomic(waiting)
    private let withoutCallers = Atomic(false)

    package init() {}

    /// Begins the look-up. Returns false if the look-up was withdrawn; then do not send the query.
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

    /// True while no caller waits for the look-up. A look-up that has begun may continue, so that its answer can be
    /// stored. The DNS client may abandon such a look-up if the limit of simultaneous look-ups is reached and other
    /// look-ups are queued.
    package var hasNoCallers: Bool {
        get { withoutCallers.load(ordering: .relaxed) }
        set { withoutCallers.store(newValue, ordering: .relaxed) }
    }
}
