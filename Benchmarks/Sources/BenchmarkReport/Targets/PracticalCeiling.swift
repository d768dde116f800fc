/// A table of wrk's results for the same requests, as a bound for the results of a client.
package struct PracticalCeiling: Sendable {
    private let results: RunResults

    package init(_ results: RunResults) { self.results = results }

    /// The table, with a row for each scenario in which wrk and async-http-client took part; nil without such a
    /// scenario.
    package var table: TextTable? {
        let rows = results.scenarios.compactMap { scenario -> [String]? in
            let (wrk, ahc) = (ClientName.wrk, ClientName.asyncHTTPClient)
            guard let speed = scenario.advantage(FigureName.requestRate, of: wrk, over: ahc) else { return nil }
            let cpu = scenario.advantage(FigureName.cpu, of: wrk, over: ahc)
            return [scenario.name, Self.times(speed), cpu.map(Self.times) ?? "–"]
        }
        guard !rows.isEmpty else { return nil }
        return TextTable(headings: ["scenario", "wrk, requests/s", "wrk, CPU/request"], rows: rows)
    }

    private static func times(_ value: Double) -> String { NumberStyle.significant.text(value) + "×" }
}
