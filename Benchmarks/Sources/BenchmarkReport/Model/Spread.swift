/// The median of some values and the range they lie in.
package struct Spread: Sendable, Equatable {
    package let median: Double
    package let least: Double
    package let most: Double

    /// Nil without values.
    package init?(_ values: some Sequence<Double>) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        (least, most) = (first, last)
    }
}
