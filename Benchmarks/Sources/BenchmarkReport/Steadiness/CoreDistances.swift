/// How far apart the cores were in the samples of a run.
///
/// The kernel's share of a client's work takes up to three times as long where they are far, and shares differ from
/// client to client: so do ratios, from a run on near cores to one on far ones.
package struct CoreDistances: Sendable, Equatable {
    /// In nanoseconds, over the samples that tell.
    package let spread: Spread

    /// Nil for results that do not tell.
    package init?(_ results: RunResults) {
        let known = results.scenarios.flatMap(\.clients).flatMap(\.coreDistances).compactMap(\.self)
        guard let spread = Spread(known) else { return nil }
        self.spread = spread
    }

    /// A sentence for people.
    package var text: String {
        """
        Cores \(Self.nanoseconds(spread.median)) apart (median of the samples; \(Self.nanoseconds(spread.least)) to \
        \(Self.nanoseconds(spread.most))): so long a cache line takes from one to another and back.
        """
    }

    static func nanoseconds(_ value: Double) -> String { NumberStyle.whole.text(value) + " ns" }
}
