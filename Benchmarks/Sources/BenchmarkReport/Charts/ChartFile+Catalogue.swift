extension ChartFile {
    /// Returns the charts of a run, the most informative first; charts without figures are omitted.
    package static func all(of results: RunResults) -> [ChartFile] {
        [overview(results), throughput(results), cpu(results), transfers(results)].compactMap(\.self)
    }

    /// Returns the chart for the front page of the repository.
    private static func overview(_ results: RunResults) -> ChartFile? {
        let scenarios = [(["plain"], "get-c64"), (["TLS"], "get-tls-c64")]
        let groups = scenarios.compactMap { title, name in
            group(title, [name, name], [FigureName.requestRate, FigureName.cpu], results)
        }
        let panels = [
            BarChart.Panel(title: "requests per second", hint: "more is better"),
            BarChart.Panel(title: "CPU µs per request, user and system", hint: "less is better"),
        ]
        return file(
            "overview.svg", "Small GETs over 64 connections",
            "Requests per second, and the CPU time of each client's process without the server's", panels, groups,
            results)
    }

    private static func throughput(_ results: RunResults) -> ChartFile? {
        file(
            "throughput.svg", "Requests per second by concurrency",
            "Small GETs over connections that are kept alive, one request at a time on each; more is better",
            ["plain", "TLS"].map { BarChart.Panel(title: $0, hint: "requests per second, more is better") },
            concurrency(FigureName.requestRate, results), results, sharesAxis: true)
    }

    private static func cpu(_ results: RunResults) -> ChartFile? {
        file(
            "cpu.svg", "CPU time per request by concurrency",
            "User and system time of the client's process for a small GET; less is better",
            ["plain", "TLS"].map { BarChart.Panel(title: $0, hint: "µs per request, less is better") },
            concurrency(FigureName.cpu, results), results, sharesAxis: true)
    }

    private static func transfers(_ results: RunResults) -> ChartFile? {
        let groups = results.scenarios.filter { $0.heading(FigureName.byteRate) != nil }.compactMap { scenario in
            group(
                lines(scenario.name), [scenario.name, scenario.name], [FigureName.byteRate, FigureName.cpu], results)
        }
        let panels = [
            BarChart.Panel(title: "GB per second", hint: "more is better"),
            BarChart.Panel(title: "CPU seconds per GB", hint: "less is better"),
        ]
        return file(
            "transfers.svg", "Bodies of 1 GiB", "One transfer at a time over one connection", panels, groups,
            results)
    }

    /// Returns a group for each number of connections, with and without TLS side by side.
    private static func concurrency(_ figure: String, _ results: RunResults) -> [BarChart.Group] {
        [1, 16, 64, 256, 1024].compactMap { connections in
            let title =
                [connections == 1 ? "1" : NumberStyle.whole.text(Double(connections))]
                + [connections == 1 ? "connection" : "connections"]
            return group(
                title, ["get-c\(connections)", "get-tls-c\(connections)"], [figure, figure], results)
        }
    }

    /// Returns a group with the clients of one or more scenarios, which have a panel each; nil if no scenario was run.
    private static func group(
        _ title: [String], _ scenarios: [String], _ figures: [String], _ results: RunResults
    ) -> BarChart.Group? {
        let found = scenarios.map { results.scenario($0) }
        guard let longest = found.compactMap(\.self).max(by: { $0.clients.count < $1.clients.count }) else {
            return nil
        }
        let rows = longest.clients.map { client in
            let bars = zip(found, figures).map { scenario, figure in
                scenario?.client(client.client)?.spread(figure).map { spread in
                    BarChart.Bar(spread: spread, label: label(spread.median))
                }
            }
            return BarChart.Row(client: client.client, bars: bars)
        }
        return BarChart.Group(title: title, rows: rows)
    }

    private static func file(
        _ name: String, _ title: String, _ subtitle: String, _ panels: [BarChart.Panel], _ groups: [BarChart.Group],
        _ results: RunResults, sharesAxis: Bool = false
    ) -> ChartFile? {
        guard !groups.isEmpty else { return nil }
        let machine = ["Processor", "Date"].compactMap(results.fact)
        let footnote = (machine + ["medians of \(results.rounds) rounds of turns"])
            .joined(separator: " · ")
        let chart = BarChart(
            title: title, subtitle: subtitle, panels: panels, groups: groups, footnote: footnote,
            sharesAxis: sharesAxis)
        return ChartFile(name: name, chart: chart)
    }

    /// Returns the words of a name like `download-1g-tls`, without the size, which is in the chart's title.
    private static func lines(_ name: String) -> [String] {
        name.split(separator: "-").filter { $0 != "1g" }.map { $0 == "tls" ? "TLS" : String($0) }
    }
}
