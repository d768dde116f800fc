/// The results of a run as the file that is kept beside the sources.
struct MarkdownReport {
    let environment: Environment
    let pace: Pace
    let results: [ScenarioResult]

    var text: String {
        let facts = environment.facts.map { "- \($0.0): \($0.1)" }.joined(separator: "\n")
        let tables = results.map { result in
            "## \(result.scenario.name)\n\n" + TextTable(headings: result.headings, rows: result.rows).markdown
        }
        return """
            # Results

            Written by `make bench`; see [README.md](README.md) for how this is measured and what it does not show.
            Medians of \(pace.rounds) rounds, clients in turn. A ratio above 1× means that \(reference) is that many
            times better than the client of the row. RSS is the peak of the process, in brackets what requests added.

            \(facts)

            \(tables.joined(separator: "\n\n"))

            """
    }

    private var reference: String { results.first?.clients.first?.client ?? "the first client" }
}
