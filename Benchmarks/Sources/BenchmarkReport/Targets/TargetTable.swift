/// A table of all targets with the values measured in a run.
package struct TargetTable: Sendable {
    private let results: RunResults
    private let targets: [Target]

    package init(_ results: RunResults, targets: [Target] = Target.all) {
        self.results = results
        self.targets = targets
    }

    /// The table of all targets, as Markdown.
    package var table: TextTable {
        table(of: targets.map { ($0, $0.outcome(in: results)) }) { outcome in
            outcome.isMissed ? "**\(outcome.verdict)**" : outcome.verdict
        }
    }

    /// The table of the targets with measured figures, for a terminal.
    package var ran: TextTable {
        table(of: targets.map { ($0, $0.outcome(in: results)) }.filter { !$0.1.isUnknown }, verdict: \.verdict)
    }

    private func table(
        of outcomes: [(target: Target, outcome: TargetOutcome)], verdict: (TargetOutcome) -> String
    ) -> TextTable {
        let rows = outcomes.map { target, outcome in
            [target.subject, target.client, target.title, target.goal, outcome.measuredText, verdict(outcome)]
        }
        return TextTable(
            headings: ["scenario", "client", "figure", "target", "measured", "result"], rows: rows, textColumns: 6)
    }

    /// A sentence with the numbers of targets that were met, missed and not measured.
    package var summary: String {
        let outcomes = targets.map { $0.outcome(in: results) }
        let (missed, unknown) = (outcomes.count(where: \.isMissed), outcomes.count(where: \.isUnknown))
        return "\(outcomes.count - missed - unknown) of \(outcomes.count) targets met, \(missed) missed"
            + (unknown > 0 ? ", \(unknown) not measured." : ".")
    }
}
