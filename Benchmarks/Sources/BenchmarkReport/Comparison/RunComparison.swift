/// Whether two runs tell the same: not in their figures, which follow the machine and its load, but in the ratios.
package struct RunComparison: Sendable {
    /// All ratios that both runs have, those that differ most first.
    package let differences: [RatioDifference]
    /// The fraction that a ratio may differ by.
    package let tolerance: Double
    /// How far apart the cores were in each run, where both tell.
    private let distances: (first: CoreDistances, second: CoreDistances)?

    /// Compares the ratios that tables show, of the first client to each peer.
    package init(_ first: RunResults, _ second: RunResults, tolerance: Double = 0.15) {
        self.tolerance = tolerance
        if let one = CoreDistances(first), let two = CoreDistances(second) {
            distances = (one, two)
        } else {
            distances = nil
        }
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
                    scenario: first.name, peer: peer, figure: heading.text, first: one, second: two,
                    firstDistance: first.coreDistance(heading.figure, of: reference, by: peer),
                    secondDistance: second.coreDistance(heading.figure, of: reference, by: peer))
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
        let headings =
            ["scenario", "peer", "figure", "ratio 1", "ratio 2", "differs by"]
            + (distances == nil ? [] : ["cores 1", "cores 2"])
        let table = TextTable(headings: headings, rows: shown.map(cells), textColumns: 3)
        return """
            \(table.terminal())

            \(differences.count) ratios to peers, half of which differ by less than \(percent(median)). \(verdict)\
            \(explanation.map { "\n\n\($0)" } ?? "")
            """
    }

    private func cells(of difference: RatioDifference) -> [String] {
        let cores = distances == nil ? [] : [difference.firstDistance, difference.secondDistance].map(nanoseconds)
        return [
            difference.scenario, difference.peer, difference.figure, times(difference.first),
            times(difference.second), percent(difference.fraction),
        ] + cores
    }

    private var verdict: String {
        if excesses.isEmpty { return "No ratio differs by more than \(percent(tolerance))." }
        let elsewhere = excesses.count { !$0.isSameDistance }
        let part = elsewhere > 0 ? ", \(elsewhere) of them between near cores and far ones" : ""
        return "\(excesses.count) differ by more than \(percent(tolerance))\(part)."
    }

    /// What the cores of both runs have to do with the differences; nil if they were alike, as far as is known.
    private var explanation: String? {
        guard let distances, !distances.first.isSame(as: distances.second) else { return nil }
        return """
            Most of the first run met cores \(nanoseconds(distances.first.spread.median)) apart and most of the second \
            \(nanoseconds(distances.second.spread.median)). The kernel's part of the work is slower between far cores, \
            and clients leave it different parts, so ratios between such runs differ for a reason of the machine.
            """
    }

    private func times(_ value: Double) -> String { NumberStyle.significant.text(value) + "×" }

    private func nanoseconds(_ distance: Double?) -> String { distance.map(CoreDistances.nanoseconds) ?? "–" }

    private func percent(_ fraction: Double) -> String { "\(NumberStyle.significant.text(fraction * 100)) %" }
}
