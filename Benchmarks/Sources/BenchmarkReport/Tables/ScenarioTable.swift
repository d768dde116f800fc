/// The figures of a scenario as tables.
package struct ScenarioTable: Sendable {
    private let scenario: ScenarioFigures

    package init(_ scenario: ScenarioFigures) { self.scenario = scenario }

    /// A table with a row for each client: the median of every figure, the range of the most important ones, and
    /// ratios. A ratio above 1 means that the first client is that many times better than the client of the row.
    package var medians: TextTable {
        let headings = scenario.headings.flatMap { heading in
            [heading.text] + (heading.showsRange ? ["min–max"] : []) + (heading.ratioTitle.map { [$0] } ?? [])
        }
        let rows = scenario.clients.map { client in
            [client.client] + scenario.headings.flatMap { cells(of: client, $0) } + ["\(client.errors)"]
        }
        return TextTable(headings: ["client"] + headings + ["errors"], rows: rows)
    }

    /// A table with a row for each client: the range of every figure over the turns.
    package var ranges: TextTable {
        let headings = scenario.headings.filter { heading in
            scenario.clients.contains { $0.all(heading.figure).count > 1 }
        }
        let rows = scenario.clients.map { client in
            [client.client] + headings.map { range(client.spread($0.figure), $0.style) }
        }
        return TextTable(headings: ["client"] + headings.map(\.text), rows: rows)
    }

    private func cells(of client: ClientFigures, _ heading: Heading) -> [String] {
        let spread = client.spread(heading.figure)
        var cells = [heading.style.text(spread?.median)]
        if heading.showsRange { cells.append(range(spread, heading.style)) }
        if heading.ratioTitle != nil, let first = scenario.clients.first {
            let ratio = scenario.advantage(heading.figure, of: first.client, over: client.client)
            cells.append(ratio.map { NumberStyle.significant.text($0) + "×" } ?? "–")
        }
        return cells
    }

    private func range(_ spread: Spread?, _ style: NumberStyle) -> String {
        spread.map { "\(style.text($0.least))–\(style.text($0.most))" } ?? "–"
    }
}
