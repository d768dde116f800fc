/// Whether two runs tell the same: not in their figures, which follow the machine and its load, but in the ratios.
package struct RunComparison: Sendable {
    /// All ratios that both runs have, those that differ most first.
    package let differences: [RatioDifference]
    /// The fraction that a ratio may differ by.
    package let tolerance: Double

    /// Compares the ratios that tables show, of the first client to each peer.
    package init(_ first: RunResults, _ second: RunResults, tolerance: Double = 0.15) {
        self.tolerance = tolerance
        differences = first.scenarios.flatMap { scenario in
            second.scenario(scenario.name).map { Self.differences(scenario, $0) } ?? []
        }.sorted { $0.fraction > $1.fraction }
    }

    private static func differences(_ first: ScenarioFigures, _ second: ScenarioFigures) -> [RatioDifference] {
        guard let reference = first.clients.first?.client else { return [] }
        return first.headings.filter { $0.ratioTitle != nil }.flatMap { heading in
            ClientName.peers.compactMap { peer in
                guard peer != reference,
                    let one = first.advantage(heading.figure, of: reference, over: peer),
                    let two = second.advantage(heading.figure, of: reference, over: peer), min(one, two) > 0
                else { return nil }
                return RatioDifference(
                    scenario: first.name, peer: peer, figure: heading.text, first: one, second: two)
            }
        }
    }

    /// Those that differ by more than they may.
    package var excesses: [RatioDifference] { differences.filter { $0.fraction > tolerance } }

    /// Runs without a common ratio tell nothing, and so do not agree.
    package var agrees: Bool { !differences.isEmpty && excesses.isEmpty }

    /// The verdict and the ratios that differ most.
    package func text(worst count: Int = 12) -> String {
        guard let median = Spread(differences.map(\.fraction))?.median else {
            return "The runs have no ratio in common."
        }
        let shown = differences.prefix(max(count, excesses.count))
        let rows = shown.map { difference in
            [
                difference.scenario, difference.peer, difference.figure, times(difference.first),
                times(difference.second), percent(difference.fraction),
            ]
        }
        let table = TextTable(
            headings: ["scenario", "peer", "figure", "ratio 1", "ratio 2", "differs by"], rows: rows, textColumns: 3)
        let verdict =
            excesses.isEmpty
            ? "No ratio differs by more than \(percent(tolerance))."
            : "\(excesses.count) differ by more than \(percent(tolerance))."
        return """
            \(table.terminal())

            \(differences.count) ratios to peers, half of which differ by less than \(percent(median)). \(verdict)
            """
    }

    private func times(_ value: Double) -> String { NumberStyle.significant.text(value) + "×" }

    private func percent(_ fraction: Double) -> String { "\(NumberStyle.significant.text(fraction * 100)) %" }
}
