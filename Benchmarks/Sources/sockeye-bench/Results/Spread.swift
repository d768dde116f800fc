/// The median of some samples and the range they lie in.
struct Spread {
    let median: Double
    let least: Double
    let most: Double

    /// Nil without samples.
    init?(_ samples: [Double]) {
        let sorted = samples.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        (least, most) = (first, last)
    }
}
