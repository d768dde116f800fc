/// The results of a run as `RESULTS.md`.
package struct MarkdownReport: Sendable {
    private let results: RunResults
    /// Hand-written Markdown about the targets, included unchanged.
    private let notes: String?
    private let charts: [ChartFile]

    package init(_ results: RunResults, notes: String?, charts: [ChartFile]) {
        self.results = results
        self.notes = notes
        self.charts = charts
    }

    package var text: String {
        ([introduction] + images + [frontier, ownWork, targets, ceiling, scenarios, facts].compactMap(\.self)).joined(
            separator: "\n\n")
            + "\n"
    }

    private var introduction: String {
        """
        # Results

        Written by `make bench`. [Method](README.md#method) describes the measurement, and [Fairness](README.md#fairness)
        lists what the clients have in common and what the figures do not show.

        Figures are medians over \(results.rounds) rounds. In each round every client starts in a new process, and then the
        clients take turns: up to \(results.turns) turns of small requests each, or more turns of one transfer each. A ratio
        above 1× is the factor by which \(results.reference) is better than the client of the row. Compare figures only
        within one run.
        """ + conditions.map { "\n\n\($0)" }.joined()
    }

    /// Sentences about disturbances of the machine and the distances of its cores.
    private var conditions: [String] {
        [Disturbances(results)?.text, CoreDistances(results)?.text].compactMap(\.self)
    }

    /// An explanation why a ratio differs from the quotient of the medians beside it.
    private static let ratios = """
        Ratios are medians of the ratios of each turn, because clients that take turns meet the machine in the same state.
        So a ratio may differ from the quotient of two medians in a table.
        """

    private var images: [String] {
        charts.map { "![\($0.description)](\(ChartFile.folder)/\($0.name))" }
    }

    private var frontier: String? {
        guard let table = FrontierTable(results).table else { return nil }
        return """
            ## Compared with hyper and wrk

            The factors by which \(results.reference) is better than the fastest clients in other languages, and than wrk, which
            is not a library but the practical limit. If servers and clients share cores, hyper, reqwest and Go have one thread
            for each core.

            \(table.markdown)

            The kernel's part of a request takes all clients the same time. The larger it is, the nearer is each ratio to one.
            The last column is the kernel's share of \(results.reference)'s CPU time. On a machine with a fast kernel, clients
            with much work of their own fall further behind. No client can be further ahead of them than wrk.
            """
    }

    private var ownWork: String? {
        guard let table = OwnWorkTable(results).table else { return nil }
        return """
            ### The client's own work

            Figures of a small GET without the kernel's time. Slow and fast machines have similar ones.

            \(table.markdown)
            """
    }

    private var targets: String {
        let table = TargetTable(results)
        let parts =
            ["## Targets", table.summary, table.table.markdown, Self.ratios] + (notes.map { [$0.trimmed] } ?? [])
        return parts.joined(separator: "\n\n")
    }

    private var ceiling: String? {
        guard let table = PracticalCeiling(results).table else { return nil }
        return """
            ### The practical ceiling

            wrk is not a library: it sends the same bytes repeatedly and passes responses to no caller. Its factors over
            async-http-client in this run are about the maximum that any client could reach:

            \(table.markdown)
            """
    }

    private var scenarios: String {
        let sections = results.scenarios.map { scenario in
            let table = ScenarioTable(scenario)
            return """
                ### \(scenario.name)

                \(table.medians.markdown)

                <details><summary>min–max of all figures</summary>

                \(table.ranges.markdown)

                </details>
                """
        }
        return (["## Scenarios", Self.ratios] + sections).joined(separator: "\n\n")
    }

    private var facts: String {
        let lines = results.facts.map { "- \($0.name): \($0.value)" }
        return "## Machine, versions, command\n\n" + lines.joined(separator: "\n")
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
