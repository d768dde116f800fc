/// The budget of one turn of a loop over a peer's input.
///
/// A peer that always has more to send would keep such a loop, its task and its thread of the cooperative pool busy
/// indefinitely. The loop spends the budget with each unit that it reads. When ``spend(_:units:)`` returns true, the
/// turn is over. The loop then checks cancellation and its deadline and calls `Task.yield()`, so that other tasks run,
/// before it continues.
///
/// The budget does not measure time, because reading the clock takes longer than processing most units.
package struct TurnBudget: Sendable {
    /// The limit of bytes in one turn. Copying or scanning this many takes less than a millisecond.
    package static let bytes = 1 << 20
    /// The limit of units (frames, records, lines, calls into a decoder) in one turn.
    package static let units = 256

    private let byteLimit: Int
    private let unitLimit: Int
    private var spentBytes = 0
    private var spentUnits = 0

    package init(bytes: Int = Self.bytes, units: Int = Self.units) {
        byteLimit = bytes
        unitLimit = units
    }

    /// Subtracts `units` units, and the total of their bytes (`count`), from the budget.
    ///
    /// - Returns: True if the turn is over. The next call begins a new turn.
    package mutating func spend(_ count: Int, units: Int = 1) -> Bool {
        spentBytes = spentBytes.addingSaturated(count)
        spentUnits = spentUnits.addingSaturated(units)
        guard spentBytes >= byteLimit || spentUnits >= unitLimit else { return false }
        restart()
        return true
    }

    /// Begins a new turn. A loop may call this after a wait that suspended its task: other tasks have run meanwhile.
    package mutating func restart() {
        (spentBytes, spentUnits) = (0, 0)
    }
}
