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

        Written by `make bench`; see [README.md](README.md) for how this is measured and what it does not show.
        Medians of \(results.rounds) rounds: in each round every client is started anew, and then they take turns, \(results.turns)
        where one is a moment of requests and more where it is a transfer. A ratio above 1× means that
        \(results.reference) is that many times better than the client of the row. Compare figures within one run only.
        """ + conditions.map { "\n\n\($0)" }.joined()
    }

    /// Sentences about disturbances of the machine and the distances of its cores.
    private var conditions: [String] {
        [Disturbances(results)?.text, CoreDistances(results)?.text].compactMap(\.self)
    }

    /// An explanation why a ratio differs from the quotient of the medians beside it.
    private static let ratios = """
        Ratios are medians, too, namely of the ratios of each turn: clients that took turns with each other met the same
        machine. So they are not quite what comes out where one median of a table is divided by another.
        """

    private var images: [String] {
        charts.map { "![\($0.description)](\(ChartFile.folder)/\($0.name))" }
    }

    private var frontier: String? {
        guard let table = FrontierTable(results).table else { return nil }
        return """
            ## Beside hyper and wrk

            How many times better \(results.reference) is than the fastest clients of other languages, and than wrk, which is no
            library but the practical limit. Where servers and clients share cores, hyper, reqwest and Go have as many threads as
            there are cores.

            \(table.markdown)

            What the kernel does for a request costs everybody the same, so each ratio is the nearer to one the more of it there
            is: the last column is how much of \(results.reference)'s CPU time the kernel has. On a machine whose kernel is
            fast, clients that do much themselves fall further behind; nobody gets further ahead of them than wrk is.
            """
    }

    private var ownWork: String? {
        guard let table = OwnWorkTable(results).table else { return nil }
        return """
            ### What is the client's own

            For a small GET, apart from what the kernel takes: these hold on slow machines and fast ones.

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

            wrk is no library: it sends the same bytes again and again, and hands its answers to nobody. How many times
            better than async-http-client it is in this run is about the most that any client could reach:

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
