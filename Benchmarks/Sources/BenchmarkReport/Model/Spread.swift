/// The median and the range of values.
package struct Spread: Sendable, Equatable {
    package let median: Double
    package let least: Double
    package let most: Double

    /// Makes a spread with the range of all values, and the median of the counted ones. Nil if either has no values.
    package init?(_ values: some Sequence<Double>, counting counted: some Sequence<Double>) {
        guard let range = Spread(values), let median = Spread(counted)?.median else { return nil }
        self.median = median
        (least, most) = (range.least, range.most)
    }

    /// Makes the spread of values; nil without values.
    package init?(_ values: some Sequence<Double>) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        (least, most) = (first, last)
    }
}
