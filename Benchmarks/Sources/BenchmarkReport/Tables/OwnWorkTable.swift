/// A table of each client's own cost of a small request, which does not depend on the speed of the kernel: its time in
/// user mode, and counts.
struct OwnWorkTable {
    private static let scenarios = ["get-c1", "get-c64", "get-tls-c64"]
    private static let figures = [
        FigureName.userCPU, FigureName.instructions, FigureName.allocations, FigureName.systemCalls,
        FigureName.switches,
    ]

    private let scenarios: [ScenarioFigures]
    private let figures: [String]

    init(_ results: RunResults) {
        let found = Self.scenarios.compactMap { results.scenario($0) }
        scenarios = found
        figures = Self.figures.filter { figure in found.contains { $0.heading(figure) != nil } }
    }

    /// The table; nil if only times were measured.
    var table: TextTable? {
        guard figures.contains(where: { $0 != FigureName.userCPU }) else { return nil }
        let titles = figures.map { figure in scenarios.lazy.compactMap { $0.heading(figure)?.text }.first ?? figure }
        let rows = scenarios.flatMap { scenario in
            scenario.clients.map { client in
                [scenario.name, client.client] + figures.map { NumberStyle.significant.text(client.median($0)) }
            }
        }
        return TextTable(headings: ["scenario", "client"] + titles, rows: rows, textColumns: 2)
    }
}
