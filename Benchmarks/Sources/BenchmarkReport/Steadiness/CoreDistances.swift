/// The distances of the cores in the samples of a run.
///
/// The kernel's part of a client's work takes up to three times as long if the cores are far apart. This part differs
/// between clients. So ratios differ between a run on near cores and a run on far cores.
package struct CoreDistances: Sendable, Equatable {
    /// The distances in nanoseconds, over the samples that have one.
    package let spread: Spread

    /// Makes the distances of a run; nil for results without them.
    package init?(_ results: RunResults) {
        let known = results.scenarios.flatMap(\.clients).flatMap(\.coreDistances).compactMap(\.self)
        guard let spread = Spread(known) else { return nil }
        self.spread = spread
    }

    /// A sentence for the report.
    package var text: String {
        """
        The distance of the cores is \(Self.nanoseconds(spread.median)) (median of the samples; \
        \(Self.nanoseconds(spread.least)) to \(Self.nanoseconds(spread.most))), the time of a cache line's round trip \
        between two cores.
        """
    }

    static func nanoseconds(_ value: Double) -> String { NumberStyle.whole.text(value) + " ns" }
}
