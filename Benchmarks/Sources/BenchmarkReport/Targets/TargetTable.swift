/// All targets beside what a run has seen.
package struct TargetTable: Sendable {
    private let results: RunResults
    private let targets: [Target]

    package init(_ results: RunResults, targets: [Target] = Target.all) {
        self.results = results
        self.targets = targets
    }

    /// All of them, as Markdown.
    package var table: TextTable {
        table(of: targets.map { ($0, $0.outcome(in: results)) }) { outcome in
            outcome.isMissed ? "**\(outcome.verdict)**" : outcome.verdict
        }
    }

    /// Those that the run could tell, for a terminal.
    package var ran: TextTable {
        table(of: targets.map { ($0, $0.outcome(in: results)) }.filter { !$0.1.isUnknown }, verdict: \.verdict)
    }

    private func table(
        of outcomes: [(target: Target, outcome: TargetOutcome)], verdict: (TargetOutcome) -> String
    ) -> TextTable {
        let rows = outcomes.map { target, outcome in
            [target.subject, target.client, target.title, target.goal, outcome.seenText, verdict(outcome)]
        }
        return TextTable(
            headings: ["scenario", "client", "figure", "target", "seen", "result"], rows: rows, textColumns: 6)
    }

    /// How many were met, missed and not run.
    package var summary: String {
        let outcomes = targets.map { $0.outcome(in: results) }
        let (missed, unknown) = (outcomes.count(where: \.isMissed), outcomes.count(where: \.isUnknown))
        return "\(outcomes.count - missed - unknown) of \(outcomes.count) targets met, \(missed) missed"
            + (unknown > 0 ? ", \(unknown) not run." : ".")
    }
}
