/// A comparison of the ratios in two runs. Figures are not compared, because they depend on the machine and its load.
package struct RunComparison: Sendable {
    /// All ratios that both runs have, the largest differences first.
    package let differences: [RatioDifference]
    /// The fraction by which a ratio may differ.
    package let tolerance: Double
    /// True if both runs have distances of the cores.
    private let tellsDistances: Bool

    /// Compares the ratios shown in tables, of the first client to each other client.
    package init(_ first: RunResults, _ second: RunResults, tolerance: Double = 0.15) {
        self.tolerance = tolerance
        tellsDistances = CoreDistances(first) != nil && CoreDistances(second) != nil
        differences = first.scenarios.flatMap { scenario in
            second.scenario(scenario.name).map { Self.differences(scenario, $0) } ?? []
        }.sorted { $0.fraction > $1.fraction }
    }

    private static func differences(_ first: ScenarioFigures, _ second: ScenarioFigures) -> [RatioDifference] {
        guard let reference = first.clients.first?.client else { return [] }
        return first.headings.filter { $0.ratioTitle != nil }.flatMap { heading in
            ClientName.peers.compactMap { peer in
                guard peer != reference, let one = Ratio(first, heading.figure, reference, peer),
                    let two = Ratio(second, heading.figure, reference, peer)
                else { return nil }
                let (first, second) = Ratio.atSameDistance(one, two)
                return RatioDifference(
                    scenario: one.scenario.name, peer: peer, figure: heading.text, first: first.value,
                    second: second.value, firstDistance: first.distance, secondDistance: second.distance)
            }
        }
    }

    /// A ratio of a run, and the distance of the cores for it.
    private struct Ratio {
        let scenario: ScenarioFigures
        private let figure: String
        private let reference: String
        private let peer: String
        private(set) var value: Double
        private(set) var distance: Double?

        init?(_ scenario: ScenarioFigures, _ figure: String, _ reference: String, _ peer: String) {
            guard let value = scenario.advantage(figure, of: reference, over: peer), value > 0 else { return nil }
            (self.scenario, self.figure, self.reference, self.peer) = (scenario, figure, reference, peer)
            self.value = value
            distance = scenario.coreDistance(figure, of: reference, by: peer)
        }

        /// Returns the two ratios. If their distances of the cores differ, but one run also has turns at the other's
        /// distance, returns ratios at the same distance.
        static func atSameDistance(_ one: Ratio, _ two: Ratio) -> (Ratio, Ratio) {
            guard let first = one.distance, let second = two.distance, !Yardstick.isSameDistance(first, second)
            else { return (one, two) }
            if let elsewhere = one.moved(to: second) { return (elsewhere, two) }
            if let elsewhere = two.moved(to: first) { return (one, elsewhere) }
            return (one, two)
        }

        private func moved(to distance: Double) -> Ratio? {
            var ratio = self
            guard let value = scenario.advantage(figure, of: reference, over: peer, atDistance: distance), value > 0
            else { return nil }
            (ratio.value, ratio.distance) = (value, distance)
            return ratio
        }
    }

    /// The differences with similar or unknown distances of the cores in both runs. Others are caused by the machine.
    package var comparable: [RatioDifference] { differences.filter(\.isSameDistance) }

    /// The comparable differences above the tolerance.
    package var excesses: [RatioDifference] { comparable.filter { $0.fraction > tolerance } }

    /// True if there are comparable ratios, and none differs by more than the tolerance.
    package var agrees: Bool { !comparable.isEmpty && excesses.isEmpty }

    /// Returns the verdict and the ratios that differ most.
    package func text(worst count: Int = 12) -> String {
        guard let median = Spread((comparable.isEmpty ? differences : comparable).map(\.fraction))?.median else {
            return "The runs have no ratio in common."
        }
        let shown = differences.prefix(max(count, differences.count { $0.fraction > tolerance }))
        let headings =
            ["scenario", "other client", "figure", "ratio 1", "ratio 2", "differs by"]
            + (tellsDistances ? ["cores 1", "cores 2"] : [])
        let table = TextTable(headings: headings, rows: shown.map(cells), textColumns: 3)
        let summary =
            comparable.isEmpty
            ? "" : "Ratios to other clients: \(comparable.count), median difference: \(percent(median)). "
        return """
            \(table.terminal())

            \(summary)\(verdict)\
            \(explanation.map { "\n\n\($0)" } ?? "")
            """
    }

    private func cells(of difference: RatioDifference) -> [String] {
        let cores = !tellsDistances ? [] : [difference.firstDistance, difference.secondDistance].map(nanoseconds)
        return [
            difference.scenario, difference.peer, difference.figure, times(difference.first),
            times(difference.second), percent(difference.fraction),
        ] + cores
    }

    private var verdict: String {
        if comparable.isEmpty { return "No ratio was measured with equally distant cores in both runs." }
        if excesses.isEmpty { return "No ratio differs by more than \(percent(tolerance))." }
        let ratios = excesses.count == 1 ? "ratio differs" : "ratios differ"
        return "\(excesses.count) \(ratios) by more than \(percent(tolerance))."
    }

    /// A sentence about ratios with different distances of the cores in the two runs; nil without such ratios.
    private var explanation: String? {
        let others = differences.count - comparable.count
        guard others > 0 else { return nil }
        return """
            \(others) more \(others == 1 ? "ratio was" : "ratios were") measured with near cores in one run and far cores in \
            the other. The kernel's part of the work is slower between far cores, and differs between clients. So the \
            machine causes these differences, and they do not count.
            """
    }

    private func times(_ value: Double) -> String { NumberStyle.significant.text(value) + "×" }

    private func nanoseconds(_ distance: Double?) -> String { distance.map(CoreDistances.nanoseconds) ?? "–" }

    private func percent(_ fraction: Double) -> String { "\(NumberStyle.significant.text(fraction * 100)) %" }
}
