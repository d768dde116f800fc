/// A table of ratios between Sockeye and the fastest clients in other languages, and wrk, the practical limit.
struct FrontierTable {
    /// The most informative scenarios, in the order of the table.
    private static let scenarios =
        ["get", "get-tls"].flatMap { kind in [1, 16, 64, 256].map { "\(kind)-c\($0)" } }
        + ["get-c1-shared", "get-c64-shared", "get-tls-c64-shared"]
        + ["download-1g", "download-1g-tls", "upload-1g", "upload-1g-chunked"]
    private static let others = [
        ClientName.hyper, ClientName.reqwest, ClientName.go, ClientName.wrk, ClientName.asyncHTTPClient,
    ]

    private let scenarios: [ScenarioFigures]
    private let others: [String]

    init(_ results: RunResults) {
        let found = Self.scenarios.compactMap { results.scenario($0) }.filter { $0.client(ClientName.sockeye) != nil }
        scenarios = found
        others = Self.others.filter { name in found.contains { Self.opponent(name, in: $0) != nil } }
    }

    /// Returns the client of this name; its variant with a thread for each core, if the scenario has one.
    private static func opponent(_ name: String, in scenario: ScenarioFigures) -> ClientFigures? {
        scenario.client(ClientName.threaded(name)) ?? scenario.client(name)
    }

    /// The table; nil if only libraries in Swift took part.
    var table: TextTable? {
        guard others.contains(where: { $0 != ClientName.asyncHTTPClient }) else { return nil }
        let headings = others.flatMap { ["\($0), speed", "CPU"] }
        let rows = scenarios.map { scenario in
            [scenario.name] + others.flatMap { cells(scenario, $0) } + [kernelShare(scenario)]
        }
        return TextTable(headings: ["scenario"] + headings + ["kernel's share"], rows: rows)
    }

    private func cells(_ scenario: ScenarioFigures, _ name: String) -> [String] {
        guard let other = Self.opponent(name, in: scenario) else { return ["–", "–"] }
        let rate = scenario.heading(FigureName.requestRate) == nil ? FigureName.byteRate : FigureName.requestRate
        return [rate, FigureName.cpu].map { figure in
            let times = scenario.advantage(figure, of: ClientName.sockeye, over: other.client)
            return times.map { NumberStyle.significant.text($0) + "×" } ?? "–"
        }
    }

    /// Returns the kernel's share of Sockeye's CPU time, in percent.
    private func kernelShare(_ scenario: ScenarioFigures) -> String {
        guard let sockeye = scenario.client(ClientName.sockeye), let user = sockeye.median(FigureName.userCPU),
            let system = sockeye.median(FigureName.systemCPU), user + system > 0
        else { return "–" }
        return NumberStyle.whole.text(100 * system / (user + system)) + " %"
    }
}
