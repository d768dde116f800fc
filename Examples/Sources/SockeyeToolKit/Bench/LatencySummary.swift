/// The count, mean, extremes and percentiles of durations.
package struct LatencySummary: Sendable, Hashable {
    package let count: Int
    package let mean: Duration
    package let fastest: Duration
    package let slowest: Duration
    private let sorted: [Duration]

    package init(_ durations: [Duration]) {
        sorted = durations.sorted()
        count = sorted.count
        mean = sorted.isEmpty ? .zero : sorted.reduce(.zero, +) / sorted.count
        fastest = sorted.first ?? .zero
        slowest = sorted.last ?? .zero
    }

    /// Returns a percentile by the nearest-rank method: the shortest measured duration that `percent` of all do not
    /// exceed.
    package func percentile(_ percent: Double) -> Duration {
        guard !sorted.isEmpty else { return .zero }
        // Decimal fractions such as 99.9 are not exact in binary, so that 99.9 % of 1000 may be a little above 999.
        let rank = (percent / 100 * Double(sorted.count) - 1e-9).rounded(.up)
        return sorted[min(sorted.count - 1, max(0, Int(rank) - 1))]
    }
}
