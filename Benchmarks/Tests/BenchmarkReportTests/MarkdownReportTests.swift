import BenchmarkReport
import Testing

@Suite struct MarkdownReportTests {
    private let run = Made.run(
        Made.gets(
            "get-c64", Made.client(ClientName.sockeye, rate: [100, 200]),
            Made.client(ClientName.asyncHTTPClient, rate: [50, 50])))

    @Test("Targets come first, then every scenario, then machine and versions")
    func order() throws {
        let text = MarkdownReport(run, notes: "What was tried: <all>.\n", charts: ChartFile.all(of: run)).text
        let places = [
            "![", "## Targets", "What was tried: <all>.", "## Scenarios", "### get-c64", "| sockeye | 150 | 100–200 |",
            "## Machine", "- Processor: one <core>",
        ].map { text.firstRange(of: $0)?.lowerBound }
        let found = places.compactMap(\.self)
        #expect(found.count == places.count)
        #expect(found == found.sorted())
    }

    @Test("A report without notes and charts has no empty sections")
    func bare() {
        let text = MarkdownReport(run, notes: nil, charts: []).text
        #expect(!text.contains("!["))
        #expect(!text.contains("\n\n\n"))
    }

    @Test("The report explains ratios after the targets and before the tables")
    func ratios() {
        let text = MarkdownReport(run, notes: nil, charts: []).text
        #expect(text.ranges(of: "Ratios are medians of the ratios of each turn").count == 2)
    }

    @Test("The report has the distance of the cores if it is known")
    func coreDistances() throws {
        let client = ClientFigures(
            client: ClientName.sockeye, values: [FigureName.requestRate: [1, 2, 3, 4]],
            coreDistances: [80, nil, 60, 410])
        let text = MarkdownReport(Made.run(Made.gets("get-c64", client)), notes: nil, charts: []).text
        #expect(text.contains("\n\nThe distance of the cores is 80 ns (median of the samples; 60 ns to 410 ns)"))
        #expect(!MarkdownReport(run, notes: nil, charts: []).text.contains("distance of the cores"))
    }
}
